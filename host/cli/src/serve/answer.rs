//! A response as the body of an HTTP answer.

use hookbox::protocol::dialects::{self, Response};
use serde_json::json;

/// Claude Code reads the body of an HTTP hook as the JSON of a command hook. A body has no exit code, so a block is always said
/// in it. Any other agent has no HTTP hooks: its client gets what a command hook would print, and prints it.
pub(super) fn body(agent: &str, event: &str, response: &Response) -> String {
    let speaks_http = agent == "claude-code" || dialects::agent(agent).is_none();
    if !speaks_http {
        let Response {
            stdout, stderr, exit, ..
        } = response;
        return json!({ "exit": exit, "stdout": stdout, "stderr": stderr }).to_string();
    }
    let stdout = response.stdout.trim();
    let is_json = stdout.starts_with('{');
    if response.exit != 0 {
        return if is_json {
            stdout.to_owned()
        } else {
            json!({ "decision": "block", "reason": response.stderr }).to_string()
        };
    }
    match event {
        _ if stdout.is_empty() || is_json => stdout.to_owned(),
        "WorktreeCreate" => {
            json!({ "hookSpecificOutput": { "hookEventName": event, "worktreePath": stdout } }).to_string()
        }
        // Plain text is no answer of an HTTP hook.
        _ => json!({ "systemMessage": stdout }).to_string(),
    }
}

/// The whole answer.
pub(super) fn http(body: &str, closes: bool) -> Vec<u8> {
    let connection = if closes { "connection: close\r\n" } else { "" };
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{connection}\r\n{body}")
        .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookbox::protocol::{Decision, Outcome, events};
    use serde_json::Value;

    fn response(exit: i32, stdout: &str) -> Response {
        Response {
            exit,
            stdout: stdout.into(),
            stderr: "why".into(),
            ..Response::default()
        }
    }

    #[test]
    fn a_block_is_json_on_every_event() {
        let deny = Outcome {
            decision: Some(Decision::Deny),
            reason: Some("why".into()),
            ..Outcome::default()
        };
        let names = events::EVENTS.iter().map(|spec| spec.name);
        for event in names.chain(["", "SomethingNew"]) {
            let body = body("claude-code", event, &dialects::encode("claude-code", event, &deny));
            let json: Value = serde_json::from_str(&body).unwrap();
            let specific = &json["hookSpecificOutput"];
            let says = json["decision"] == "block"
                || specific["permissionDecision"] == "deny"
                || specific["decision"]["behavior"] == "deny";
            assert!(says, "{event}: {body}");
        }
    }

    #[test]
    fn plain_text_is_put_into_json() {
        assert_eq!(body("claude-code", "PreToolUse", &response(0, "\n")), "");
        let path = body("claude-code", "WorktreeCreate", &response(0, "/a\n"));
        assert!(path.contains(r#""worktreePath":"/a""#), "{path}");
        assert!(body("claude-code", "PreCompact", &response(0, "text")).starts_with('{'));
        assert!(body("claude-code", "PreToolUse", &response(2, "text")).contains("block"));
        assert!(body("nobody", "", &response(2, "")).contains("block"));
        assert!(body("codex", "", &response(2, "")).contains(r#""exit":2"#));
    }
}
