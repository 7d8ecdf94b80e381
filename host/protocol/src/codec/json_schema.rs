//! The schema of an answer as a JSON Schema, from the table of events.

use serde_json::{Map, Value, json};

use crate::events::{EVENTS, Field, Kind};

/// A JSON Schema (draft 2020-12) of what a handler may print: the answers of every event.
#[must_use]
pub fn answer_schema() -> Value {
    let blocks: Vec<Value> = EVENTS
        .iter()
        .filter_map(|event| event.specific.map(|fields| block(event.name, fields)))
        .collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The answer of a hook handler",
        "type": "object",
        "properties": {
            "continue": { "type": "boolean", "description": "false ends the agent's turn" },
            "stopReason": { "type": "string", "description": "shown to the user where continue is false" },
            "suppressOutput": { "type": "boolean" },
            "decision": { "enum": ["approve", "block"] },
            "reason": { "type": "string" },
            "systemMessage": { "type": "string", "description": "shown to the user" },
            "terminalSequence": { "type": "string" },
            "hookSpecificOutput": { "oneOf": blocks },
        },
    })
}

fn block(event: &str, fields: &[Field]) -> Value {
    let mut properties = Map::new();
    properties.insert("hookEventName".to_owned(), json!({ "const": event }));
    properties.extend(fields.iter().map(|field| (field.name.to_owned(), kind(field.kind))));
    json!({ "type": "object", "required": ["hookEventName"], "properties": properties })
}

fn kind(kind: Kind) -> Value {
    match kind {
        Kind::Text => json!({ "type": "string" }),
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Object => json!({ "type": "object" }),
        Kind::TextList => json!({ "type": "array", "items": { "type": "string" } }),
        Kind::List => json!({ "type": "array" }),
        Kind::Any => json!({ "not": { "type": "null" } }),
        Kind::OneOf(allowed) => json!({ "enum": allowed }),
        Kind::RequestDecision => json!({ "oneOf": [
            {
                "type": "object",
                "required": ["behavior"],
                "properties": {
                    "behavior": { "const": "allow" },
                    "updatedInput": { "type": "object" },
                    "updatedPermissions": { "type": "array" },
                },
            },
            {
                "type": "object",
                "required": ["behavior"],
                "properties": {
                    "behavior": { "const": "deny" },
                    "message": { "type": "string" },
                    "interrupt": { "type": "boolean" },
                },
            },
        ] }),
    }
}
