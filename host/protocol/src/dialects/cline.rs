//! Cline: an executable per event, JSON in and out. <https://docs.cline.bot/features/hooks>

use super::answer::{Answer, Can, Object, settle};
use super::canonical::{self, Restated};
use super::capabilities::CLINE;
use super::tools::{Kind, Tool, named, same};
use super::{Agent, DecodeError, Response};
use serde_json::{Map, Value};

pub(super) static AGENT: Agent = Agent {
    capabilities: CLINE,
    events: EVENTS,
    event_keys: &["hookName"],
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
    ("TaskStart", "SessionStart"),
    ("TaskResume", "SessionStart"),
    ("TaskCancel", "SessionEnd"),
    ("TaskComplete", "SessionEnd"),
    ("PreCompact", "PreCompact"),
];

/// Keys of the object that an event's fields are in, and the canonical ones.
const FIELDS: &[(&str, &str)] = &[
    ("toolName", "tool_name"),
    ("parameters", "tool_input"),
    ("result", "tool_response"),
    ("prompt", "prompt"),
    ("executionTimeMs", "duration_ms"),
];

// ── decode ──

fn restate(agent: &'static Agent, payload: Map<String, Value>) -> Result<Restated, DecodeError> {
    let mut payload = canonical::rekeyed(payload, &[("hookName", "hook_event_name"), ("taskId", "session_id")]);
    let event = payload
        .get("hook_event_name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    // `PreToolUse` has its fields in `preToolUse`.
    let mut letters = event.chars();
    let key: String = letters
        .next()
        .map(|first| first.to_ascii_lowercase())
        .into_iter()
        .chain(letters)
        .collect();
    if let Some(Value::Object(fields)) = payload.get(&key).cloned() {
        for (theirs, ours) in FIELDS {
            if let Some(value) = fields.get(*theirs) {
                payload.entry(*ours).or_insert_with(|| value.clone());
            }
        }
    }
    let root = payload
        .get("workspaceRoots")
        .and_then(|roots| roots.get(0))
        .map(|root| root.get("path").unwrap_or(root));
    let project = root.and_then(Value::as_str).map(str::to_owned);
    let theirs = payload.get("tool_name").and_then(Value::as_str).map(str::to_owned);
    let mut restated = canonical::restate(agent, payload)?;
    if theirs.as_deref() == Some("use_mcp_tool") {
        let input = restated.payload.get("tool_input").cloned().unwrap_or_default();
        let part = |key: &str| {
            input
                .get(key)
                .and_then(Value::as_str)
                .filter(|part| !part.is_empty())
                .map(str::to_owned)
        };
        if let (Some(server), Some(tool)) = (part("server_name"), part("tool_name")) {
            let arguments = input.get("arguments").cloned().unwrap_or_default();
            restated
                .payload
                .insert("tool_name".into(), format!("mcp__{server}__{tool}").into());
            restated.payload.insert("tool_input".into(), arguments);
            restated.native.insert("tool".into(), "use_mcp_tool".into());
        }
    }
    restated.project = project;
    Ok(restated)
}

// ── actions ──

const FILE: &[(&str, &str)] = &[("path", "file_path"), ("absolutePath", "file_path")];

const TOOLS: &[Tool] = &[
    named("execute_command", "Bash", Kind::Run("bash"), &[]),
    named("read_file", "Read", Kind::Read, FILE),
    named("write_to_file", "Write", Kind::Write, FILE),
    named("new_rule", "Write", Kind::Write, FILE),
    named(
        "replace_in_file",
        "Edit",
        Kind::Write,
        &[
            ("path", "file_path"),
            ("absolutePath", "file_path"),
            ("diff", "new_string"),
        ],
    ),
    named("apply_patch", "apply_patch", Kind::Patch, &[("input", "command")]),
    named(
        "search_files",
        "Grep",
        Kind::Search,
        &[("regex", "pattern"), ("file_pattern", "glob")],
    ),
    named("list_files", "LS", Kind::Search, &[]),
    named("list_code_definition_names", "LS", Kind::Search, &[]),
    named("web_fetch", "WebFetch", Kind::Fetch, &[]),
    named("web_search", "WebSearch", Kind::Nothing, &[]),
    named("new_task", "Agent", Kind::Nothing, &[]),
    named("use_subagents", "Agent", Kind::Nothing, &[]),
    named("ask_followup_question", "AskUserQuestion", Kind::Nothing, &[]),
    same("plan_mode_respond", Kind::Nothing),
];

// ── encode ──

fn can(event: &str) -> Can {
    match event {
        "PreToolUse" | "UserPromptSubmit" | "SessionStart" | "PostToolUse" | "PreCompact" => Can {
            block: true,
            context: true,
            context_with_block: false,
            ..Can::default()
        },
        _ => Can::default(),
    }
}

/// Told at exit 0: by another exit code alone nothing is blocked.
fn encode(answer: &Answer<'_>) -> Response {
    let told = settle(answer, can(answer.event));
    if told.denies() {
        let top = Object::default().with("cancel", true).with("errorMessage", told.reason);
        return Response::pass(top.line(), told.warnings);
    }
    let top = match told.context {
        Some(context) => Object::default()
            .with("cancel", false)
            .with("contextModification", context),
        None => Object::default(),
    };
    Response::pass(top.line(), told.warnings)
}
