//! A call of each agent's shell as the agent would send it, to try its entry with: `hookbox check` and tests.

use serde_json::{Value, json};

/// The session of a probe, by which the audit tells it from a real call.
const SESSION: &str = "hookbox-check";

/// When a probe was sent; no handler is told another time.
const TIMESTAMP: &str = "2026-01-01T00:00:00Z";

/// The event of the agent's shell tool about to run `command` in `cwd`; none for an agent that is not known.
pub fn probe(agent: &str, command: &str, cwd: &str) -> Option<Value> {
    super::agent(agent)?;
    let call = |tool: &str| {
        json!({
            "session_id": SESSION, "transcript_path": null, "cwd": cwd, "hook_event_name": "PreToolUse",
            "tool_name": tool, "tool_input": { "command": command }, "tool_use_id": SESSION,
        })
    };
    let with = |mut payload: Value, fields: Value| {
        if let (Some(payload), Value::Object(fields)) = (payload.as_object_mut(), fields) {
            payload.extend(fields);
        }
        payload
    };
    Some(match agent {
        "codex" => with(
            call("Bash"),
            json!({ "turn_id": SESSION, "model": "", "permission_mode": "default" }),
        ),
        "gemini" => with(
            call("run_shell_command"),
            json!({ "hook_event_name": "BeforeTool", "timestamp": TIMESTAMP }),
        ),
        "copilot" => with(call("Bash"), json!({ "timestamp": TIMESTAMP })),
        "cursor" => with(
            call("Shell"),
            json!({
                "hook_event_name": "preToolUse", "conversation_id": SESSION, "generation_id": SESSION, "model": "",
                "cursor_version": "0", "workspace_roots": [cwd],
            }),
        ),
        "qwen" => with(
            call("run_shell_command"),
            json!({ "timestamp": TIMESTAMP, "permission_mode": "default" }),
        ),
        "opencode" => call("bash"),
        "vscode" => json!({
            "timestamp": TIMESTAMP, "cwd": cwd, "sessionId": SESSION, "hookEventName": "PreToolUse", "transcript_path": null,
            "tool_name": "run_in_terminal", "tool_input": { "command": command }, "tool_use_id": SESSION,
        }),
        "droid" => with(call("Execute"), json!({ "permission_mode": "off" })),
        "windsurf" => json!({
            "agent_action_name": "pre_run_command", "trajectory_id": SESSION, "execution_id": SESSION, "timestamp": TIMESTAMP,
            "tool_info": { "command_line": command, "cwd": cwd },
        }),
        "kiro" => call("execute_bash"),
        "goose" => json!({
            "event": "PreToolUse", "session_id": SESSION, "working_dir": cwd, "tool_name": "developer__shell",
            "tool_input": { "command": command }, "tool_call_id": SESSION,
        }),
        "cline" => json!({
            "clineVersion": "0", "hookName": "PreToolUse", "taskId": SESSION, "workspaceRoots": [cwd],
            "preToolUse": { "toolName": "execute_command", "parameters": { "command": command } },
        }),
        "antigravity" => json!({
            "conversationId": SESSION, "stepIdx": 0, "workspacePaths": [cwd],
            "toolCall": { "name": "run_command", "args": { "CommandLine": command, "Cwd": cwd } },
        }),
        _ => with(call("Bash"), json!({ "permission_mode": "default" })),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialects;
    use crate::event::Action;

    #[test]
    fn the_probe_of_every_agent_is_a_command_about_to_run() {
        for agent in dialects::capabilities().map(|row| row.name) {
            let event = dialects::decode(agent, probe(agent, "true", "/srv").unwrap()).unwrap();
            assert_eq!(
                (event.agent.as_str(), event.name.as_str(), event.cwd.as_str()),
                (agent, "PreToolUse", "/srv")
            );
            let actions = event.tool.unwrap().actions;
            assert!(
                matches!(&actions[..], [Action::Run(run)] if run.text == "true"),
                "{agent}: {actions:?}"
            );
        }
        assert_eq!(probe("no-such-agent", "true", "/"), None);
    }
}
