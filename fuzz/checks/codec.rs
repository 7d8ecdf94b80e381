//! What a handler prints: never a panic, exit 2 always blocks, and JSON is read as serde reads it wherever serde does.

use hookbox_protocol::codec::{self, Exit, Run, json};
use hookbox_protocol::events::{self, EVENTS};
use hookbox_protocol::{Decision, Dialect, DshMode, OnFailure};
use serde_json::Value;

const DIALECTS: [Dialect; 3] = [Dialect::ClaudeCode, Dialect::Codex, Dialect::Dsh(DshMode::ClaudeCode)];

pub(crate) fn check(data: &[u8]) {
    let [event, exit, stdout @ ..] = data else { return };
    let event = EVENTS
        .get(usize::from(*event))
        .map_or("PreTeleport", |event| event.name);
    let exit = Exit::Code(i32::from(*exit) % 4);
    let run = Run {
        label: "cmd",
        exit: exit.clone(),
        stdout,
        stderr: b"why",
    };
    let text = String::from_utf8_lossy(stdout);
    let in_background = text.contains("async");
    for dialect in DIALECTS {
        for on_failure in [OnFailure::Continue, OnFailure::Block] {
            let output = codec::decode(dialect, event, &run, on_failure);
            let blocks = match exit {
                Exit::Code(2) => event == "PreToolUse",
                Exit::Code(0) => false,
                _ => on_failure == OnFailure::Block && events::spec(event).failure_blocks(),
            };
            if blocks && !in_background {
                assert_eq!(output.decision, Some(Decision::Deny), "{dialect:?} {on_failure:?}");
            }
        }
    }
    if let Ok(wanted) = serde_json::from_str::<Value>(&text) {
        let found = json::parse(&text).expect("what serde reads is JSON");
        if depth(&wanted) < 100 {
            assert!(same(&found, &wanted), "{found} is not {wanted}");
        }
    }
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(map) => 1 + map.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

/// Equal but for the last digits of large numbers, which serde rounds.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) if one.is_f64() || other.is_f64() => {
            let (one, other) = (one.as_f64().unwrap_or_default(), other.as_f64().unwrap_or_default());
            (one - other).abs() <= one.abs() * 1e-10
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .all(|(key, one)| other.get(key).is_some_and(|other| same(one, other)))
        }
        (one, other) => one == other,
    }
}
