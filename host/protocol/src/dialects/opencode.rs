//! OpenCode 1.18.33, through the plugin that `init` writes: the agent has no command hooks. <https://opencode.ai/docs/plugins>
//!
//! The plugin sends Claude Code's keys with OpenCode's tools in them, throws the reason of a block and applies a rewrite in place.

use super::answer::{Answer, Can, settle};
use super::canonical::{self, Restated};
use super::capabilities::OPENCODE;
use super::tools::{Kind, Tool, named, same};
use super::{Agent, DecodeError, Response, claude_code};
use serde_json::{Map, Value};

pub(super) static AGENT: Agent = Agent {
    capabilities: OPENCODE,
    events: EVENTS,
    event_keys: &["hook_event_name"],
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
    ("Stop", "Stop"),
];

// ── decode ──

fn restate(agent: &'static Agent, payload: Map<String, Value>) -> Result<Restated, DecodeError> {
    let theirs = payload.get("tool_name").and_then(Value::as_str).map(str::to_owned);
    let mut restated = canonical::restate(agent, payload)?;
    // `server_tool`; its own tools have no `_` beside those of the table.
    if let Some(theirs) = theirs.filter(|name| canonical::find(agent, name).is_none())
        && let Some((server, tool)) = theirs
            .split_once('_')
            .filter(|(server, tool)| !server.is_empty() && !tool.is_empty())
    {
        restated
            .payload
            .insert("tool_name".into(), format!("mcp__{server}__{tool}").into());
        restated.native.insert("tool".into(), theirs.clone().into());
    }
    Ok(restated)
}

// ── actions ──

const FILE: &[(&str, &str)] = &[("filePath", "file_path")];
const EDIT: &[(&str, &str)] = &[
    ("filePath", "file_path"),
    ("oldString", "old_string"),
    ("newString", "new_string"),
    ("replaceAll", "replace_all"),
];

const TOOLS: &[Tool] = &[
    named("bash", "Bash", Kind::Run("bash"), &[]),
    named("read", "Read", Kind::Read, FILE),
    named("write", "Write", Kind::Write, FILE),
    named("edit", "Edit", Kind::Write, EDIT),
    named("multiedit", "MultiEdit", Kind::Write, EDIT),
    named("patch", "apply_patch", Kind::Patch, &[("patchText", "command")]),
    named("apply_patch", "apply_patch", Kind::Patch, &[("patchText", "command")]),
    named("glob", "Glob", Kind::Glob, &[]),
    named("grep", "Grep", Kind::Search, &[("include", "glob")]),
    named("list", "LS", Kind::Search, &[]),
    named("webfetch", "WebFetch", Kind::Fetch, &[]),
    named("websearch", "WebSearch", Kind::Nothing, &[]),
    named("codesearch", "WebSearch", Kind::Nothing, &[]),
    named("task", "Agent", Kind::Nothing, &[]),
    named("todowrite", "TodoWrite", Kind::Nothing, &[]),
    named("skill", "Skill", Kind::Nothing, &[]),
    named("question", "AskUserQuestion", Kind::Nothing, &[]),
    same("plan_exit", Kind::Nothing),
    same("plan_enter", Kind::Nothing),
];

// ── encode ──

fn can(event: &str) -> Can {
    match event {
        "PreToolUse" => Can {
            block: true,
            rewrite: true,
            ..Can::default()
        },
        "PostToolUse" => Can {
            context: true,
            ..Can::default()
        },
        "UserPromptSubmit" => Can {
            block: true,
            ..Can::default()
        },
        _ => Can::default(),
    }
}

fn encode(answer: &Answer<'_>) -> Response {
    claude_code::say(answer, &settle(answer, can(answer.event)))
}
