//! VS Code's agent mode: Claude Code's answers, its own keys and tools. It shows every call to every hook, whatever the matcher.
//! <https://code.visualstudio.com/docs/copilot/customization/hooks>

use super::answer::{Answer, Can, Object, settle};
use super::canonical::{self, Restated};
use super::capabilities::VSCODE;
use super::tools::{Kind, Tool, named};
use super::{Agent, DecodeError, Response, claude_code};
use serde_json::{Map, Value};

pub(super) static AGENT: Agent = Agent {
    capabilities: VSCODE,
    events: EVENTS,
    event_keys: &["hookEventName"],
    sign: None,
    infer: canonical::no_shape,
    tools: TOOLS,
    restate,
    encode,
};

// ── names ──

const EVENTS: &[(&str, &str)] = &[
    ("PreToolUse", "PreToolUse"),
    ("PostToolUse", "PostToolUse"),
    ("UserPromptSubmit", "UserPromptSubmit"),
    ("SessionStart", "SessionStart"),
    ("PreCompact", "PreCompact"),
    ("SubagentStart", "SubagentStart"),
    ("SubagentStop", "SubagentStop"),
    ("Stop", "Stop"),
];

// ── decode ──

const KEYS: &[(&str, &str)] = &[
    ("hookEventName", "hook_event_name"),
    ("sessionId", "session_id"),
    ("toolName", "tool_name"),
    ("toolInput", "tool_input"),
    ("toolUseId", "tool_use_id"),
    ("toolResponse", "tool_response"),
    ("transcriptPath", "transcript_path"),
    ("stopHookActive", "stop_hook_active"),
];

fn restate(agent: &'static Agent, payload: Map<String, Value>) -> Result<Restated, DecodeError> {
    let payload = canonical::rekeyed(payload, KEYS);
    let theirs = payload.get("tool_name").and_then(Value::as_str).map(str::to_owned);
    let mut restated = canonical::restate(agent, payload)?;
    if let Some(name) = theirs
        .as_deref()
        .and_then(|name| name.strip_prefix("mcp_"))
        .filter(|name| !name.starts_with('_'))
        && let Some((server, tool)) = name.split_once('_')
    {
        restated
            .payload
            .insert("tool_name".into(), format!("mcp__{server}__{tool}").into());
        restated.native.insert("tool".into(), theirs.into());
    }
    Ok(restated)
}

// ── actions ──

const FILE: &[(&str, &str)] = &[("filePath", "file_path")];
const EDIT: &[(&str, &str)] = &[
    ("filePath", "file_path"),
    ("oldString", "old_string"),
    ("newString", "new_string"),
];

const TOOLS: &[Tool] = &[
    named("run_in_terminal", "Bash", Kind::Run("bash"), &[]),
    named("send_to_terminal", "Bash", Kind::Type, &[]),
    named("create_file", "Write", Kind::Write, FILE),
    named("replace_string_in_file", "Edit", Kind::Write, EDIT),
    named("multi_replace_string_in_file", "MultiEdit", Kind::Write, &[]),
    named("insert_edit_into_file", "Edit", Kind::Write, FILE),
    named("apply_patch", "apply_patch", Kind::Patch, &[("input", "command")]),
    named("create_directory", "Write", Kind::Write, &[("dirPath", "file_path")]),
    named(
        "edit_notebook_file",
        "NotebookEdit",
        Kind::Write,
        &[("filePath", "notebook_path"), ("newCode", "new_source")],
    ),
    named("read_file", "Read", Kind::Read, FILE),
    named("list_dir", "LS", Kind::Search, &[]),
    named("file_search", "Glob", Kind::Glob, &[("query", "pattern")]),
    named(
        "grep_search",
        "Grep",
        Kind::Search,
        &[("query", "pattern"), ("includePattern", "glob")],
    ),
    named("semantic_search", "Grep", Kind::Search, &[("query", "pattern")]),
    named("fetch_webpage", "WebFetch", Kind::Fetch, &[]),
    named("runSubagent", "Agent", Kind::Nothing, &[]),
    named("manage_todo_list", "TodoWrite", Kind::Nothing, &[]),
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
        "PostToolUse" => Can {
            block: true,
            context: true,
            ..none
        },
        "SessionStart" | "SubagentStart" => Can { context: true, ..none },
        "UserPromptSubmit" | "Stop" | "SubagentStop" | "PreCompact" => Can { block: true, ..none },
        _ => none,
    }
}

fn encode(answer: &Answer<'_>) -> Response {
    let told = settle(answer, can(answer.event));
    let nested = matches!(answer.event, "Stop" | "SubagentStop");
    if !(nested && told.denies()) {
        return claude_code::say(answer, &told);
    }
    // Here the end of a turn is blocked inside `hookSpecificOutput`.
    let specific = Object::default()
        .with("hookEventName", answer.event)
        .with("decision", "block")
        .with("reason", told.reason.clone());
    let top = told
        .stopping(Object::default())
        .with_some("systemMessage", told.message.clone());
    Response::block(
        top.with("hookSpecificOutput", specific).line(),
        &told.reason,
        told.warnings,
    )
}
