//! Edits an agent's JSON file: puts hookbox's entries beside what is there, and takes exactly them out again. Pure.

use super::entry::{self, Hook};
use super::places::{Place, Shape};
use serde_json::{Map, Value, json};

/// Why a file is not edited.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum EditError {
    #[error("is not plain JSON ({0}); hookbox does not write it, because comments would be lost")]
    NotJson(String),
    #[error("cannot be written back as it is (a key stands twice, or a number or text is spelled in an unusual way)")]
    NotLossless,
    #[error("has {found} at `{pointer}`, where {expected} belongs")]
    Shape {
        pointer: String,
        expected: &'static str,
        found: &'static str,
    },
}

/// The file's text with hookbox's entries in it. Entries of an earlier `init` are replaced.
pub(crate) fn put(place: &Place, text: &str, hooks: &[Hook], call: &str) -> Result<String, EditError> {
    let mut file = File::read(text)?;
    take_out(place, &mut file.root)?;
    let handlers = |hook: &Hook| match place.shape {
        Shape::Flat { .. } => Value::Object(entry::handler(place, hook, call)),
        _ => entry::group(place, hook, call),
    };
    match place.shape {
        Shape::Triggers => {
            file.root.entry("version").or_insert_with(|| json!("v1"));
            let list = list(file.root.entry("hooks").or_insert_with(|| json!([])), "/hooks")?;
            for hook in hooks {
                list.push(json!({
                    "name": format!("hookbox {}", hook.event), "trigger": hook.event,
                    "action": {"type": "command", "command": hook.command(place, call)}, "timeout": entry::timeout(place.agent), "enabled": true,
                }));
            }
        }
        _ => {
            if matches!(place.shape, Shape::Flat { .. }) && place.agent != "windsurf" {
                file.root.entry("version").or_insert_with(|| json!(1));
            }
            let key = events_key(place);
            let events = object(file.root.entry(key).or_insert_with(|| json!({})), &format!("/{key}"))?;
            for hook in hooks {
                let pointer = format!("/{key}/{}", hook.event);
                list(events.entry(hook.event.clone()).or_insert_with(|| json!([])), &pointer)?.push(handlers(hook));
            }
        }
    }
    Ok(file.write())
}

/// The file's text without hookbox's entries; none where nothing else is left.
pub(crate) fn remove(place: &Place, text: &str) -> Result<Option<String>, EditError> {
    let mut file = File::read(text)?;
    if !take_out(place, &mut file.root)? {
        return Ok(Some(text.into()));
    }
    let only_version = file.root.keys().all(|key| key == "version");
    Ok((!only_version).then(|| file.write()))
}

/// Where hookbox's group of this event stands in its list.
pub(crate) fn position(place: &Place, text: &str, event: &str) -> Option<usize> {
    let file = File::read(text).ok()?;
    let groups = file.root.get(events_key(place))?.get(event)?.as_array()?;
    groups.iter().position(|group| has_ours(place, group))
}

/// The key of the object that holds the events.
fn events_key(place: &Place) -> &'static str {
    if place.shape == Shape::NamedGroups {
        "hookbox"
    } else {
        "hooks"
    }
}

/// Takes hookbox's entries out, and what they leave empty. True where there were any.
fn take_out(place: &Place, root: &mut Map<String, Value>) -> Result<bool, EditError> {
    let key = events_key(place);
    let Some(hooks) = root.get_mut(key) else {
        return Ok(false);
    };
    let mut found = false;
    match hooks {
        Value::Array(entries) => found |= drop_ours(place, entries),
        Value::Object(events) => {
            let mut emptied = Vec::new();
            for (event, value) in events.iter_mut() {
                let Value::Array(entries) = value else { continue };
                if drop_ours(place, entries) {
                    found = true;
                    if entries.is_empty() {
                        emptied.push(event.clone());
                    }
                }
            }
            for event in emptied {
                events.shift_remove(&event);
            }
        }
        other => {
            let found = kind(other);
            return Err(EditError::Shape {
                pointer: format!("/{key}"),
                expected: "an object of events",
                found,
            });
        }
    }
    let empty = match hooks {
        Value::Array(entries) => entries.is_empty(),
        Value::Object(events) => events.is_empty(),
        _ => false,
    };
    if found && empty {
        root.shift_remove(key);
    }
    Ok(found)
}

/// Drops hookbox's handlers from a list of handlers or groups; a group that another handler is in stays.
fn drop_ours(place: &Place, entries: &mut Vec<Value>) -> bool {
    let mut found = false;
    entries.retain_mut(|entry| {
        if let Some(Value::Array(handlers)) = entry.get_mut("hooks") {
            let before = handlers.len();
            handlers.retain(|handler| !is_our_handler(place, handler));
            found |= handlers.len() < before;
            return before == 0 || !handlers.is_empty();
        }
        let ours = is_our_handler(place, entry);
        found |= ours;
        !ours
    });
    found
}

fn has_ours(place: &Place, group: &Value) -> bool {
    group
        .get("hooks")
        .and_then(Value::as_array)
        .is_some_and(|handlers| handlers.iter().any(|handler| is_our_handler(place, handler)))
}

fn is_our_handler(place: &Place, handler: &Value) -> bool {
    let command = ["/command", "/bash", "/action/command"]
        .iter()
        .find_map(|pointer| handler.pointer(pointer)?.as_str());
    command.is_some_and(|command| entry::is_ours(command, place.agent))
}

/// A JSON file whose text can be written back.
struct File {
    root: Map<String, Value>,
    indent: String,
    newline: bool,
}

impl File {
    /// # Errors
    /// Not an object in plain JSON, or one that would not come back the same.
    fn read(text: &str) -> Result<File, EditError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.trim().is_empty() {
            return Ok(File {
                root: Map::new(),
                indent: "  ".into(),
                newline: true,
            });
        }
        let value: Value = serde_json::from_str(text).map_err(|error| EditError::NotJson(error.to_string()))?;
        // Key order is kept; a doubled key, `1e3` or `\u0041` would come back in another form.
        if without_blanks(text).as_str() != value.to_string().as_str() {
            return Err(EditError::NotLossless);
        }
        let indent = text.lines().find_map(|line| {
            let blank = &line[..line.len() - line.trim_start().len()];
            (!blank.is_empty()).then(|| blank.to_owned())
        });
        match value {
            Value::Object(root) => Ok(File {
                root,
                indent: indent.unwrap_or_else(|| "  ".into()),
                newline: text.ends_with('\n'),
            }),
            other => Err(EditError::Shape {
                pointer: String::new(),
                expected: "an object",
                found: kind(&other),
            }),
        }
    }

    fn write(&self) -> String {
        let mut text = Vec::new();
        let formatter = serde_json::ser::PrettyFormatter::with_indent(self.indent.as_bytes());
        let mut serializer = serde_json::Serializer::with_formatter(&mut text, formatter);
        // Maps of strings to values always serialise; an error would leave the text short, which the caller's comparison shows.
        let _ = serde::Serialize::serialize(&self.root, &mut serializer);
        let mut text = String::from_utf8_lossy(&text).into_owned();
        if self.newline {
            text.push('\n');
        }
        text
    }
}

/// JSON without the blanks between its tokens.
fn without_blanks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut inside, mut escaped) = (false, false);
    for c in text.chars() {
        if inside {
            out.push(c);
            (inside, escaped) = match c {
                _ if escaped => (true, false),
                '\\' => (true, true),
                '"' => (false, false),
                _ => (true, false),
            };
        } else if !c.is_whitespace() {
            out.push(c);
            inside = c == '"';
        }
    }
    out
}

fn object<'a>(value: &'a mut Value, pointer: &str) -> Result<&'a mut Map<String, Value>, EditError> {
    let found = kind(value);
    value.as_object_mut().ok_or_else(|| EditError::Shape {
        pointer: pointer.into(),
        expected: "an object",
        found,
    })
}

fn list<'a>(value: &'a mut Value, pointer: &str) -> Result<&'a mut Vec<Value>, EditError> {
    let found = kind(value);
    value.as_array_mut().ok_or_else(|| EditError::Shape {
        pointer: pointer.into(),
        expected: "a list",
        found,
    })
}

fn kind(value: &Value) -> &'static str {
    hookbox::protocol::config::json::kind(value)
}

#[cfg(test)]
mod tests {
    use super::super::places;
    use super::*;
    use hookbox::protocol::events::Blocking;

    const CALL: &str = "hookbox run --agent claude-code";
    const COMMAND: &str = "hookbox run --agent claude-code || exit 2";

    fn put_for(agent: &str, text: &str) -> Result<String, EditError> {
        let place = places::find(agent).unwrap();
        let hooks = [Hook {
            event: "PreToolUse".into(),
            matcher: Some("Bash".into()),
            blocks: Blocking::Prevents,
        }];
        put(place, text, &hooks, &CALL.replace("claude-code", agent))
    }

    #[test]
    fn what_is_there_stays_and_comes_back_byte_for_byte() {
        let text = "{\n    \"model\": \"opus\",\n    \"hooks\": {\n        \"PreToolUse\": [\n            {\n                \"matcher\": \"Write\",\n                \
                    \"hooks\": [\n                    {\n                        \"type\": \"command\",\n                        \"command\": \"./mine.sh\"\n                    \
                    }\n                ]\n            }\n        ]\n    }\n}\n";
        let place = places::find("claude-code").unwrap();
        let with = put_for("claude-code", text).unwrap();
        assert!(with.contains("./mine.sh") && with.contains(COMMAND) && with.contains("\"onFailure\": \"block\""));
        assert_eq!(remove(place, &with).unwrap().as_deref(), Some(text));
        // A second time changes nothing.
        assert_eq!(put_for("claude-code", &with).unwrap(), with);
    }

    #[test]
    fn a_file_that_was_not_there_goes_away_again() {
        for place in places::PLACES
            .iter()
            .filter(|place| !matches!(place.shape, Shape::Executables | Shape::Plugin))
        {
            let with = put_for(place.agent, "").unwrap();
            assert!(with.contains(&format!("--agent {}", place.agent)), "{with}");
            assert_eq!(remove(place, &with).unwrap(), None, "{with}");
        }
    }

    #[test]
    fn a_handler_of_the_user_in_the_same_group_stays() {
        let text = format!(
            r#"{{"hooks":{{"Stop":[{{"hooks":[{{"type":"command","command":"{COMMAND}"}},{{"type":"command","command":"mine"}}]}}]}}}}"#
        );
        let without = remove(places::find("claude-code").unwrap(), &text).unwrap().unwrap();
        assert!(without.contains("mine") && !without.contains("hookbox"));
    }

    #[test]
    fn another_agents_entry_and_a_command_that_only_mentions_hookbox_stay() {
        let place = places::find("claude-code").unwrap();
        for command in [
            "echo hookbox run --agent claude-code",
            "hookbox run --agent codex || exit 2",
        ] {
            let text = format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{{"type":"command","command":"{command}"}}]}}]}}}}"#);
            assert_eq!(remove(place, &text).unwrap().as_deref(), Some(text.as_str()));
        }
    }

    #[test]
    fn what_cannot_be_written_back_is_refused() {
        for (text, lossless) in [
            ("{\n  // mine\n  \"a\": 1\n}", false),
            ("{\"a\": 1,}", false),
            ("{\"a\": 1, \"a\": 2}", true),
            ("{\"a\": 1e3}", true),
            ("{\"a\": 123456789012345678901234567890}", true),
        ] {
            let error = put_for("claude-code", text).unwrap_err();
            assert_eq!(error == EditError::NotLossless, lossless, "{text}: {error}");
        }
        for text in [
            "[]",
            "{\"hooks\": []}",
            "{\"hooks\": {\"PreToolUse\": {}}}",
            "{\"hooks\": 5}",
        ] {
            assert!(
                matches!(put_for("claude-code", text), Err(EditError::Shape { .. })),
                "{text}"
            );
        }
    }

    #[test]
    fn timeouts_are_in_the_agents_unit() {
        assert!(put_for("gemini", "").unwrap().contains("\"timeout\": 60000"));
        assert!(put_for("codex", "").unwrap().contains("\"timeout\": 60"));
        assert!(put_for("copilot", "").unwrap().contains("\"timeoutSec\": 60"));
        assert!(put_for("cursor", "").unwrap().contains("\"failClosed\": true"));
    }

    #[test]
    fn a_program_that_fails_lets_the_agent_stop_and_blocks_all_else() {
        for place in places::PLACES
            .iter()
            .filter(|place| !matches!(place.shape, Shape::Executables | Shape::Plugin))
        {
            let hook = |event: &str, blocks| Hook {
                event: event.into(),
                matcher: None,
                blocks,
            };
            let call = CALL.replace("claude-code", place.agent);
            let hooks = [
                hook("PreToolUse", Blocking::Prevents),
                hook("Stop", Blocking::KeepsWorking),
            ];
            let text = put(place, "", &hooks, &call).unwrap();
            let closed = text.matches(&format!("{call} || exit 2\"")).count();
            let passed_on = text.matches(&format!("{call} || exit $?\"")).count()
                + text.matches(&format!("exit 1' sh {call}\"")).count();
            assert_eq!((closed, passed_on), (1, 1), "{text}");
            for key in ["\"onFailure\"", "\"failClosed\"", "\"on_failure\""] {
                assert!(text.matches(key).count() <= 1, "{text}");
            }
            assert_eq!(remove(place, &text).unwrap(), None, "{text}");
        }
    }

    #[test]
    fn a_group_is_found_where_it_stands() {
        let text = r#"{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"mine"}]}]}}"#;
        let with = put_for("codex", text).unwrap();
        assert_eq!(position(places::find("codex").unwrap(), &with, "PreToolUse"), Some(1));
    }
}
