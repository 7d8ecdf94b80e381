//! The bridge's audit: for every hook that ran a pair of records, `hook/invoked` and `hook/result`, under one `handlerId`.

use serde_json::{Map, Value};

use super::HookOutput;
use crate::dialect::DshMode;

/// The name of an event's intercept point; none for the events that the bridge has no point for.
#[must_use]
pub fn point(event: &str) -> Option<&'static str> {
    match event {
        "UserPromptSubmit" => Some("pre_step"),
        "PreToolUse" => Some("pre_tool"),
        "PostToolUse" => Some("post_tool"),
        "Stop" => Some("stop"),
        _ => None,
    }
}

/// The records of one event, in the order in which the bridge runs its hooks: one after the other, each pair together.
/// `ran` is each hook's place in the configuration with what it answered, `turn` whatever the harness counts its turns by.
///
/// They belong to the log alone: none of them carries anything that the model would see.
#[must_use]
pub fn audit(event: &str, mode: DshMode, turn: Option<&Value>, ran: &[(usize, HookOutput)]) -> Vec<Value> {
    ran.iter()
        .flat_map(|(place, output)| {
            let record = |kind: &str| {
                let mut record = Map::new();
                record.insert("type".to_owned(), Value::from(kind));
                record.insert("handlerId".to_owned(), Value::from(format!("{event}-{place}")));
                record.insert("event".to_owned(), Value::from(event));
                if let Some(point) = point(event) {
                    record.insert("point".to_owned(), Value::from(point));
                }
                record.insert("dialect".to_owned(), Value::from(mode.name()));
                if let Some(turn) = turn {
                    record.insert("turn".to_owned(), turn.clone());
                }
                record
            };
            let mut result = record("hook/result");
            if let Some(code) = output.exit_code {
                result.insert("exitCode".to_owned(), Value::from(code));
            }
            if let Some(decision) = &output.decision {
                result.insert("decision".to_owned(), Value::from(decision.as_str()));
            }
            [Value::Object(record("hook/invoked")), Value::Object(result)]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dsh::parse_hook_output;
    use serde_json::json;

    #[test]
    fn every_hook_leaves_a_pair_under_one_id() {
        let ran = [
            (0, parse_hook_output(Some(2), "", "no", None)),
            (3, parse_hook_output(None, "", "", None)),
        ];
        let turn = json!(7);
        let records = audit("PreToolUse", DshMode::ClaudeCode, Some(&turn), &ran);
        let pair = |id: &str, kind: &str| json!({ "type": kind, "handlerId": id, "event": "PreToolUse", "point": "pre_tool", "dialect": "claude-code", "turn": 7 });
        let mut blocked = pair("PreToolUse-0", "hook/result");
        blocked["exitCode"] = json!(2);
        blocked["decision"] = json!("block");
        assert_eq!(
            records,
            [
                pair("PreToolUse-0", "hook/invoked"),
                blocked,
                pair("PreToolUse-3", "hook/invoked"),
                pair("PreToolUse-3", "hook/result"),
            ]
        );
    }

    #[test]
    fn an_event_without_a_point_and_a_request_without_a_turn_leave_them_out() {
        let ran = [(0, parse_hook_output(Some(0), "", "", None))];
        let records = audit("SessionStart", DshMode::Codex, None, &ran);
        assert_eq!(
            records[0],
            json!({ "type": "hook/invoked", "handlerId": "SessionStart-0", "event": "SessionStart", "dialect": "codex" })
        );
    }
}
