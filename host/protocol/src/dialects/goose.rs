//! Goose 1.38 and later (the Open Plugins hooks). <https://block.github.io/goose/docs/guides/context-engineering/hooks>
//!
//! Silence lets the call run; `{}` is no decision, and what happens then is the entry's `on_failure`.

use super::answer::{Answer, Can, Object, settle};
use super::canonical::{self, Restated};
use super::capabilities::GOOSE;
use super::tools::{Kind, Tool, named};
use super::{Agent, DecodeError, Response};
use crate::output::Decision;
use serde_json::{Map, Value, json};

pub(super) static AGENT: Agent = Agent {
    capabilities: GOOSE,
    events: EVENTS,
    event_keys: &["event"],
    sign: None,
    infer: canonical::no_shape,
    tools: TOOLS,
    restate,
    encode,
};

// ── names ──

const EVENTS: &[(&str, &str)] = &[
    ("PreToolUse", "PreToolUse"),
    ("PreToolUseResult", "PreToolUseResult"),
    ("PostToolUse", "PostToolUse"),
    ("PostToolUseFailure", "PostToolUseFailure"),
    ("UserPromptSubmit", "UserPromptSubmit"),
    ("SessionStart", "SessionStart"),
    ("SessionEnd", "SessionEnd"),
    ("Stop", "Stop"),
    ("BeforeReadFile", "BeforeReadFile"),
    ("AfterFileEdit", "AfterFileEdit"),
    ("BeforeShellExecution", "BeforeShellExecution"),
    ("AfterShellExecution", "AfterShellExecution"),
];

// ── decode ──

const KEYS: &[(&str, &str)] = &[
    ("event", "hook_event_name"),
    ("working_dir", "cwd"),
    ("tool_call_id", "tool_use_id"),
    ("tool_output", "tool_response"),
];

fn restate(agent: &'static Agent, payload: Map<String, Value>) -> Result<Restated, DecodeError> {
    let mut payload = canonical::rekeyed(payload, KEYS);
    if payload.get("hook_event_name") == Some(&json!("UserPromptSubmit"))
        && let Some(message) = payload.get("message").cloned()
    {
        payload.entry("prompt").or_insert(message);
    }
    let theirs = payload.get("tool_name").and_then(Value::as_str).map(str::to_owned);
    let mut restated = canonical::restate(agent, payload)?;
    // `extension__tool`: what its own extensions bring is in the table, the others are MCP servers.
    if let Some(theirs) = theirs.filter(|name| canonical::find(agent, name).is_none())
        && let Some((server, tool)) = theirs
            .split_once("__")
            .filter(|(server, tool)| *server != "mcp" && !server.is_empty() && !tool.is_empty())
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
    named("developer__shell", "Bash", Kind::Run("bash"), &[]),
    named("developer__text_editor", "Edit", Kind::Editor, &[]),
    named("developer__write", "Write", Kind::Write, &[("path", "file_path")]),
    named("developer__edit", "Edit", Kind::Write, &[("path", "file_path")]),
    named("developer__read", "Read", Kind::Read, &[("path", "file_path")]),
    named("developer__tree", "LS", Kind::Search, &[]),
    named("developer__analyze", "Read", Kind::Read, &[("path", "file_path")]),
    named(
        "developer__image_processor",
        "Read",
        Kind::Read,
        &[("path", "file_path")],
    ),
];

// ── encode ──

fn encode(answer: &Answer<'_>) -> Response {
    let blocks = matches!(answer.event, "PreToolUse" | "Stop");
    let told = settle(
        answer,
        Can {
            block: blocks,
            allow: answer.event == "PreToolUse",
            ..Can::default()
        },
    );
    match told.decision {
        Some(Decision::Deny) => {
            let top = Object::default()
                .with("decision", "block")
                .with("reason", told.reason.clone());
            Response::block(top.line(), &told.reason, told.warnings)
        }
        Some(Decision::Allow) => Response::pass(Object::default().with("decision", "allow").line(), told.warnings),
        _ => Response::pass(String::new(), told.warnings),
    }
}
