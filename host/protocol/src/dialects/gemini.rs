//! Gemini CLI 0.61.0. <https://geminicli.com/docs/hooks>
//!
//! JSON on stdout is read at any exit code and wins over it; its timeouts are milliseconds.

use super::answer::{Answer, Can, Object, as_text, settle};
use super::canonical::{self, Restated};
use super::capabilities::GEMINI;
use super::tools::{Kind, Tool, named, same};
use super::{Agent, DecodeError, Response};
use crate::output::Decision;
use serde_json::{Map, Value};

pub(super) static AGENT: Agent = Agent {
    capabilities: GEMINI,
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
    ("BeforeTool", "PreToolUse"),
    ("AfterTool", "PostToolUse"),
    ("BeforeAgent", "UserPromptSubmit"),
    ("AfterAgent", "Stop"),
    ("PreCompress", "PreCompact"),
    ("SessionStart", "SessionStart"),
    ("SessionEnd", "SessionEnd"),
    ("Notification", "Notification"),
    ("BeforeModel", "BeforeModel"),
    ("AfterModel", "AfterModel"),
    ("BeforeToolSelection", "BeforeToolSelection"),
];

// ── decode ──

fn restate(agent: &'static Agent, payload: Map<String, Value>) -> Result<Restated, DecodeError> {
    let payload = canonical::rekeyed(payload, &[("prompt_response", "last_assistant_message")]);
    let mcp = payload.get("mcp_context").and_then(|context| {
        let part = |key: &str| context.get(key)?.as_str().filter(|part| !part.is_empty());
        Some(format!("mcp__{}__{}", part("server_name")?, part("tool_name")?))
    });
    let theirs = payload.get("tool_name").and_then(Value::as_str).map(str::to_owned);
    let mut restated = canonical::restate(agent, payload)?;
    // Without the context, `mcp_a_b_c` does not say where the server's name ends.
    let guessed = || {
        theirs
            .as_deref()?
            .strip_prefix("mcp_")?
            .split_once('_')
            .map(|(server, tool)| format!("mcp__{server}__{tool}"))
    };
    if let Some(name) = mcp.or_else(guessed) {
        restated.native.insert("tool".into(), theirs.unwrap_or_default().into());
        restated.payload.insert("tool_name".into(), name.into());
    }
    Ok(restated)
}

// ── actions ──

const TOOLS: &[Tool] = &[
    named("run_shell_command", "Bash", Kind::Run("bash"), &[]),
    named("read_file", "Read", Kind::Read, &[("absolute_path", "file_path")]),
    named("read_many_files", "Read", Kind::Read, &[("include", "paths")]),
    named("write_file", "Write", Kind::Write, &[]),
    named("replace", "Edit", Kind::Write, &[]),
    named("glob", "Glob", Kind::Glob, &[("dir_path", "path")]),
    named(
        "grep",
        "Grep",
        Kind::Search,
        &[("dir_path", "path"), ("include", "glob")],
    ),
    named(
        "grep_search",
        "Grep",
        Kind::Search,
        &[("dir_path", "path"), ("include_pattern", "glob"), ("include", "glob")],
    ),
    named(
        "search_file_content",
        "Grep",
        Kind::Search,
        &[("dir_path", "path"), ("include", "glob")],
    ),
    named("list_directory", "LS", Kind::Search, &[("dir_path", "path")]),
    named("ls", "LS", Kind::Search, &[("dir_path", "path")]),
    named("web_fetch", "WebFetch", Kind::Fetch, &[]),
    named("google_web_search", "WebSearch", Kind::Nothing, &[]),
    named("invoke_agent", "Agent", Kind::Nothing, &[]),
    named("write_todos", "TodoWrite", Kind::Nothing, &[]),
    named("activate_skill", "Skill", Kind::Nothing, &[]),
    same("save_memory", Kind::Nothing),
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
            ask: true,
            allow: true,
            rewrite: true,
            stop: true,
            ..none
        },
        "PostToolUse" => Can {
            block: true,
            context: true,
            context_with_block: true,
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
        "Stop" => Can {
            block: true,
            stop: true,
            ..none
        },
        "SessionStart" => Can { context: true, ..none },
        "BeforeModel" | "AfterModel" => Can {
            block: true,
            stop: true,
            ..none
        },
        _ => none,
    }
}

fn encode(answer: &Answer<'_>) -> Response {
    let told = settle(answer, can(answer.event));
    let mut top = told
        .stopping(Object::default())
        .with_some("systemMessage", told.message.clone());
    top = match told.decision {
        Some(decision) => {
            let word = match decision {
                Decision::Allow => "allow",
                Decision::Ask => "ask",
                Decision::Deny | Decision::Defer => "deny",
            };
            top.with("decision", word)
                .with_some("reason", Some(told.reason.clone()).filter(|reason| !reason.is_empty()))
        }
        // A denied result is hidden, and the reason is what the model sees of it.
        None => match &told.output {
            Some(output) => top.with("decision", "deny").with("reason", as_text(output)),
            None => top,
        },
    };
    let specific = Object::default()
        .with_some("tool_input", told.input.clone())
        .with_some("additionalContext", told.context.clone());
    if !specific.0.is_empty() {
        let named = Object::default().with("hookEventName", answer.native_event);
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
