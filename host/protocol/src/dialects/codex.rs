//! OpenAI Codex 0.171.0. <https://learn.chatgpt.com/docs/hooks>
//!
//! Its answers are strict: an unknown field, an `ask` or a bare `allow` voids the whole answer, silently, and the call runs.

use super::answer::{Answer, Can, Object, as_text, settle};
use super::canonical;
use super::capabilities::CODEX;
use super::tools::{Kind, Tool, named, same};
use super::{Agent, Response};
use serde_json::Value;

pub(super) static AGENT: Agent = Agent {
    capabilities: CODEX,
    events: EVENTS,
    event_keys: &["hook_event_name"],
    // Of every event of a turn. (Claude Code has it on `MessageDisplay` alone, which Codex does not know.)
    sign: Some("turn_id"),
    infer: canonical::no_shape,
    tools: TOOLS,
    restate: canonical::restate,
    encode,
};

// ── names ──

const EVENTS: &[(&str, &str)] = &[
    ("PreToolUse", "PreToolUse"),
    ("PermissionRequest", "PermissionRequest"),
    ("PostToolUse", "PostToolUse"),
    ("PreCompact", "PreCompact"),
    ("PostCompact", "PostCompact"),
    ("UserPromptSubmit", "UserPromptSubmit"),
    ("SubagentStart", "SubagentStart"),
    ("SubagentStop", "SubagentStop"),
    ("Stop", "Stop"),
    ("Interrupt", "Interrupt"),
    ("SessionStart", "SessionStart"),
    ("SessionEnd", "SessionEnd"),
];

// ── actions ──

const TOOLS: &[Tool] = &[
    same("Bash", Kind::Run("bash")),
    named("shell", "Bash", Kind::Run("bash"), &[]),
    named("shell_command", "Bash", Kind::Run("bash"), &[]),
    named("exec_command", "Bash", Kind::Run("bash"), &[("cmd", "command")]),
    named("write_stdin", "Bash", Kind::Type, &[("chars", "command")]),
    same("apply_patch", Kind::Patch),
    named("spawn_agent", "Agent", Kind::Nothing, &[]),
    named("view_image", "Read", Kind::Read, &[("path", "file_path")]),
    same("update_plan", Kind::Nothing),
];

// ── encode ──

fn can(event: &str) -> Can {
    let none = Can {
        message: true,
        ..Can::default()
    };
    match event {
        "PreToolUse" => Can {
            block: true,
            rewrite: true,
            context: true,
            ..none
        },
        "PermissionRequest" => Can {
            block: true,
            allow: true,
            ..none
        },
        "PostToolUse" => Can {
            block: true,
            context: true,
            stop: true,
            output: true,
            ..none
        },
        "UserPromptSubmit" => Can {
            block: true,
            context: true,
            stop: true,
            ..none
        },
        "SessionStart" => Can {
            context: true,
            stop: true,
            ..none
        },
        "SubagentStart" => Can { context: true, ..none },
        "Stop" | "SubagentStop" => Can {
            block: true,
            stop: true,
            ..none
        },
        "PreCompact" => Can {
            block: true,
            stop: true,
            ..none
        },
        "Interrupt" => none,
        // An answer with a field that the event does not have is void.
        _ => Can::default(),
    }
}

fn encode(answer: &Answer<'_>) -> Response {
    let event = answer.event;
    let mut can = can(event);
    let takes = |input: &Value| input.get("command").is_some_and(Value::is_string);
    // Its own tools run a `command`; a rewrite without one fails, and the original would run.
    can.rewrite &= answer.outcome.updated_input.as_ref().is_none_or(takes) || answer.calls_mcp();
    let told = settle(answer, can);
    let mut top = Object::default().with_some("systemMessage", told.message.clone());
    let mut specific = Object::default();
    match event {
        "PreToolUse" if told.denies() => {
            specific = specific
                .with("permissionDecision", "deny")
                .with("permissionDecisionReason", told.reason.clone());
        }
        "PreToolUse" => {
            if let Some(input) = told.input.clone() {
                // Only together: an allow without a rewrite is as void as a rewrite without an allow.
                specific = specific.with("permissionDecision", "allow").with("updatedInput", input);
            }
        }
        "PermissionRequest" => {
            let decision = match told.decision {
                Some(_) if told.denies() => Some(
                    Object::default()
                        .with("behavior", "deny")
                        .with("message", told.reason.clone()),
                ),
                Some(_) => Some(Object::default().with("behavior", "allow")),
                None => None,
            };
            specific = specific.with_some("decision", decision);
        }
        // The only thing that keeps a compaction from running is the end of the turn.
        "PreCompact" if told.denies() => {
            let top = top.with("continue", false).with("stopReason", told.reason);
            return Response::pass(top.line(), told.warnings);
        }
        _ if told.denies() => top = top.with("decision", "block").with("reason", told.reason.clone()),
        "PostToolUse" => {
            // The reason of a block takes the place of the result.
            if let Some(output) = &told.output {
                top = top.with("decision", "block").with("reason", as_text(output));
            }
        }
        _ => {}
    }
    top = told.stopping(top);
    specific = specific.with_some("additionalContext", told.context.clone());
    if !specific.0.is_empty() {
        let named = Object::default().with("hookEventName", event);
        top = top.with(
            "hookSpecificOutput",
            Object(named.0.into_iter().chain(specific.0).collect()),
        );
    }
    if told.denies() {
        Response::block(top.line(), &told.reason, told.warnings)
    } else {
        Response::pass(top.line(), told.warnings)
    }
}
