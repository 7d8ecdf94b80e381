//! Reads the event map: events, groups, handlers. One bad entry costs only itself, and blocks instead of vanishing.

use serde_json::{Map, Value, json};

use super::diagnostic::Diagnostic;
use super::json::kind;
use super::plugins::on_failure;
use super::reader::{Field, Findings, Object};
use super::suggest::nearest;
use super::types::{CommandHandler, Group, Handler, HandlerKind, Shell, Skipped, WasmHandler};
use crate::events;

/// The handler types that hookbox runs, and those it leaves to the agent, with the keys each has beside the common ones.
pub(super) const HANDLER_TYPES: &[(&str, &[&str])] = &[
    ("wasm", &["plugin", "settings", "settingsFile", "onFailure"]),
    (
        "command",
        &["command", "args", "shell", "async", "asyncRewake", "onFailure"],
    ),
    ("http", &["url", "headers", "allowedEnvVars", "onFailure"]),
    ("mcp_tool", &["server", "tool", "input", "onFailure"]),
    ("prompt", &["prompt", "model", "continueOnBlock"]),
    ("agent", &["prompt", "model"]),
];

pub(super) const COMMON_KEYS: &[&str] = &["type", "if", "timeout", "statusMessage", "once"];
pub(super) const GROUP_KEYS: &[&str] = &["matcher", "hooks"];
/// Keys that people and other agents put on groups and handlers as notes or for their own use.
pub(super) const NOTES: &[&str] = &[
    "description",
    "name",
    "id",
    "comment",
    "commandWindows",
    "sequential",
    "additionalContextLimit",
];

/// Reads one event map into `hooks`, appending to what an earlier map gave for the same event.
pub(super) fn read_map(
    map: &Map<String, Value>,
    path: &str,
    hooks: &mut Vec<(String, Vec<Group>)>,
    skipped: &mut Vec<Skipped>,
    findings: &mut Findings,
) {
    for (event, value) in map {
        let at = super::json::join(path, event);
        if !events::spec(event).known() && !findings.is_full() {
            let diagnostic = Diagnostic::warning(
                &*at,
                format!("unknown event {event:?}: its handlers run if the agent sends it"),
            );
            findings.add(match nearest(event, events::EVENTS.iter().map(|spec| spec.name)) {
                Some(meant) => diagnostic.hint(format!("did you mean {meant:?}?")),
                None => diagnostic,
            });
        }
        let mut reader = EventReader {
            event,
            skipped,
            findings,
        };
        let groups = reader.groups(value, &at);
        match hooks.iter_mut().find(|(name, _)| name == event) {
            Some((_, earlier)) => earlier.extend(groups),
            None => hooks.push((event.clone(), groups)),
        }
    }
}

struct EventReader<'a> {
    event: &'a str,
    skipped: &'a mut Vec<Skipped>,
    findings: &'a mut Findings,
}

impl EventReader<'_> {
    fn groups(&mut self, value: &Value, path: &str) -> Vec<Group> {
        match value {
            Value::Array(groups) => groups
                .iter()
                .enumerate()
                .map(|(index, group)| self.group(group, format!("{path}[{index}]")))
                .collect(),
            Value::Null => {
                self.findings.add(Diagnostic::warning(
                    path,
                    "null where a list of groups is expected: no handlers",
                ));
                Vec::new()
            }
            other => {
                let matcher = other.get("matcher").and_then(Value::as_str).map(str::to_owned);
                let error = format!("an event holds a list of groups, not {}", kind(other));
                let hint = format!("wrap it: {:?}: [ … ]", self.event);
                vec![self.broken_group(matcher, error, Some(hint), path.to_owned())]
            }
        }
    }

    fn group(&mut self, value: &Value, path: String) -> Group {
        let Value::Object(map) = value else {
            let error = format!("a group is an object with \"hooks\", not {}", kind(value));
            return self.broken_group(None, error, None, path);
        };
        let object = Object::new(map, &path);
        let matcher = match map.get("matcher") {
            None => None,
            Some(Value::String(matcher)) => Some(matcher.clone()),
            Some(other) => {
                // Read as no matcher: the guard runs on more than was meant, never on less.
                let mut diagnostic = Diagnostic::error(
                    object.at("matcher"),
                    format!(
                        "matcher must be a string, not {}: the group runs on everything",
                        kind(other)
                    ),
                );
                diagnostic.hint = match other {
                    Value::Array(names) => {
                        let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
                        Some(format!("write \"matcher\": {:?}", names.join("|")))
                    }
                    _ => Some("leave it out to match everything".to_owned()),
                };
                self.findings.add(diagnostic);
                None
            }
        };
        let handlers = match map.get("hooks") {
            Some(Value::Array(handlers)) => handlers
                .iter()
                .enumerate()
                .map(|(index, handler)| self.handler(handler, format!("{path}.hooks[{index}]")))
                .collect(),
            Some(other) => {
                let error = format!("hooks of a group must be a list of handlers, not {}", kind(other));
                let hint = other.is_object().then(|| "wrap it: \"hooks\": [ … ]".to_owned());
                return self.broken_group(matcher, error, hint, path);
            }
            None if is_flat_handler(map) => {
                let error = "a handler stands where a group is expected: it has no \"hooks\" list".to_owned();
                return self.broken_group(matcher.clone(), error, Some(wrapped(map, matcher.as_deref())), path);
            }
            None => {
                let error = "a group without \"hooks\"".to_owned();
                let hint = nearest("hooks", map.keys().map(String::as_str))
                    .map(|key| format!("rename {key:?} to \"hooks\""))
                    .unwrap_or_else(|| "add \"hooks\": [ … ]".to_owned());
                return self.broken_group(matcher, error, Some(hint), path);
            }
        };
        self.misplaced(&object);
        object.unknown("a group", GROUP_KEYS, &[NOTES, MISPLACED].concat(), self.findings);
        Group {
            matcher,
            handlers,
            path,
        }
    }

    /// Keys of a handler that stand on its group, where they do nothing.
    fn misplaced(&mut self, group: &Object<'_>) {
        for key in MISPLACED.iter().filter(|key| group.map.contains_key(**key)) {
            self.findings.add(
                Diagnostic::warning(
                    group.at(key),
                    format!("{key:?} belongs to a handler: on a group it has no effect"),
                )
                .hint(format!("move it into each handler of {}.hooks", group.path)),
            );
        }
    }

    fn handler(&mut self, value: &Value, path: String) -> Handler {
        let Value::Object(map) = value else {
            let error = format!("a handler is an object, not {}", kind(value));
            return self.broken(error, None, path);
        };
        let object = Object::new(map, &path);
        let kind = match self.kind(&object) {
            Ok(kind) => kind,
            Err((error, hint)) => {
                let mut handler = self.broken(error, hint, path.clone());
                handler.condition = map.get("if").and_then(Value::as_str).map(str::to_owned);
                return handler;
            }
        };
        // An `if` that cannot be read is no filter: the guard runs.
        let condition = object
            .string("if", self.findings)
            .ok()
            .filter(|rule| !rule.is_empty())
            .map(str::to_owned);
        let timeout = object.seconds("timeout", self.findings).ok();
        Handler {
            kind,
            condition,
            timeout,
            on_failure: on_failure(&object, self.findings),
            status_message: object.string("statusMessage", self.findings).ok().map(str::to_owned),
            path,
        }
    }

    fn kind(&mut self, object: &Object<'_>) -> Result<HandlerKind, (String, Option<String>)> {
        let written = match object.map.get("type") {
            Some(Value::String(written)) => written.as_str(),
            Some(other) => {
                return Err((
                    format!("type must be a string, not {}", kind(other)),
                    guess_type(object.map),
                ));
            }
            None => return Err(("a handler without \"type\"".to_owned(), guess_type(object.map))),
        };
        let names = || HANDLER_TYPES.iter().map(|(name, _)| *name);
        let Some((name, keys)) = HANDLER_TYPES.iter().find(|(name, _)| *name == written) else {
            let hint = match nearest(written, names()) {
                Some(meant) => format!("did you mean {meant:?}?"),
                None => format!("types: {}", names().collect::<Vec<_>>().join(", ")),
            };
            return Err((format!("unknown handler type {written:?}"), Some(hint)));
        };
        object.unknown(
            &format!("a {name} handler"),
            &[COMMON_KEYS, keys].concat(),
            NOTES,
            self.findings,
        );
        match *name {
            "command" => self.command(object).map(HandlerKind::Command),
            "wasm" => self.wasm(object).map(HandlerKind::Wasm),
            other => {
                self.skipped.push(Skipped {
                    event: self.event.to_owned(),
                    type_name: other.to_owned(),
                    path: object.path.to_owned(),
                });
                Ok(HandlerKind::Other {
                    type_name: other.to_owned(),
                })
            }
        }
    }

    fn command(&mut self, object: &Object<'_>) -> Result<CommandHandler, (String, Option<String>)> {
        let command = required(object, "command")?;
        let args = match object.strings("args", self.findings) {
            Field::Ok(args) => Some(args),
            Field::Absent => None,
            Field::Bad => return Err(("args must be a list of strings".to_owned(), None)),
        };
        let shell = match object.map.get("shell") {
            None => Shell::Bash,
            Some(Value::String(shell)) if shell == "bash" => Shell::Bash,
            Some(Value::String(shell)) if shell == "powershell" => Shell::PowerShell,
            Some(other) => return Err((format!("shell must be \"bash\" or \"powershell\", not {other}"), None)),
        };
        if command.trim().is_empty() {
            return Err(("an empty command".to_owned(), None));
        }
        Ok(CommandHandler {
            command: command.to_owned(),
            args,
            shell,
            run_async: object.boolean("async", self.findings).ok().unwrap_or(false),
            async_rewake: object.boolean("asyncRewake", self.findings).ok().unwrap_or(false),
        })
    }

    fn wasm(&mut self, object: &Object<'_>) -> Result<WasmHandler, (String, Option<String>)> {
        let plugin = required(object, "plugin")?;
        if plugin.is_empty() {
            return Err(("an empty plugin name".to_owned(), None));
        }
        let settings = object.map.get("settings").cloned().unwrap_or(Value::Null);
        let settings_file = match object.map.get("settingsFile") {
            None => None,
            Some(Value::String(file)) if !file.is_empty() && settings.is_null() => Some(file.clone()),
            Some(Value::String(file)) if !file.is_empty() => {
                return Err((
                    "settings stand here and in a file, too".to_owned(),
                    Some("keep one of `settings` and `settingsFile`".to_owned()),
                ));
            }
            Some(_) => return Err(("settingsFile must be the name of a file".to_owned(), None)),
        };
        Ok(WasmHandler {
            plugin: plugin.to_owned(),
            settings,
            settings_file,
        })
    }

    fn broken_group(&mut self, matcher: Option<String>, error: String, hint: Option<String>, path: String) -> Group {
        let handler = self.broken(error, hint, path.clone());
        Group {
            matcher,
            handlers: vec![handler],
            path,
        }
    }

    fn broken(&mut self, error: String, hint: Option<String>, path: String) -> Handler {
        let mut diagnostic = Diagnostic::error(path.clone(), error.clone());
        diagnostic.hint = hint;
        self.findings.add(diagnostic);
        Handler {
            kind: HandlerKind::Broken { error },
            condition: None,
            timeout: None,
            on_failure: None,
            status_message: None,
            path,
        }
    }
}

const MISPLACED: &[&str] = &["if", "timeout", "onFailure", "async", "type", "command", "plugin"];

fn required<'a>(object: &Object<'a>, key: &str) -> Result<&'a str, (String, Option<String>)> {
    match object.map.get(key) {
        Some(Value::String(value)) => Ok(value),
        Some(other) => Err((format!("{key} must be a string, not {}", kind(other)), None)),
        None => {
            let hint =
                nearest(key, object.map.keys().map(String::as_str)).map(|meant| format!("rename {meant:?} to {key:?}"));
            Err((format!("a handler without {key:?}"), hint))
        }
    }
}

fn is_flat_handler(map: &Map<String, Value>) -> bool {
    ["type", "command", "plugin", "url", "prompt"]
        .iter()
        .any(|key| map.contains_key(*key))
}

/// The corrected form of a handler that stands where a group belongs.
fn wrapped(map: &Map<String, Value>, matcher: Option<&str>) -> String {
    let kept = map.iter().filter(|(key, _)| *key != "matcher");
    let mut handler: Map<String, Value> = kept.map(|(key, value)| (key.clone(), value.clone())).collect();
    if !handler.contains_key("type") {
        handler.insert(
            "type".to_owned(),
            Value::String(type_of(map).unwrap_or("command").to_owned()),
        );
    }
    let group = match matcher {
        Some(matcher) => json!({ "matcher": matcher, "hooks": [handler] }),
        None => json!({ "hooks": [handler] }),
    };
    format!("write {group}")
}

fn type_of(map: &Map<String, Value>) -> Option<&'static str> {
    [
        ("command", "command"),
        ("plugin", "wasm"),
        ("url", "http"),
        ("server", "mcp_tool"),
        ("prompt", "prompt"),
    ]
    .iter()
    .find(|(key, _)| map.contains_key(*key))
    .map(|(_, name)| *name)
}

fn guess_type(map: &Map<String, Value>) -> Option<String> {
    type_of(map).map(|name| format!("add \"type\": {name:?}"))
}
