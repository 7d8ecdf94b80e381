//! Cursor, its own hooks; what it runs from Claude Code's settings arrives in that spelling. <https://cursor.com/docs/hooks>

use super::answer::{Answer, Can, Object, settle};
use super::canonical::{self, Restated};
use super::capabilities::CURSOR;
use super::tools::{Kind, Tool, named, same};
use super::{Agent, DecodeError, Response};
use crate::output::Decision;
use serde_json::{Map, Value, json};

pub(super) static AGENT: Agent = Agent {
    capabilities: CURSOR,
    events: EVENTS,
    event_keys: &["hook_event_name"],
    sign: Some("conversation_id"),
    infer: canonical::no_shape,
    tools: TOOLS,
    restate,
    encode,
};

// ── names ──

const EVENTS: &[(&str, &str)] = &[
    ("preToolUse", "PreToolUse"),
    ("postToolUse", "PostToolUse"),
    ("postToolUseFailure", "PostToolUseFailure"),
    ("beforeShellExecution", "PreToolUse"),
    ("afterShellExecution", "PostToolUse"),
    ("beforeMCPExecution", "PreToolUse"),
    ("afterMCPExecution", "PostToolUse"),
    ("beforeReadFile", "PreToolUse"),
    ("beforeTabFileRead", "PreToolUse"),
    ("afterFileEdit", "PostToolUse"),
    ("afterTabFileEdit", "PostToolUse"),
    ("beforeSubmitPrompt", "UserPromptSubmit"),
    ("subagentStart", "SubagentStart"),
    ("subagentStop", "SubagentStop"),
    ("sessionStart", "SessionStart"),
    ("sessionEnd", "SessionEnd"),
    ("preCompact", "PreCompact"),
    ("stop", "Stop"),
    ("afterAgentResponse", "MessageDisplay"),
    ("afterAgentThought", "AgentThought"),
    ("workspaceOpen", "WorkspaceOpen"),
];

/// What the events of one kind of call leave unsaid: the event, the tool, the key of the argument.
const CALLS: &[(&str, &str, &str)] = &[
    ("beforeShellExecution", "Shell", "command"),
    ("afterShellExecution", "Shell", "command"),
    ("beforeReadFile", "Read", "file_path"),
    ("beforeTabFileRead", "Read", "file_path"),
    ("afterFileEdit", "Edit", "file_path"),
    ("afterTabFileEdit", "Edit", "file_path"),
];

// ── decode ──

const KEYS: &[(&str, &str)] = &[
    ("conversation_id", "session_id"),
    ("tool_output", "tool_response"),
    ("result_json", "tool_response"),
    ("output", "tool_response"),
];

fn restate(agent: &'static Agent, payload: Map<String, Value>) -> Result<Restated, DecodeError> {
    let mut payload = canonical::rekeyed(payload, KEYS);
    let event = payload
        .get("hook_event_name")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    if let Some((_, tool, argument)) = CALLS.iter().find(|(name, ..)| *name == event) {
        let mut input = Map::new();
        for key in [argument, "edits"] {
            input.extend(payload.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        payload.insert("tool_name".into(), json!(tool));
        payload.insert("tool_input".into(), Value::Object(input));
    }
    let project = payload
        .get("workspace_roots")
        .and_then(|roots| Some(roots.get(0)?.as_str()?.to_owned()));
    let theirs = payload.get("tool_name").and_then(Value::as_str).map(str::to_owned);
    let server = payload
        .get("mcp_server_name")
        .and_then(Value::as_str)
        .map(str::to_owned);
    let mut restated = canonical::restate(agent, payload)?;
    if let Some(theirs) = theirs {
        let mcp = theirs
            .strip_prefix("MCP:")
            .or_else(|| event.ends_with("MCPExecution").then_some(theirs.as_str()));
        if let Some(tool) = mcp.filter(|tool| !tool.starts_with("mcp__")) {
            // The general event does not name the server.
            let server = server.unwrap_or_else(|| "cursor".into());
            restated
                .payload
                .insert("tool_name".into(), format!("mcp__{server}__{tool}").into());
            restated.native.insert("tool".into(), theirs.into());
        }
    }
    restated.project = project;
    Ok(restated)
}

// ── actions ──

const TOOLS: &[Tool] = &[
    named("Shell", "Bash", Kind::Run("bash"), &[]),
    named("Read", "Read", Kind::Read, &[]),
    named("Write", "Write", Kind::Write, &[]),
    named("Edit", "Edit", Kind::Write, &[]),
    named("StrReplace", "Edit", Kind::Write, &[]),
    named("EditNotebook", "NotebookEdit", Kind::Write, &[]),
    named("ApplyPatch", "apply_patch", Kind::Patch, &[]),
    same("Delete", Kind::Delete),
    same("Grep", Kind::Search),
    same("Glob", Kind::Glob),
    same("LS", Kind::Search),
    same("WebFetch", Kind::Fetch),
    same("WebSearch", Kind::Nothing),
    named("Task", "Agent", Kind::Nothing, &[]),
];

// ── encode ──

fn can(native: &str) -> Can {
    let none = Can::default();
    match native {
        "preToolUse" => Can {
            block: true,
            allow: true,
            rewrite: true,
            ..none
        },
        "beforeShellExecution" | "beforeMCPExecution" => Can {
            block: true,
            allow: true,
            ask: true,
            ..none
        },
        "beforeReadFile" | "beforeTabFileRead" | "subagentStart" => Can {
            block: true,
            allow: true,
            ..none
        },
        "beforeSubmitPrompt" | "stop" | "subagentStop" => Can { block: true, ..none },
        "postToolUse" => Can {
            context: true,
            output: true,
            ..none
        },
        "sessionStart" => Can { context: true, ..none },
        _ => none,
    }
}

fn encode(answer: &Answer<'_>) -> Response {
    let native = answer.native_event;
    let told = settle(answer, can(native));
    let mut top = Object::default();
    match native {
        "beforeSubmitPrompt" if told.denies() => {
            top = top.with("continue", false).with("user_message", told.reason.clone())
        }
        // It goes on with this as the next prompt; exit 2 would say it a second time.
        "stop" | "subagentStop" if told.denies() => {
            return Response::pass(top.with("followup_message", told.reason).line(), told.warnings);
        }
        _ => {
            if let Some(decision) = told.decision {
                let word = match decision {
                    Decision::Allow => "allow",
                    Decision::Ask => "ask",
                    Decision::Deny | Decision::Defer => "deny",
                };
                top = top.with("permission", word);
                if decision != Decision::Allow {
                    top = top
                        .with("user_message", told.reason.clone())
                        .with("agent_message", told.reason.clone());
                }
            }
        }
    }
    if let Some(input) = told.input.clone() {
        top = top.with("permission", "allow").with("updated_input", input);
    }
    let output = told.output.clone().filter(|_| answer.calls_mcp());
    top = top
        .with_some("updated_mcp_tool_output", output)
        .with_some("additional_context", told.context.clone());
    if told.denies() {
        Response::block(top.line(), &told.reason, told.warnings)
    } else {
        Response::pass(top.line(), told.warnings)
    }
}
