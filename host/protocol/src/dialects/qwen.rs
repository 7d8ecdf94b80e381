//! Qwen Code 0.24.4: Claude Code's protocol with Gemini's tools. <https://qwenlm.github.io/qwen-code-docs>
//!
//! Of several hooks the last one's `permissionDecision` wins, so that an `allow` undoes another hook's deny: hookbox never says `allow` here, and
//! puts `continue: false` beside a deny, which survives. At exit 2 stdout is not read, so a deny of a call is told at exit 0.

use super::answer::{Answer, Can, Object, settle};
use super::canonical;
use super::capabilities::QWEN;
use super::tools::{Kind, Tool, named, same};
use super::{Agent, Response};
use crate::output::Decision;

pub(super) static AGENT: Agent = Agent {
    capabilities: QWEN,
    events: EVENTS,
    event_keys: &["hook_event_name"],
    sign: None,
    infer: canonical::no_shape,
    tools: TOOLS,
    restate: canonical::restate,
    encode,
};

// ── names ──

const EVENTS: &[(&str, &str)] = &[
    ("PreToolUse", "PreToolUse"),
    ("PostToolUse", "PostToolUse"),
    ("PostToolUseFailure", "PostToolUseFailure"),
    ("PostToolBatch", "PostToolBatch"),
    ("UserPromptSubmit", "UserPromptSubmit"),
    ("UserPromptExpansion", "UserPromptExpansion"),
    ("SessionStart", "SessionStart"),
    ("SessionEnd", "SessionEnd"),
    ("SessionDelete", "SessionDelete"),
    ("MessageDisplay", "MessageDisplay"),
    ("Stop", "Stop"),
    ("StopFailure", "StopFailure"),
    ("SubagentStart", "SubagentStart"),
    ("SubagentStop", "SubagentStop"),
    ("PreCompact", "PreCompact"),
    ("PostCompact", "PostCompact"),
    ("Notification", "Notification"),
    ("PermissionRequest", "PermissionRequest"),
    ("PermissionDenied", "PermissionDenied"),
    ("TodoCreated", "TaskCreated"),
    ("TodoCompleted", "TaskCompleted"),
    ("InstructionsLoaded", "InstructionsLoaded"),
];

// ── actions ──

const TOOLS: &[Tool] = &[
    named("run_shell_command", "Bash", Kind::Run("bash"), &[]),
    named("read_file", "Read", Kind::Read, &[("absolute_path", "file_path")]),
    named("read_many_files", "Read", Kind::Read, &[]),
    named("write_file", "Write", Kind::Write, &[]),
    named("edit", "Edit", Kind::Write, &[]),
    named("replace", "Edit", Kind::Write, &[]),
    same("apply_patch", Kind::Patch),
    named("glob", "Glob", Kind::Glob, &[]),
    named("grep_search", "Grep", Kind::Search, &[]),
    named("search_file_content", "Grep", Kind::Search, &[("include", "glob")]),
    named("list_directory", "LS", Kind::Search, &[]),
    named("web_fetch", "WebFetch", Kind::Fetch, &[]),
    named("web_search", "WebSearch", Kind::Nothing, &[]),
    named("agent", "Agent", Kind::Nothing, &[]),
    named("task", "Agent", Kind::Nothing, &[]),
    named("todo_write", "TodoWrite", Kind::Nothing, &[]),
    named("skill", "Skill", Kind::Nothing, &[]),
    named("ask_user_question", "AskUserQuestion", Kind::Nothing, &[]),
    named("exit_plan_mode", "ExitPlanMode", Kind::Nothing, &[]),
    same("save_memory", Kind::Nothing),
];

// ── encode ──

fn can(event: &str) -> Can {
    let none = Can {
        message: true,
        stop: true,
        ..Can::default()
    };
    match event {
        "PreToolUse" => Can {
            block: true,
            ask: true,
            ..none
        },
        "PermissionRequest" => Can {
            block: true,
            allow: true,
            rewrite: true,
            ..none
        },
        "PostToolUse" | "PostToolUseFailure" => Can {
            block: true,
            context: true,
            context_with_block: true,
            ..none
        },
        "UserPromptSubmit" | "UserPromptExpansion" => Can {
            block: true,
            context: true,
            ..none
        },
        "SessionStart" | "SubagentStart" => Can { context: true, ..none },
        "Stop" | "SubagentStop" | "PreCompact" | "TaskCreated" | "TaskCompleted" => Can { block: true, ..none },
        _ => none,
    }
}

fn encode(answer: &Answer<'_>) -> Response {
    let event = answer.event;
    let told = settle(answer, can(event));
    let mut top = told
        .stopping(Object::default())
        .with_some("systemMessage", told.message.clone());
    let mut specific = Object::default();
    let mut context = told.context.clone();
    match event {
        "PreToolUse" => match told.decision {
            Some(Decision::Deny) => {
                specific = specific
                    .with("permissionDecision", "deny")
                    .with("permissionDecisionReason", told.reason.clone());
                top = top.with("continue", false).with("stopReason", told.reason.clone());
            }
            Some(Decision::Ask) => {
                specific = specific
                    .with("permissionDecision", "ask")
                    .with("permissionDecisionReason", told.reason.clone());
            }
            _ => {}
        },
        "PermissionRequest" => {
            let decision = match told.decision {
                Some(Decision::Deny) => Some(
                    Object::default()
                        .with("behavior", "deny")
                        .with("message", told.reason.clone()),
                ),
                Some(Decision::Allow) => Some(
                    Object::default()
                        .with("behavior", "allow")
                        .with_some("updatedInput", told.input.clone()),
                ),
                _ => None,
            };
            specific = specific.with_some("decision", decision);
        }
        // A block after the call does not reach the model; context does.
        "PostToolUse" | "PostToolUseFailure" if told.denies() => {
            context = Some(context.map_or(told.reason.clone(), |context| format!("{}\n\n{context}", told.reason)));
            top = top.with("decision", "block").with("reason", told.reason.clone());
        }
        _ if told.denies() => top = top.with("decision", "block").with("reason", told.reason.clone()),
        _ => {}
    }
    specific = specific.with_some("additionalContext", context);
    if !specific.0.is_empty() {
        let named = Object::default().with("hookEventName", answer.native_event);
        top = top.with(
            "hookSpecificOutput",
            Object(named.0.into_iter().chain(specific.0).collect()),
        );
    }
    let heard_at_exit_0 = matches!(
        event,
        "PreToolUse" | "PermissionRequest" | "PostToolUse" | "PostToolUseFailure"
    );
    if told.denies() && !heard_at_exit_0 {
        Response::block(top.line(), &told.reason, told.warnings)
    } else {
        Response::pass(top.line(), told.warnings)
    }
}
