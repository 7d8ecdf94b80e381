//! GitHub Copilot CLI 1.0.102, in both spellings of its events. <https://docs.github.com/copilot/reference/hooks-reference>
//!
//! It hears only JSON, in flat fields: at another exit code than 0 a call is denied but the reason is lost, and other events go on.

use super::answer::{Answer, Can, Object, as_text, settle};
use super::canonical::{self, Restated};
use super::capabilities::COPILOT;
use super::tools::{Kind, Tool, named, same};
use super::{Agent, DecodeError, Response};
use crate::output::Decision;
use serde_json::{Map, Value, json};

pub(super) static AGENT: Agent = Agent {
    capabilities: COPILOT,
    events: EVENTS,
    event_keys: &["hook_event_name", "hookName"],
    sign: Some("sessionId"),
    infer,
    tools: TOOLS,
    restate,
    encode,
};

// ── names ──

const EVENTS: &[(&str, &str)] = &[
    ("preToolUse", "PreToolUse"),
    ("postToolUse", "PostToolUse"),
    ("postToolUseFailure", "PostToolUseFailure"),
    ("permissionRequest", "PermissionRequest"),
    ("userPromptSubmitted", "UserPromptSubmit"),
    ("userPromptTransformed", "UserPromptTransformed"),
    ("sessionStart", "SessionStart"),
    ("sessionEnd", "SessionEnd"),
    ("agentStop", "Stop"),
    ("subagentStart", "SubagentStart"),
    ("subagentStop", "SubagentStop"),
    ("preCompact", "PreCompact"),
    ("notification", "Notification"),
    ("errorOccurred", "StopFailure"),
    ("PreToolUse", "PreToolUse"),
    ("PostToolUse", "PostToolUse"),
    ("PostToolUseFailure", "PostToolUseFailure"),
    ("PermissionRequest", "PermissionRequest"),
    ("UserPromptSubmit", "UserPromptSubmit"),
    ("SessionStart", "SessionStart"),
    ("SessionEnd", "SessionEnd"),
    ("Stop", "Stop"),
    ("SubagentStart", "SubagentStart"),
    ("SubagentStop", "SubagentStop"),
    ("PreCompact", "PreCompact"),
    ("Notification", "Notification"),
];

/// Keys of the camelCase spelling, and of the PascalCase one where they differ from Claude Code's.
const KEYS: &[(&str, &str)] = &[
    ("hookName", "hook_event_name"),
    ("sessionId", "session_id"),
    ("transcriptPath", "transcript_path"),
    ("toolName", "tool_name"),
    ("toolArgs", "tool_input"),
    ("toolInput", "tool_input"),
    ("toolResult", "tool_response"),
    ("tool_result", "tool_response"),
    ("initialPrompt", "initial_prompt"),
    ("stopReason", "stop_reason"),
    ("agentId", "agent_id"),
    ("agentType", "agent_type"),
    ("agentName", "agent_name"),
    ("parentAgentId", "parent_agent_id"),
    ("response", "last_assistant_message"),
];

// ── decode ──

/// The camelCase payloads do not name their event.
fn infer(payload: &Map<String, Value>) -> Option<&'static str> {
    let has = |key: &str| payload.contains_key(key);
    if !has("sessionId") {
        return None;
    }
    Some(match () {
        () if has("toolName") && has("toolResult") => "postToolUse",
        () if has("toolName") && has("error") => "postToolUseFailure",
        () if has("toolName") => "preToolUse",
        () if has("transformedPrompt") => "userPromptTransformed",
        () if has("prompt") => "userPromptSubmitted",
        () if has("agentName") && has("stopReason") => "subagentStop",
        () if has("agentName") => "subagentStart",
        () if has("stopReason") => "agentStop",
        () if has("source") => "sessionStart",
        () if has("trigger") => "preCompact",
        () if has("error") => "errorOccurred",
        () if has("reason") => "sessionEnd",
        () => return None,
    })
}

fn restate(agent: &'static Agent, payload: Map<String, Value>) -> Result<Restated, DecodeError> {
    let inferred = infer(&payload);
    let mut payload = canonical::rekeyed(payload, KEYS);
    if let (None, Some(name)) = (payload.get("hook_event_name"), inferred) {
        payload.insert("hook_event_name".into(), name.into());
    }
    let theirs = payload.get("tool_name").and_then(Value::as_str).map(str::to_owned);
    let mut restated = canonical::restate(agent, payload)?;
    if let Some(theirs) = theirs.filter(|name| canonical::find(agent, name).is_none()) {
        // `server-tool` of tool events (tools are spelled with `_`, so the last `-` ends the server), `server/tool` of permission requests.
        let parts = theirs.split_once('/').or_else(|| theirs.rsplit_once('-'));
        if let Some((server, tool)) = parts.filter(|(server, tool)| !server.is_empty() && !tool.is_empty()) {
            restated
                .payload
                .insert("tool_name".into(), format!("mcp__{server}__{tool}").into());
            restated.native.insert("tool".into(), theirs.into());
        }
    }
    Ok(restated)
}

// ── actions ──

const VIEW: &[(&str, &str)] = &[("path", "file_path")];
const CREATE: &[(&str, &str)] = &[("path", "file_path"), ("file_text", "content")];
const EDIT: &[(&str, &str)] = &[
    ("path", "file_path"),
    ("old_str", "old_string"),
    ("new_str", "new_string"),
];

/// The PascalCase spelling has Claude Code's tool names over the same arguments.
const TOOLS: &[Tool] = &[
    named("bash", "Bash", Kind::Run("bash"), &[]),
    named("powershell", "PowerShell", Kind::Run("powershell"), &[]),
    named("local_shell", "Bash", Kind::Run("bash"), &[]),
    named("write_bash", "Bash", Kind::Type, &[("input", "command")]),
    named("write_powershell", "PowerShell", Kind::Type, &[("input", "command")]),
    named("view", "Read", Kind::Read, VIEW),
    named("create", "Write", Kind::Write, CREATE),
    named("edit", "Edit", Kind::Write, EDIT),
    named("str_replace_editor", "Edit", Kind::Editor, &[]),
    same("apply_patch", Kind::Patch),
    named("glob", "Glob", Kind::Glob, &[]),
    named("grep", "Grep", Kind::Search, &[]),
    named("rg", "Grep", Kind::Search, &[]),
    named("web_fetch", "WebFetch", Kind::Fetch, &[]),
    named("web_search", "WebSearch", Kind::Nothing, &[]),
    named("task", "Agent", Kind::Nothing, &[]),
    named("skill", "Skill", Kind::Nothing, &[]),
    named("ask_user", "AskUserQuestion", Kind::Nothing, &[]),
    same("Bash", Kind::Run("bash")),
    same("PowerShell", Kind::Run("powershell")),
    named("Read", "Read", Kind::Read, VIEW),
    named("Write", "Write", Kind::Write, CREATE),
    named("Edit", "Edit", Kind::Write, EDIT),
    same("Glob", Kind::Glob),
    same("Grep", Kind::Search),
    same("WebFetch", Kind::Fetch),
    same("Agent", Kind::Nothing),
];

// ── encode ──

fn can(event: &str) -> Can {
    let none = Can::default();
    match event {
        "PreToolUse" => Can {
            block: true,
            ask: true,
            allow: true,
            rewrite: true,
            context: true,
            context_with_block: true,
            ..none
        },
        "PermissionRequest" => Can {
            block: true,
            allow: true,
            ..none
        },
        "PostToolUse" => Can {
            block: true,
            context: true,
            context_with_block: true,
            output: true,
            ..none
        },
        "PostToolUseFailure" | "SessionStart" => Can { context: true, ..none },
        "UserPromptSubmit" => Can {
            block: true,
            context: true,
            ..none
        },
        "Stop" => Can { block: true, ..none },
        _ => none,
    }
}

fn encode(answer: &Answer<'_>) -> Response {
    let told = settle(answer, can(answer.event));
    let mut top = Object::default();
    match answer.event {
        "PreToolUse" => {
            if let Some(decision) = told.decision {
                let word = match decision {
                    Decision::Allow => "allow",
                    Decision::Ask => "ask",
                    Decision::Deny | Decision::Defer => "deny",
                };
                top = top
                    .with("permissionDecision", word)
                    .with("permissionDecisionReason", told.reason.clone());
            }
            top = top.with_some("modifiedArgs", told.input.clone());
        }
        "PermissionRequest" => match told.decision {
            Some(Decision::Deny) => top = top.with("behavior", "deny").with("message", told.reason.clone()),
            Some(Decision::Allow) => top = top.with("behavior", "allow"),
            _ => {}
        },
        _ if told.denies() => top = top.with("decision", "block").with("reason", told.reason.clone()),
        _ => {}
    }
    if let Some(output) = &told.output {
        let whole = output.get("textResultForLlm").is_some().then(|| output.clone());
        let wrapped = || json!({"resultType": "success", "textResultForLlm": as_text(output)});
        top = top.with("modifiedResult", whole.unwrap_or_else(wrapped));
    }
    top = top.with_some("additionalContext", told.context.clone());
    Response::pass(top.line(), told.warnings)
}
