//! The schema of an answer: no coercion, no null, unknown keys named and dropped.

use serde_json::{Map, Value};

use super::stdout::OUTPUT_FIELDS;
use crate::events::{self, EVENTS, EventSpec, Field, Kind};

/// An answer that the schema accepts.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// `continue: false`.
    pub(super) stop: bool,
    pub(super) stop_reason: Option<String>,
    pub(super) suppress_output: bool,
    /// `decision`: true for `block`, false for `approve`.
    pub(super) block: Option<bool>,
    pub(super) reason: Option<String>,
    pub(super) system_message: Option<String>,
    pub(super) terminal_sequence: Option<String>,
    pub(super) specific: Option<Specific>,
    /// What was dropped.
    pub(super) notes: Vec<String>,
}

/// `hookSpecificOutput`, with the event that it says it is for.
#[derive(Debug)]
pub(super) struct Specific {
    pub(super) event: String,
    /// The fields that this event knows, all of the right type.
    pub(super) fields: Map<String, Value>,
}

/// Checks an object against the schema, for a handler of `event`.
///
/// # Errors
/// What is wrong, with the path of the field: the whole answer is void.
pub(super) fn validate(event: &str, object: Map<String, Value>) -> Result<Answer, String> {
    let mut answer = Answer::default();
    for (key, value) in object {
        match key.as_str() {
            "continue" => answer.stop = !boolean(&key, &value)?,
            "suppressOutput" => answer.suppress_output = boolean(&key, &value)?,
            "stopReason" => answer.stop_reason = Some(text(&key, value)?),
            "reason" => answer.reason = Some(text(&key, value)?),
            "systemMessage" => answer.system_message = Some(text(&key, value)?),
            "terminalSequence" => answer.terminal_sequence = Some(text(&key, value)?),
            "decision" => {
                answer.block = match value.as_str() {
                    Some("block") => Some(true),
                    Some("approve") => Some(false),
                    _ => return Err(wrong(&key, "\"approve\" or \"block\"", &value)),
                }
            }
            "hookSpecificOutput" => match value {
                Value::Object(object) => {
                    let specific = specific(event, object, &mut answer.notes)?;
                    answer.specific = Some(specific);
                }
                other => return Err(wrong(&key, "an object", &other)),
            },
            _ => answer.notes.push(unknown_top_level(&key)),
        }
    }
    Ok(answer)
}

fn specific(event: &str, object: Map<String, Value>, notes: &mut Vec<String>) -> Result<Specific, String> {
    let named = match object.get("hookEventName") {
        Some(Value::String(name)) => name.clone(),
        Some(other) => return Err(wrong("hookSpecificOutput.hookEventName", "an event's name", other)),
        None => return Err("hookSpecificOutput.hookEventName: missing".to_owned()),
    };
    let fields = fields_of(event, &named)
        .ok_or_else(|| format!("hookSpecificOutput.hookEventName: no event with such output is called {named:?}"))?;
    let mut kept = Map::new();
    for (key, value) in object {
        if key == "hookEventName" {
            continue;
        }
        let Some(field) = fields.iter().find(|field| field.name == key) else {
            notes.push(format!("hookSpecificOutput.{key}: {named} has no such field; dropped"));
            continue;
        };
        check(&format!("hookSpecificOutput.{key}"), field.kind, &value)?;
        kept.insert(key, value);
    }
    Ok(Specific {
        event: named,
        fields: kept,
    })
}

/// The fields of an event's own block. An unknown name is accepted for the event that is being answered alone.
fn fields_of(event: &str, named: &str) -> Option<&'static [Field]> {
    if let Some(known) = EVENTS.iter().find(|candidate| candidate.name == named) {
        return known.specific;
    }
    let answered: EventSpec = events::spec(event);
    (named == event && !answered.known())
        .then_some(answered.specific)
        .flatten()
}

fn check(path: &str, kind: Kind, value: &Value) -> Result<(), String> {
    let fits = match kind {
        Kind::Text => value.is_string(),
        Kind::Bool => value.is_boolean(),
        Kind::Object => value.is_object(),
        Kind::List => value.is_array(),
        Kind::TextList => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
        Kind::Any => !value.is_null(),
        Kind::OneOf(allowed) => value.as_str().is_some_and(|text| allowed.contains(&text)),
        Kind::RequestDecision => return request_decision(path, value),
    };
    if fits {
        Ok(())
    } else {
        Err(wrong(path, &expected(kind), value))
    }
}

fn request_decision(path: &str, value: &Value) -> Result<(), String> {
    let fields: &[Field] = match value.get("behavior").and_then(Value::as_str) {
        Some("allow") => &[
            Field {
                name: "updatedInput",
                kind: Kind::Object,
            },
            Field {
                name: "updatedPermissions",
                kind: Kind::List,
            },
        ],
        Some("deny") => &[
            Field {
                name: "message",
                kind: Kind::Text,
            },
            Field {
                name: "interrupt",
                kind: Kind::Bool,
            },
        ],
        _ => return Err(wrong(path, "an object with behavior \"allow\" or \"deny\"", value)),
    };
    for field in fields {
        if let Some(inner) = value.get(field.name) {
            check(&format!("{path}.{}", field.name), field.kind, inner)?;
        }
    }
    Ok(())
}

fn expected(kind: Kind) -> String {
    match kind {
        Kind::Text => "a string".to_owned(),
        Kind::Bool => "true or false".to_owned(),
        Kind::Object | Kind::RequestDecision => "an object".to_owned(),
        Kind::List => "an array".to_owned(),
        Kind::TextList => "an array of strings".to_owned(),
        Kind::Any => "a value".to_owned(),
        Kind::OneOf(allowed) => format!("one of {}", allowed.join(", ")),
    }
}

fn boolean(path: &str, value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| wrong(path, "true or false", value))
}

fn text(path: &str, value: Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text),
        other => Err(wrong(path, "a string", &other)),
    }
}

fn wrong(path: &str, expected: &str, found: &Value) -> String {
    let found = match found {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(value) => value.to_string(),
        Value::String(text) if text.len() <= 60 => format!("{text:?}"),
        Value::String(_) => "a string".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    };
    format!("{path}: expected {expected}, found {found}")
}

fn unknown_top_level(key: &str) -> String {
    let inside = EVENTS
        .iter()
        .filter_map(|event| event.specific)
        .flatten()
        .any(|field| field.name == key);
    let near = OUTPUT_FIELDS.iter().find(|known| known.eq_ignore_ascii_case(key));
    match (inside, near) {
        (true, _) => format!("{key}: unknown at the top level, dropped; hint: it belongs in hookSpecificOutput"),
        (false, Some(near)) => format!("{key}: unknown, dropped; hint: did you mean {near}"),
        (false, None) => format!("{key}: unknown, dropped"),
    }
}
