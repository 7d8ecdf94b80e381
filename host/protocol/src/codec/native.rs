//! Answers in an agent's own spelling, restated in the canonical one.
//!
//! hookbox hands every handler the canonical event, but a handler that was written for Gemini CLI, Cursor or Copilot answers as it
//! always did. Its deny must not be taken for an answer that nobody understands.

use serde_json::{Map, Value, json};

use super::DEFAULT_REQUEST_REASON;
use crate::dialect::Dialect;
use crate::events::{self, EVENTS};

/// Where agents put a reason beside a decision at the top level.
const REASONS: [&str; 7] = [
    "permissionDecisionReason",
    "reason",
    "agent_message",
    "agentMessage",
    "user_message",
    "userMessage",
    "message",
];
/// Where agents put a changed input at the top level.
const INPUTS: [&str; 3] = ["updated_input", "updatedInput", "modifiedArgs"];
/// Where agents put context at the top level.
const CONTEXTS: [&str; 2] = ["additional_context", "additionalContext"];

/// The object in the canonical spelling. What is canonical already stays as it is.
pub(super) fn restated(dialect: Dialect, event: &str, mut object: Map<String, Value>) -> Map<String, Value> {
    match dialect {
        Dialect::ClaudeCode | Dialect::Dsh(_) => object,
        // Codex has no spelling of its own; a word of another agent that restricts is understood all the same.
        Dialect::Codex => {
            if let Some(word @ ("deny" | "ask")) = object.get("decision").and_then(Value::as_str) {
                let word = word.to_owned();
                decided(&mut object, event, "decision", &word);
            }
            object
        }
        Dialect::Other => {
            named(&mut object, event);
            for key in ["decision", "permission", "permissionDecision"] {
                let word = object.get(key).and_then(Value::as_str).map(str::to_owned);
                if let Some(word @ ("deny" | "ask" | "allow")) = word.as_deref() {
                    decided(&mut object, event, key, word);
                }
            }
            moved(&mut object, event, &INPUTS, "updatedInput", Value::is_object);
            moved(&mut object, event, &CONTEXTS, "additionalContext", Value::is_string);
            if let Some(Value::String(message)) = object.remove("followup_message") {
                object.insert("decision".to_owned(), json!("block"));
                object.insert("reason".to_owned(), Value::String(message));
            }
            object
        }
    }
}

/// A decision in a word that the top level does not have: a block, an approval, or the question of a call.
fn decided(object: &mut Map<String, Value>, event: &str, key: &str, word: &str) {
    object.remove(key);
    let reason = REASONS
        .iter()
        .find_map(|key| object.get(*key).and_then(Value::as_str))
        .map(str::to_owned);
    if let Some(reason) = reason {
        object.insert("reason".to_owned(), Value::String(reason));
    }
    let asks = events::spec(event)
        .specific
        .is_some_and(|fields| fields.iter().any(|field| field.name == "permissionDecision"));
    match word {
        "allow" | "deny" if event == "PermissionRequest" => {
            let message = object
                .get("reason")
                .cloned()
                .unwrap_or_else(|| json!(DEFAULT_REQUEST_REASON));
            let answer = if word == "allow" {
                json!({ "behavior": "allow" })
            } else {
                json!({ "behavior": "deny", "message": message })
            };
            put(object, event, "decision", answer);
        }
        "ask" if event == "PermissionRequest" => {}
        "allow" => {
            object.entry("decision").or_insert(json!("approve"));
        }
        "ask" if asks => {
            put(object, event, "permissionDecision", json!("ask"));
        }
        // Whoever asks where nobody can be asked has not agreed.
        _ => {
            object.insert("decision".to_owned(), json!("block"));
        }
    }
}

/// A field of the top level that belongs into `hookSpecificOutput`, where the event has it there.
fn moved(object: &mut Map<String, Value>, event: &str, from: &[&str], to: &str, fits: fn(&Value) -> bool) {
    let known = events::spec(event)
        .specific
        .is_some_and(|fields| fields.iter().any(|field| field.name == to));
    for key in from {
        if known
            && object.get(*key).is_some_and(fits)
            && let Some(value) = object.remove(*key)
        {
            put(object, event, to, value);
        }
    }
}

/// The block of output names its event in the agent's own words: it is the one that was asked about. Gemini's rewrite is in it.
fn named(object: &mut Map<String, Value>, event: &str) {
    let Some(Value::Object(specific)) = object.get_mut("hookSpecificOutput") else {
        return;
    };
    let known = specific
        .get("hookEventName")
        .and_then(Value::as_str)
        .is_some_and(|name| EVENTS.iter().any(|known| known.name == name));
    if !known {
        specific.insert("hookEventName".to_owned(), json!(event));
    }
    if let Some(input) = specific.remove("tool_input") {
        specific.entry("updatedInput").or_insert(input);
    }
}

/// Sets a field of `hookSpecificOutput`, which is made where it is missing.
fn put(object: &mut Map<String, Value>, event: &str, key: &str, value: Value) {
    let slot = object
        .entry("hookSpecificOutput")
        .or_insert_with(|| json!({ "hookEventName": event }));
    // One that is no object is left for the schema to refuse.
    if let Value::Object(specific) = slot {
        specific.insert(key.to_owned(), value);
    }
}
