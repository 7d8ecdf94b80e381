//! The configuration as a JSON Schema, for editors: from the same tables by which a file is read.
//!
//! It is stricter than the reader: what the reader takes with a warning (a misspelt key, a flat handler), an editor underlines.

use serde_json::{Map, Value, json};

use super::handlers::{COMMON_KEYS, GROUP_KEYS, HANDLER_TYPES, NOTES};
use super::parse::{AGENTS_KEYS, OWN_KEYS};
use super::plugins::{GRANT_KEYS, LIMIT_KEYS, NOTES as PLUGIN_NOTES, PLUGIN_KEYS, SIGNER_KEYS};
use crate::events::{EVENTS, EventSpec, Matched};

/// A JSON Schema (draft 2020-12) of `hooks.json`.
///
/// Names of events that are not known are let through, as the reader does: a newer agent may send them.
#[must_use]
pub fn configuration_schema() -> Value {
    let events: Map<String, Value> = EVENTS
        .iter()
        .map(|event| (event.name.to_owned(), of_event(event)))
        .collect();
    let handlers: Vec<Value> = HANDLER_TYPES.iter().map(|(name, keys)| handler(name, keys)).collect();
    let mut document = object(OWN_KEYS, &[], &[], top);
    let mut whole = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The configuration of hookbox: hooks.json",
    });
    let any: Map<String, Value> = AGENTS_KEYS.iter().map(|key| ((*key).to_owned(), json!(true))).collect();
    if let (Value::Object(whole), Value::Object(document)) = (&mut whole, &mut document) {
        if let Some(Value::Object(properties)) = document.get_mut("properties") {
            properties.extend(any);
        }
        whole.append(document);
        whole.insert(
            "$defs".to_owned(),
            json!({
                "events": { "type": "object", "properties": events, "additionalProperties": groups() },
                "group": object(GROUP_KEYS, &["hooks"], NOTES, group),
                "handler": { "type": "object", "required": ["type"], "oneOf": handlers },
                "plugin": object(PLUGIN_KEYS, &[], PLUGIN_NOTES, plugin),
                "grants": object(GRANT_KEYS, &[], &[], grant),
                "limits": object(LIMIT_KEYS, &[], PLUGIN_NOTES, limit),
                "signer": signer(),
            }),
        );
    }
    whole
}

/// An object with the keys of a table, each as `shape` has it; notes may stand beside them, and keys that begin with `_` or `$`.
fn object(keys: &[&str], required: &[&str], notes: &[&str], shape: fn(&str) -> Value) -> Value {
    let mut properties: Map<String, Value> = keys.iter().map(|key| ((*key).to_owned(), shape(key))).collect();
    properties.extend(notes.iter().map(|note| ((*note).to_owned(), json!(true))));
    json!({
        "type": "object",
        "required": required,
        "properties": properties,
        "patternProperties": { "^[_$]": true },
        "additionalProperties": false,
    })
}

fn groups() -> Value {
    json!({ "type": "array", "items": { "$ref": "#/$defs/group" } })
}

fn of_event(event: &EventSpec) -> Value {
    let about = match event.matched {
        Matched::Nothing => "takes no matcher".to_owned(),
        Matched::Tool => "a matcher is tested against tool_name".to_owned(),
        Matched::Field(field) => format!("a matcher is tested against {field}"),
        Matched::BaseName(field) => format!("a matcher is tested against the last part of {field}"),
    };
    let about = match event.values {
        [] => about,
        values => format!("{about}: {}", values.join(", ")),
    };
    json!({ "type": "array", "items": { "$ref": "#/$defs/group" }, "description": about })
}

fn handler(name: &str, keys: &[&str]) -> Value {
    let required: &[&str] = match name {
        "wasm" => &["type", "plugin"],
        "command" => &["type", "command"],
        "http" => &["type", "url"],
        "mcp_tool" => &["type", "server", "tool"],
        _ => &["type", "prompt"],
    };
    let mut handler = object(&[COMMON_KEYS, keys].concat(), required, NOTES, handler_key);
    handler["properties"]["type"] = json!({ "const": name });
    handler
}

fn top(key: &str) -> Value {
    match key {
        "hooks" => json!({ "$ref": "#/$defs/events", "description": "event name → list of groups" }),
        "plugins" => {
            json!({ "type": "object", "additionalProperties": { "$ref": "#/$defs/plugin" }, "description": "plugin name → where it comes from and what it may do" })
        }
        "signers" => json!({ "type": "object", "additionalProperties": { "$ref": "#/$defs/signer" } }),
        "onFailure" => on_failure("the default of this layer's handlers, and the least of every lower layer's"),
        "askFallback" => {
            json!({ "enum": ["deny", "none"], "description": "what an ask is where the agent cannot ask its user" })
        }
        "allowManagedHooksOnly" => flag("managed layer only: nothing of the other layers runs"),
        "disableAllHooks" => flag("only the managed layer turns managed handlers off"),
        "forbidCommandHandlers" => flag("managed layer only: command handlers of the other layers do not run"),
        "requireSigners" => flag("plugins of this layer and those below need a signer that is known"),
        _ => Value::Null,
    }
}

fn group(key: &str) -> Value {
    match key {
        "matcher" => text(
            "exact names with | or , between them, else a JavaScript regular expression; none, \"\" and \"*\" match everything",
        ),
        "hooks" => json!({ "type": "array", "items": { "$ref": "#/$defs/handler" } }),
        _ => Value::Null,
    }
}

fn handler_key(key: &str) -> Value {
    match key {
        "type" => json!({ "type": "string" }),
        "if" => text("a rule that narrows which calls the handler is for: Tool or Tool(content)"),
        "timeout" => seconds(),
        "statusMessage" => text("for the agent"),
        "once" => flag("read by agents in skills alone"),
        "plugin" => {
            json!({ "type": "string", "minLength": 1, "description": "a key of plugins, or a plugin of the pack" })
        }
        "settings" => json!(true),
        "settingsFile" => text("the file that holds the settings instead, JSON or TOML; relative to this one"),
        "onFailure" => {
            on_failure("what a failure of the handler means: wasm blocks, command continues unless said otherwise")
        }
        "command" => json!({ "type": "string", "pattern": "\\S", "description": "a shell line; with args a program" }),
        "args" | "allowedEnvVars" => texts(),
        "shell" => json!({ "enum": ["bash", "powershell"] }),
        "async" | "asyncRewake" => flag("started and not waited for: it cannot block"),
        "headers" => json!({ "type": "object", "additionalProperties": { "type": "string" } }),
        "input" => json!({ "type": "object" }),
        "continueOnBlock" => json!({ "type": "boolean" }),
        "url" | "server" | "tool" | "prompt" | "model" => json!({ "type": "string" }),
        _ => Value::Null,
    }
}

fn plugin(key: &str) -> Value {
    match key {
        "source" => text(
            "builtin:NAME, oci://registry/repository:tag, or a path relative to the file; without it the plugin of the pack with this name",
        ),
        "digest" => json!({ "type": "string", "pattern": "^sha256:[0-9A-Fa-f]{64}$" }),
        "signer" => json!({ "type": "string", "minLength": 1, "description": "a key of signers" }),
        "grants" => json!({ "$ref": "#/$defs/grants" }),
        "limits" => json!({ "$ref": "#/$defs/limits" }),
        _ => Value::Null,
    }
}

fn grant(key: &str) -> Value {
    match key {
        "read" | "stat" => json!({
            "type": "array",
            "items": { "type": "string", "pattern": "^(\\$\\{project\\}|\\$\\{home\\}|[A-Za-z]:[/\\\\]|/)" },
        }),
        "env" | "http" => texts(),
        "state" => flag("a key-value store of its own that outlives the event"),
        "clock" | "random" => json!({ "type": "boolean" }),
        _ => Value::Null,
    }
}

fn limit(key: &str) -> Value {
    match key {
        "timeout" | "prepareTime" => seconds(),
        "fuel" | "tableElements" => json!({ "type": "integer", "minimum": 1 }),
        "memory" | "stack" | "answer" => json!({
            "oneOf": [
                { "type": "integer", "minimum": 1 },
                { "type": "string", "pattern": "^\\s*[0-9]+\\s*([KMG]i?B|B)?\\s*$" },
            ],
            "description": "bytes, or a size as in \"32MiB\"",
        }),
        _ => Value::Null,
    }
}

fn signer() -> Value {
    let keys: Map<String, Value> = SIGNER_KEYS
        .iter()
        .map(|key| ((*key).to_owned(), json!({ "type": "string", "pattern": "\\S" })))
        .collect();
    let one: Vec<Value> = SIGNER_KEYS.iter().map(|key| json!({ "required": [key] })).collect();
    json!({ "type": "object", "properties": keys, "oneOf": one })
}

fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

fn texts() -> Value {
    json!({ "type": "array", "items": { "type": "string" } })
}

fn flag(about: &str) -> Value {
    json!({ "type": "boolean", "description": about })
}

fn seconds() -> Value {
    json!({ "type": "number", "exclusiveMinimum": 0, "description": "seconds" })
}

fn on_failure(about: &str) -> Value {
    json!({ "enum": ["block", "continue"], "description": about })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_the_tables_has_a_shape() {
        let mut shapes: Vec<(&str, Value)> = OWN_KEYS.iter().map(|key| (*key, top(key))).collect();
        shapes.extend(GROUP_KEYS.iter().map(|key| (*key, group(key))));
        shapes.extend(COMMON_KEYS.iter().map(|key| (*key, handler_key(key))));
        for (_, keys) in HANDLER_TYPES {
            shapes.extend(keys.iter().map(|key| (*key, handler_key(key))));
        }
        shapes.extend(PLUGIN_KEYS.iter().map(|key| (*key, plugin(key))));
        shapes.extend(GRANT_KEYS.iter().map(|key| (*key, grant(key))));
        shapes.extend(LIMIT_KEYS.iter().map(|key| (*key, limit(key))));
        let without: Vec<&str> = shapes
            .iter()
            .filter(|(_, shape)| shape.is_null())
            .map(|(key, _)| *key)
            .collect();
        assert!(without.is_empty(), "no shape: {without:?}");
    }
}
