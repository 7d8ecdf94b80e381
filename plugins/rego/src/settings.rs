//! Policies from `settings`: one that cannot be read, or that calls what does not exist, is an error with its line.

use crate::scan;
use crate::verbs::{Asked, VERBS};
use regorus::{Engine, Value};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Settings as they are written.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub struct Settings {
    /// One policy.
    policy: Option<String>,
    /// Policies by file name.
    policies: BTreeMap<String, String>,
    /// What the policies see as `data`, beside themselves.
    data: Option<serde_json::Value>,
    /// The packages whose rules decide; all that have such rules, where none is named.
    packages: Vec<String>,
    /// Whether a function that fails (wrong type, invalid pattern) is a failure instead of undefined. OPA takes it for
    /// undefined, and a rule that would deny then does not: so it is a failure unless that is asked for.
    strict: Option<bool>,
}

impl Settings {
    /// # Errors
    /// What is wrong, in which policy and line, and how to mend it.
    pub(crate) fn read(self) -> Result<(Engine, Vec<Asked>), String> {
        let mut files = self.policies;
        if let Some(policy) = self.policy
            && files.insert("policy.rego".into(), policy).is_some()
        {
            return Err(
                "settings.policy and settings.policies.\"policy.rego\" are the same file: name it otherwise".into(),
            );
        }
        let mut engine = Engine::new();
        engine.set_strict_builtin_errors(self.strict.unwrap_or(true));
        engine.set_gather_prints(true);
        for (name, text) in &files {
            engine
                .add_policy(name.clone(), scan::written_out(text))
                .map_err(|error| format!("settings: {}", said(&error.to_string())))?;
        }
        for (name, text) in &files {
            scan::check(name, text, files.values()).map_err(|error| format!("settings: {error}"))?;
        }
        if let Some(data) = self.data {
            if !data.is_object() {
                return Err("settings.data: an object is expected".into());
            }
            engine
                .add_data(Value::from(data))
                .map_err(|error| format!("settings.data: {error}"))?;
        }
        let asked = asked(&mut engine, &self.packages)?;
        if asked.is_empty() && !files.is_empty() {
            let verbs: Vec<&str> = VERBS.iter().map(|(verb, _)| *verb).collect();
            return Err(format!(
                "settings: no policy has a rule that decides; such rules are {}",
                verbs.join(", ")
            ));
        }
        Ok((engine, asked))
    }
}

/// The parser's message without the picture it draws around it.
fn said(error: &str) -> String {
    error
        .lines()
        .map(str::trim_end)
        .filter(|line| !line.trim().is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The rules that decide, of the packages that are named or of all.
fn asked(engine: &mut Engine, named: &[String]) -> Result<Vec<Asked>, String> {
    let mut asked: Vec<Asked> = Vec::new();
    let mut packages = engine.get_packages().map_err(|error| format!("settings: {error}"))?;
    packages.sort();
    packages.dedup();
    let plain = |name: &str| name.strip_prefix("data.").unwrap_or(name).to_string();
    let named: Vec<String> = named.iter().map(|name| plain(name)).collect();
    if let Some(missing) = named
        .iter()
        .find(|name| !packages.iter().any(|package| plain(package) == **name))
    {
        return Err(format!("settings.packages: no policy is of package `{missing}`"));
    }
    engine.set_input(Value::new_object());
    for package in packages
        .iter()
        .map(|package| plain(package))
        .filter(|package| named.is_empty() || named.contains(package))
    {
        for (verb, _) in VERBS {
            let path = format!("data.{package}.{verb}");
            // What an empty event does is of no interest; whether there is such a rule, and what the engine prepares for
            // it, which is then in the snapshot.
            match engine.eval_rule(path.clone()) {
                Err(error) if error.to_string().contains(NO_SUCH_RULE) => {}
                _ => asked.push(Asked {
                    path,
                    package: package.clone(),
                    verb,
                }),
            }
        }
    }
    Ok(asked)
}

/// What the engine says of a rule that no policy has.
const NO_SUCH_RULE: &str = "not a valid rule path";

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn error(settings: serde_json::Value) -> String {
        match serde_json::from_value::<Settings>(settings) {
            Ok(settings) => settings.read().map(|_| ()).unwrap_err(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_mistake_is_told_with_the_policy_and_its_line() {
        let rows = [
            (json!({"policy": "package a\n\ndeny contains x if {"}), "policy.rego:4:"),
            (json!({"policies": {"b.rego": "packge b"}}), "b.rego:1:"),
            (
                json!({"policy": "package a\ndeny := http.send({})"}),
                "policy.rego:2: `http.send` is not available",
            ),
            (
                json!({"policy": "package a\ndeny contains \"x\" if startwith(input.x, \"y\")"}),
                "policy.rego:2: there is no function `startwith`",
            ),
            (
                json!({"policy": "package a\nfoo := 1"}),
                "no policy has a rule that decides",
            ),
            (
                json!({"policy": "package a\ndeny := true", "packages": ["b"]}),
                "no policy is of package `b`",
            ),
            (
                json!({"policy": "package a\ndeny := true", "data": []}),
                "settings.data: an object",
            ),
            (json!({"policie": ""}), "unknown field `policie`"),
            (
                json!({"policy": "package a\ndeny := true", "policies": {"policy.rego": "package a"}}),
                "the same file",
            ),
        ];
        for (settings, expected) in rows {
            let error = error(settings.clone());
            assert!(error.contains(expected), "{settings}: {error}");
        }
    }
}
