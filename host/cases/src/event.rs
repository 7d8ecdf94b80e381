//! The event of a case, as hookbox decodes it.

use crate::{HOME, PROJECT};
use hookbox_protocol::Event;
use hookbox_protocol::dialects::{self, DecodeError, Surroundings};
use serde_json::{Map, Value, json};

/// The event of a payload in Claude Code's spelling.
///
/// # Errors
/// The payload cannot be judged: `hookbox run` would block it.
pub fn event(payload: &Value) -> Result<Event, DecodeError> {
    let around = Surroundings {
        project: Some(PROJECT),
        home: Some(HOME),
        ..Surroundings::default()
    };
    dialects::decode_in("claude-code", payload.clone(), &around)
}

/// The payload of `command`: a `PreToolUse` of Bash.
pub(crate) fn of_command(command: &str) -> Value {
    json!({ "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": command } })
}

/// The payload of an event that is given by its name alone, with the fields that it is judged by: a tool event is Bash's.
pub(crate) fn of_name(name: &str) -> Value {
    if name.contains("ToolUse") {
        json!({ "hook_event_name": name, "tool_name": "Bash", "tool_input": { "command": "true" } })
    } else if name.starts_with("UserPrompt") {
        json!({ "hook_event_name": name, "prompt": "please do the next step" })
    } else {
        json!({ "hook_event_name": name })
    }
}

/// The payload with the fields that every event has and a case need not say; `cwd` wins over the payload's own.
pub fn complete(payload: &Value, cwd: Option<&str>) -> Value {
    let Value::Object(payload) = payload else {
        return payload.clone();
    };
    let mut whole = Map::new();
    whole.insert("session_id".into(), json!("s-1"));
    whole.insert("cwd".into(), json!(PROJECT));
    whole.insert("hook_event_name".into(), json!("PreToolUse"));
    whole.extend(payload.clone());
    if let Some(cwd) = cwd {
        whole.insert("cwd".into(), json!(cwd));
    }
    Value::Object(whole)
}
