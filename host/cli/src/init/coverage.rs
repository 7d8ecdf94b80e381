//! Which events and matcher values the configuration has handlers for.

use super::entry::Covered;
use hookbox::protocol::config::Layers;

/// Events with a handler, each with the plain names of its matchers where all of them are plain.
pub(crate) fn of(layers: &Layers) -> Vec<Covered> {
    let mut covered = Vec::new();
    for event in layers.events() {
        let entries = layers.entries(event);
        if entries.is_empty() {
            continue;
        }
        let mut names: Option<Vec<String>> = Some(Vec::new());
        for entry in &entries {
            match (&mut names, plain(entry.matcher.as_deref())) {
                (Some(known), Some(more)) => known.extend(
                    more.into_iter()
                        .filter(|name| !known.contains(name))
                        .collect::<Vec<_>>(),
                ),
                _ => names = None,
            }
        }
        covered.push(Covered {
            event: event.into(),
            names,
        });
    }
    covered
}

/// The names of a matcher that is a list of names; none where it is an expression or matches everything.
fn plain(matcher: Option<&str>) -> Option<Vec<String>> {
    let matcher = matcher.filter(|text| !text.is_empty())?;
    let word = |c: char| c.is_ascii_alphanumeric() || "_-|, ".contains(c);
    let names = || {
        matcher
            .split(['|', ','])
            .map(|name| name.trim().to_owned())
            .filter(|name| !name.is_empty())
    };
    matcher.chars().all(word).then(|| names().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookbox::protocol::config::{self, Layer, LayerFile};

    fn covered(hooks: &str) -> Vec<Covered> {
        let parsed = config::parse(&format!("{{\"hooks\": {hooks}}}"), "hooks.json");
        of(&Layers::new(vec![LayerFile {
            layer: Layer::User,
            trusted: true,
            file: "hooks.json".into(),
            parsed,
        }]))
    }

    #[test]
    fn plain_matchers_are_joined_and_anything_else_covers_everything() {
        let handler = r#"[{"type": "command", "command": "x"}]"#;
        let groups = |matchers: &[&str]| {
            let groups: Vec<String> = matchers
                .iter()
                .map(|matcher| format!(r#"{{{matcher} "hooks": {handler}}}"#))
                .collect();
            covered(&format!(r#"{{"PreToolUse": [{}]}}"#, groups.join(",")))
                .remove(0)
                .names
        };
        let names = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(
            groups(&[r#""matcher": "Bash","#, r#""matcher": "Edit|Bash","#]),
            names(&["Bash", "Edit"])
        );
        assert_eq!(groups(&[r#""matcher": "Bash","#, r#""matcher": "mcp__.*","#]), None);
        assert_eq!(groups(&[r#""matcher": "Bash","#, ""]), None);
    }

    #[test]
    fn an_event_without_a_handler_is_not_covered() {
        assert!(covered(r#"{"Stop": []}"#).is_empty());
    }
}
