//! Windsurf: an exit code and a text on stderr, nothing else. <https://docs.windsurf.com/windsurf/cascade/hooks>

use super::answer::{Answer, Can, settle};
use super::canonical::{self, Restated};
use super::capabilities::WINDSURF;
use super::tools::{Kind, Tool, named};
use super::{Agent, DecodeError, Response, newer};
use serde_json::{Map, Value, json};

pub(super) static AGENT: Agent = Agent {
    capabilities: WINDSURF,
    events: EVENTS,
    event_keys: &["agent_action_name"],
    sign: None,
    infer: canonical::no_shape,
    tools: TOOLS,
    restate,
    encode,
};

// ── names ──

const EVENTS: &[(&str, &str)] = &[
    ("pre_run_command", "PreToolUse"),
    ("pre_read_code", "PreToolUse"),
    ("pre_write_code", "PreToolUse"),
    ("pre_mcp_tool_use", "PreToolUse"),
    ("post_run_command", "PostToolUse"),
    ("post_read_code", "PostToolUse"),
    ("post_write_code", "PostToolUse"),
    ("post_mcp_tool_use", "PostToolUse"),
    ("pre_user_prompt", "UserPromptSubmit"),
    ("post_cascade_response", "MessageDisplay"),
    ("post_cascade_response_with_transcript", "MessageDisplay"),
    ("post_setup_worktree", "SetupWorktree"),
];

// ── decode ──

fn restate(agent: &'static Agent, payload: Map<String, Value>) -> Result<Restated, DecodeError> {
    let mut payload = canonical::rekeyed(
        payload,
        &[
            ("agent_action_name", "hook_event_name"),
            ("trajectory_id", "session_id"),
        ],
    );
    let event = payload
        .get("hook_event_name")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    let info = match payload.get("tool_info") {
        Some(Value::Object(info)) => info.clone(),
        _ => Map::new(),
    };
    let text = |key: &str| info.get(key).and_then(Value::as_str).unwrap_or_default();
    let tool = match event.split_once('_').map_or("", |(_, what)| what) {
        "run_command" => Some("run_command".to_owned()),
        "read_code" => Some("read_code".to_owned()),
        "write_code" => Some("write_code".to_owned()),
        "mcp_tool_use" => Some(format!("mcp__{}__{}", text("mcp_server_name"), text("mcp_tool_name"))),
        // Of an action that is new here, too, `tool_info` is what it is given.
        what if !what.is_empty() && newer::is_new(agent, &event) && !info.is_empty() => Some(what.to_owned()),
        _ => None,
    };
    if let Some(tool) = tool {
        let input = info
            .get("mcp_tool_arguments")
            .filter(|_| tool.starts_with("mcp__"))
            .cloned();
        payload.insert("tool_name".into(), json!(tool));
        payload.insert(
            "tool_input".into(),
            input.unwrap_or_else(|| Value::Object(info.clone())),
        );
    }
    for (theirs, ours) in [
        ("user_prompt", "prompt"),
        ("response", "last_assistant_message"),
        ("cwd", "cwd"),
        ("mcp_result", "tool_response"),
    ] {
        if let Some(value) = info.get(theirs) {
            payload.insert(ours.into(), value.clone());
        }
    }
    canonical::restate(agent, payload)
}

// ── actions ──

const TOOLS: &[Tool] = &[
    named("run_command", "Bash", Kind::Run("bash"), &[("command_line", "command")]),
    named("read_code", "Read", Kind::Read, &[]),
    named("write_code", "Edit", Kind::Write, &[]),
];

// ── encode ──

fn encode(answer: &Answer<'_>) -> Response {
    let told = settle(
        answer,
        Can {
            block: !answer.native_event.starts_with("post_"),
            ..Can::default()
        },
    );
    if told.denies() {
        Response::block(String::new(), &told.reason, told.warnings)
    } else {
        Response::pass(String::new(), told.warnings)
    }
}
