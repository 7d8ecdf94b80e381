//! Factory Droid: Claude Code's protocol with its own tools. <https://docs.factory.ai/cli/configuration/hooks-guide>

use super::answer::{Answer, Can, settle};
use super::canonical;
use super::capabilities::DROID;
use super::tools::{Kind, Tool, named, same};
use super::{Agent, Response, claude_code};

pub(super) static AGENT: Agent = Agent {
    capabilities: DROID,
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
    ("UserPromptSubmit", "UserPromptSubmit"),
    ("Notification", "Notification"),
    ("Stop", "Stop"),
    ("SubagentStop", "SubagentStop"),
    ("PreCompact", "PreCompact"),
    ("SessionStart", "SessionStart"),
    ("SessionEnd", "SessionEnd"),
];

// ── actions ──

const TOOLS: &[Tool] = &[
    named("Execute", "Bash", Kind::Run("bash"), &[]),
    same("Read", Kind::Read),
    same("Edit", Kind::Write),
    named("MultiEdit", "MultiEdit", Kind::Write, &[]),
    named("Create", "Write", Kind::Write, &[]),
    named(
        "ApplyPatch",
        "apply_patch",
        Kind::Patch,
        &[("input", "command"), ("patch", "command")],
    ),
    named("LS", "LS", Kind::Search, &[("directory_path", "path")]),
    named(
        "Glob",
        "Glob",
        Kind::Glob,
        &[("patterns", "pattern"), ("folder", "path")],
    ),
    named("Grep", "Grep", Kind::Search, &[("glob_pattern", "glob")]),
    named("Task", "Agent", Kind::Nothing, &[]),
    named("FetchUrl", "WebFetch", Kind::Fetch, &[]),
    same("WebSearch", Kind::Nothing),
    same("TodoWrite", Kind::Nothing),
    same("ExitSpecMode", Kind::Nothing),
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
            allow: true,
            rewrite: true,
            context: true,
            stop: false,
            ..none
        },
        "PostToolUse" | "UserPromptSubmit" => Can {
            block: true,
            context: true,
            ..none
        },
        "SessionStart" => Can { context: true, ..none },
        "Stop" | "SubagentStop" | "PreCompact" => Can { block: true, ..none },
        _ => none,
    }
}

fn encode(answer: &Answer<'_>) -> Response {
    claude_code::say(answer, &settle(answer, can(answer.event)))
}
