//! Kiro, and Amazon Q before it: an exit code and a text. <https://kiro.dev/docs/cli/hooks>

use super::answer::{Answer, Can, settle};
use super::canonical::{self, Restated};
use super::capabilities::KIRO;
use super::tools::{Kind, Tool, named};
use super::{Agent, DecodeError, Response};
use serde_json::{Map, Value};

pub(super) static AGENT: Agent = Agent {
    capabilities: KIRO,
    events: EVENTS,
    event_keys: &["hook_event_name", "trigger"],
    sign: None,
    infer: canonical::no_shape,
    tools: TOOLS,
    restate,
    encode,
};

// ── names ──

const EVENTS: &[(&str, &str)] = &[
    ("agentSpawn", "SessionStart"),
    ("userPromptSubmit", "UserPromptSubmit"),
    ("preToolUse", "PreToolUse"),
    ("postToolUse", "PostToolUse"),
    ("stop", "Stop"),
    ("SessionStart", "SessionStart"),
    ("UserPromptSubmit", "UserPromptSubmit"),
    ("PreToolUse", "PreToolUse"),
    ("PostToolUse", "PostToolUse"),
    ("Stop", "Stop"),
    ("PreTaskExec", "PreTaskExec"),
    ("PostTaskExec", "PostTaskExec"),
    ("PostFileCreate", "FileChanged"),
    ("PostFileSave", "FileChanged"),
    ("PostFileDelete", "FileChanged"),
    ("Manual", "Manual"),
];

// ── decode ──

fn restate(agent: &'static Agent, payload: Map<String, Value>) -> Result<Restated, DecodeError> {
    let theirs = payload.get("tool_name").and_then(Value::as_str).map(str::to_owned);
    let mut restated = canonical::restate(agent, payload)?;
    if let Some((server, tool)) = theirs
        .as_deref()
        .and_then(|name| name.strip_prefix('@'))
        .and_then(|name| name.split_once('/'))
    {
        restated
            .payload
            .insert("tool_name".into(), format!("mcp__{server}__{tool}").into());
        restated.native.insert("tool".into(), theirs.clone().into());
    }
    Ok(restated)
}

// ── actions ──

const TOOLS: &[Tool] = &[
    named("execute_bash", "Bash", Kind::Run("bash"), &[]),
    named("execute_cmd", "Bash", Kind::Run("cmd"), &[]),
    named("shell", "Bash", Kind::Run("bash"), &[]),
    named("fs_read", "Read", Kind::Read, &[]),
    named("read", "Read", Kind::Read, &[]),
    named("fs_write", "Edit", Kind::Editor, &[]),
    named("write", "Edit", Kind::Editor, &[]),
    named("glob", "Glob", Kind::Glob, &[]),
    named("grep", "Grep", Kind::Search, &[]),
    named("web_fetch", "WebFetch", Kind::Fetch, &[]),
    named("web_search", "WebSearch", Kind::Nothing, &[]),
    named("use_subagent", "Agent", Kind::Nothing, &[]),
];

// ── encode ──

fn can(event: &str) -> Can {
    Can {
        block: matches!(event, "PreToolUse" | "UserPromptSubmit"),
        context: matches!(event, "SessionStart" | "UserPromptSubmit"),
        ..Can::default()
    }
}

fn encode(answer: &Answer<'_>) -> Response {
    let told = settle(answer, can(answer.event));
    if told.denies() {
        return Response::block(String::new(), &told.reason, told.warnings);
    }
    // Plain text is context.
    Response::pass(
        told.context.map(|context| format!("{context}\n")).unwrap_or_default(),
        told.warnings,
    )
}
