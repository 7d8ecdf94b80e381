//! An `if` rule and a command, a line break between them: never a panic, and the rule for the whole tool fires.

use hookbox_protocol::{Condition, dialects};
use serde_json::json;

pub(crate) fn check(text: &str) {
    let (rule, subject) = text.split_once('\n').unwrap_or((text, "git push"));
    let (condition, _) = Condition::parse(rule);
    for (tool, input) in [
        ("Bash", json!({ "command": subject })),
        ("Write", json!({ "file_path": subject, "content": "" })),
        ("mcp__s__t", json!({ "path": subject })),
    ] {
        let payload = json!({
            "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/srv/demo", "tool_name": tool, "tool_input": input,
        });
        let Ok(event) = dialects::decode("claude-code", payload) else {
            continue;
        };
        let _ = condition.fires(&event);
        assert!(Condition::parse(tool).0.fires(&event));
        assert!(Condition::parse(&format!("{tool}(*)")).0.fires(&event));
    }
}
