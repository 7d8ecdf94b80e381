//! The shapes that real clients send (Claude Code 2.1.332, Codex 0.171.0, Gemini CLI 0.61.0, Copilot CLI 1.0.102, Qwen Code 0.24.4, OpenCode
//! 1.18.33 through the plugin), with neutral values: `payloads/AGENT.jsonl`, one event a line. This says what each one means.

#![allow(clippy::unwrap_used, clippy::panic)] // A failed unwrap is a failed test.

use hookbox_protocol::{Action, dialects};
use serde_json::Value;

/// One line for each recorded event: name, tool, actions, prompt.
fn meaning(agent: &str, recorded: &str) -> Vec<String> {
    recorded
        .lines()
        .map(|line| {
            let payload: Value = serde_json::from_str(line).unwrap();
            let event = dialects::decode(agent, payload).unwrap_or_else(|error| panic!("{line}: {error}"));
            assert_eq!((event.agent.as_str(), event.session.as_str()), (agent, "s-1"), "{line}");
            assert_eq!(
                (event.cwd.as_str(), event.project.as_str()),
                ("/srv/demo", "/srv/demo"),
                "{line}"
            );
            let mut words = vec![event.name];
            if let Some(call) = event.tool {
                words.push(call.name);
                words.extend(call.actions.iter().map(told));
            }
            words.extend(event.prompt.map(|prompt| format!("{prompt:?}")));
            words.join(" | ")
        })
        .collect()
}

fn told(action: &Action) -> String {
    match action {
        Action::Run(command) => format!("{}: {}", command.shell, command.text),
        Action::Read(path) => format!("read {path}"),
        Action::Write(write) => format!(
            "write {} {:?}",
            write.path,
            write.content.as_deref().unwrap_or_default().trim_end()
        ),
        Action::Call(call) => format!("call {}/{}", call.server, call.tool),
        other => format!("{other:?}"),
    }
}

const RUN: &str = "bash: cargo test --quiet";
const EDIT: &str = "write /srv/demo/notes.txt \"final\"";
const SAY: &str = "mcp__demo__say_it | call demo/say_it";
const PROMPT: &str = "UserPromptSubmit | \"tidy up the notes\"";

#[test]
fn claude_code() {
    assert_eq!(
        meaning("claude-code", include_str!("payloads/claude-code.jsonl")),
        [
            &format!("PreToolUse | Bash | {RUN}"),
            &format!("PreToolUse | Edit | {EDIT}"),
            &format!("PreToolUse | {SAY}"),
            &format!("PreToolUse | Bash | {RUN}"),
            &format!("PermissionRequest | Bash | {RUN}"),
            &format!("PostToolUse | Bash | {RUN}"),
            &format!("PostToolUseFailure | Bash | {RUN}"),
            "PostToolBatch",
            PROMPT,
            "SessionStart",
            "Stop",
            "SubagentStop",
            "PreCompact",
            "SessionEnd",
        ]
    );
}

#[test]
fn codex() {
    assert_eq!(
        meaning("codex", include_str!("payloads/codex.jsonl")),
        [
            &format!("PreToolUse | Bash | {RUN}"),
            &format!("PreToolUse | apply_patch | {EDIT}"),
            &format!("PreToolUse | {SAY}"),
            "PreToolUse | Agent",
            &format!("PostToolUse | Bash | {RUN}"),
            PROMPT,
            "SessionStart",
            "Stop",
            "SubagentStart",
            "PreCompact",
            "SessionEnd",
        ]
    );
}

#[test]
fn gemini() {
    assert_eq!(
        meaning("gemini", include_str!("payloads/gemini.jsonl")),
        [
            &format!("PreToolUse | Bash | {RUN}"),
            &format!("PreToolUse | Edit | {EDIT}"),
            &format!("PreToolUse | {SAY}"),
            "PreToolUse | Agent",
            &format!("PostToolUse | Bash | {RUN}"),
            PROMPT,
            "Stop",
            "PreCompact",
            "SessionStart",
            "SessionEnd",
        ]
    );
}

#[test]
fn copilot() {
    assert_eq!(
        meaning("copilot", include_str!("payloads/copilot.jsonl")),
        [
            &format!("PreToolUse | Bash | {RUN}"),
            "PreToolUse | Write | write /srv/demo/notes.txt \"first line\"",
            &format!("PreToolUse | {SAY}"),
            &format!("PreToolUse | Edit | {EDIT}"),
            &format!("PermissionRequest | Bash | {RUN}"),
            &format!("PermissionRequest | Edit | {EDIT}"),
            &format!("PermissionRequest | {SAY}"),
            &format!("PostToolUse | Bash | {RUN}"),
            "PostToolUse | Write | write /srv/demo/notes.txt \"first line\"",
            PROMPT,
            "UserPromptTransformed | \"tidy up the notes\"",
            PROMPT,
            "Stop",
            "Stop",
            "SessionStart",
            "SubagentStart",
            "SubagentStop",
            "Notification",
            "SessionEnd",
        ]
    );
}

#[test]
fn qwen() {
    assert_eq!(
        meaning("qwen", include_str!("payloads/qwen.jsonl")),
        [
            &format!("PreToolUse | Bash | {RUN}"),
            &format!("PreToolUse | Edit | {EDIT}"),
            &format!("PreToolUse | {SAY}"),
            &format!("PostToolUse | Bash | {RUN}"),
            &format!("PostToolUseFailure | Bash | {RUN}"),
            "PostToolBatch",
            PROMPT,
            "SessionStart",
            "Stop",
            "SubagentStop",
        ]
    );
}

#[test]
fn opencode() {
    assert_eq!(
        meaning("opencode", include_str!("payloads/opencode.jsonl")),
        [
            &format!("PreToolUse | Bash | {RUN}"),
            &format!("PreToolUse | Edit | {EDIT}"),
            "PreToolUse | Agent",
            &format!("PostToolUse | Bash | {RUN}"),
            PROMPT,
            "SessionStart",
            "Stop",
        ]
    );
}
