//! Antigravity. A decision is mandatory before a call: none, or one that cannot be read, is a deny. From reports.

use super::answer::{Answer, Can, Object, settle};
use super::canonical::{self, Restated};
use super::capabilities::ANTIGRAVITY;
use super::tools::{Kind, Tool, named};
use super::{Agent, DecodeError, Response};
use crate::output::Decision;
use serde_json::{Map, Value};

pub(super) static AGENT: Agent = Agent {
    capabilities: ANTIGRAVITY,
    events: EVENTS,
    event_keys: &["hookEventName", "eventName"],
    sign: None,
    infer,
    tools: TOOLS,
    restate,
    encode,
};

// ── names ──

const EVENTS: &[(&str, &str)] = &[
    ("PreToolUse", "PreToolUse"),
    ("PostToolUse", "PostToolUse"),
    ("PreInvocation", "PreInvocation"),
    ("PostInvocation", "PostInvocation"),
    ("SessionStart", "SessionStart"),
    ("Stop", "Stop"),
];

// ── decode ──

const KEYS: &[(&str, &str)] = &[
    ("hookEventName", "hook_event_name"),
    ("eventName", "hook_event_name"),
    ("conversationId", "session_id"),
    ("transcriptPath", "transcript_path"),
    ("modelName", "model"),
    ("toolResult", "tool_response"),
];

fn infer(payload: &Map<String, Value>) -> Option<&'static str> {
    let result = payload.contains_key("toolResult") || payload.contains_key("error");
    let call = payload.get("toolCall").is_some_and(Value::is_object);
    call.then_some(if result { "PostToolUse" } else { "PreToolUse" })
}

fn restate(agent: &'static Agent, payload: Map<String, Value>) -> Result<Restated, DecodeError> {
    let inferred = infer(&payload);
    let mut payload = canonical::rekeyed(payload, KEYS);
    if let (None, Some(name)) = (payload.get("hook_event_name"), inferred) {
        payload.insert("hook_event_name".into(), name.into());
    }
    if let Some(Value::Object(call)) = payload.get("toolCall").cloned() {
        for (theirs, ours) in [("name", "tool_name"), ("args", "tool_input"), ("id", "tool_use_id")] {
            if let Some(value) = call.get(theirs) {
                payload.insert(ours.into(), value.clone());
            }
        }
    }
    let root = payload
        .get("workspacePaths")
        .and_then(|roots| Some(roots.get(0)?.as_str()?.to_owned()));
    let mut restated = canonical::restate(agent, payload)?;
    restated.project = root;
    Ok(restated)
}

// ── actions ──

const TOOLS: &[Tool] = &[
    named(
        "run_command",
        "Bash",
        Kind::Run("bash"),
        &[("CommandLine", "command"), ("Cwd", "cwd")],
    ),
    named("send_command_input", "Bash", Kind::Type, &[("Input", "command")]),
    named("view_file", "Read", Kind::Read, &[("AbsolutePath", "file_path")]),
    named(
        "write_to_file",
        "Write",
        Kind::Write,
        &[("TargetFile", "file_path"), ("CodeContent", "content")],
    ),
    named(
        "replace_file_content",
        "Edit",
        Kind::Write,
        &[("TargetFile", "file_path"), ("ReplacementContent", "new_string")],
    ),
    named(
        "multi_replace_file_content",
        "MultiEdit",
        Kind::Write,
        &[("TargetFile", "file_path")],
    ),
    named("list_dir", "LS", Kind::Search, &[("DirectoryPath", "path")]),
    named(
        "find_by_name",
        "Glob",
        Kind::Glob,
        &[("Pattern", "pattern"), ("SearchDirectory", "path")],
    ),
    named(
        "grep_search",
        "Grep",
        Kind::Search,
        &[("Query", "pattern"), ("SearchPath", "path")],
    ),
    named("read_url_content", "WebFetch", Kind::Fetch, &[("Url", "url")]),
    named("search_web", "WebSearch", Kind::Nothing, &[]),
];

// ── encode ──

fn encode(answer: &Answer<'_>) -> Response {
    let call = answer.event == "PreToolUse";
    let told = settle(
        answer,
        Can {
            block: call || answer.event == "Stop",
            ask: call,
            allow: call,
            ..Can::default()
        },
    );
    let word = match told.decision {
        Some(Decision::Deny | Decision::Defer) => "deny",
        // A plain `ask` gives way to the user's standing permissions.
        Some(Decision::Ask) => "force_ask",
        // It does not suppress the agent's own question.
        Some(Decision::Allow) => "allow",
        None if call => "allow",
        None => return Response::pass(String::new(), told.warnings),
    };
    let reason = Some(told.reason).filter(|reason| !reason.is_empty());
    Response::pass(
        Object::default()
            .with("decision", word)
            .with_some("reason", reason)
            .line(),
        told.warnings,
    )
}
