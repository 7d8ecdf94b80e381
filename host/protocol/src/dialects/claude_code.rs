//! Claude Code 2.1.332, whose spelling is the canonical one. <https://code.claude.com/docs/en/hooks>

use super::answer::{Answer, Object, Settled};
use super::canonical;
use super::capabilities::CLAUDE_CODE;
use super::tools::{Kind, Tool, same};
use super::{Agent, Response};
use crate::output::Decision;

pub(super) static AGENT: Agent = Agent {
    capabilities: CLAUDE_CODE,
    events: EVENTS,
    event_keys: &["hook_event_name"],
    sign: None,
    infer: canonical::no_shape,
    tools: TOOLS,
    restate: canonical::restate,
    encode,
};

// ── names ──

const fn event(name: &'static str) -> (&'static str, &'static str) {
    (name, name)
}

const EVENTS: &[(&str, &str)] = &[
    event("PreToolUse"),
    event("PostToolUse"),
    event("PostToolUseFailure"),
    event("PostToolBatch"),
    event("PermissionDenied"),
    event("Notification"),
    event("UserPromptSubmit"),
    event("UserPromptExpansion"),
    event("SessionStart"),
    event("Stop"),
    event("StopFailure"),
    event("SubagentStart"),
    event("SubagentStop"),
    event("PreCompact"),
    event("PostCompact"),
    event("PreModelSwitch"),
    event("PostModelSwitch"),
    event("SessionEnd"),
    event("PermissionRequest"),
    event("Setup"),
    event("TeammateIdle"),
    event("TaskCreated"),
    event("TaskCompleted"),
    event("Elicitation"),
    event("ElicitationResult"),
    event("ConfigChange"),
    event("InstructionsLoaded"),
    event("WorktreeCreate"),
    event("WorktreeRemove"),
    event("CwdChanged"),
    event("FileChanged"),
    event("DirectoryAdded"),
    event("MessageDisplay"),
    event("PreSkillShellCommand"),
];

// ── actions ──

/// Tools that are not here (`Monitor`, `LSP`, `ReadMcpResourceTool`, what the next version brings) are judged by their arguments.
pub(super) const TOOLS: &[Tool] = &[
    same("Bash", Kind::Run("bash")),
    same("PowerShell", Kind::Run("powershell")),
    same("Read", Kind::Read),
    same("NotebookRead", Kind::Read),
    same("Write", Kind::Write),
    same("Edit", Kind::Write),
    same("MultiEdit", Kind::Write),
    same("NotebookEdit", Kind::Write),
    same("Glob", Kind::Glob),
    same("Grep", Kind::Search),
    same("LS", Kind::Search),
    same("WebFetch", Kind::Fetch),
    same("WebSearch", Kind::Nothing),
    same("Agent", Kind::Nothing),
    same("Task", Kind::Nothing),
    same("TodoWrite", Kind::Nothing),
    same("Skill", Kind::Nothing),
    // Its `command` is the name of a prompt, not a program.
    same("SlashCommand", Kind::Nothing),
    same("AskUserQuestion", Kind::Nothing),
    same("ExitPlanMode", Kind::Nothing),
];

// ── encode ──

/// Events whose answer is a `permissionDecision`.
const PERMISSION: &[&str] = &["PreToolUse", "PreModelSwitch", "PreSkillShellCommand"];

/// Events whose `hookSpecificOutput` takes `additionalContext`.
const CONTEXT: &[&str] = &[
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "SessionStart",
    "Setup",
    "SubagentStart",
    "Stop",
    "SubagentStop",
    "Notification",
    "PostModelSwitch",
];

/// Events that have a `hookSpecificOutput` without context.
const SPECIFIC: &[&str] = &[
    "PreModelSwitch",
    "PreSkillShellCommand",
    "PermissionRequest",
    "PermissionDenied",
    "CwdChanged",
    "FileChanged",
    "Elicitation",
    "ElicitationResult",
    "WorktreeCreate",
    "MessageDisplay",
];

/// Events in which a block only makes the agent go on working, or does nothing: an `ask` is no reason for one.
const NOT_ASKED: &[&str] = &[
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "PermissionDenied",
    "Notification",
    "SessionStart",
    "SessionEnd",
    "Setup",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "PostCompact",
    "PostModelSwitch",
    "TeammateIdle",
    "TaskCompleted",
    "InstructionsLoaded",
    "WorktreeRemove",
    "CwdChanged",
    "FileChanged",
    "DirectoryAdded",
    "MessageDisplay",
];

fn encode(answer: &Answer<'_>) -> Response {
    let outcome = answer.outcome;
    let event = answer.event;
    let mut warnings = Vec::new();
    let mut decision = outcome.decision;
    let mut reason = answer.reason();
    let mut specific = Object(outcome.extra.clone());
    let terminal = specific.0.shift_remove("terminalSequence");
    let mut top = Object::default();

    match (decision, event) {
        // Nobody is asked here: what may not pass unasked is blocked.
        (Some(Decision::Ask | Decision::Defer), event)
            if !PERMISSION.contains(&event) && event != "PermissionRequest" && !NOT_ASKED.contains(&event) =>
        {
            decision = Some(Decision::Deny);
        }
        // A model switch can be asked about, not deferred.
        (Some(Decision::Defer), "PreModelSwitch") => decision = Some(Decision::Ask),
        // The rewritten command would not run either: say what was wanted.
        (None | Some(Decision::Allow), "PreSkillShellCommand") => {
            if let Some(input) = answer.updated_input() {
                decision = Some(Decision::Deny);
                reason = answer.rewrite_reason(&input);
            }
        }
        _ => {}
    }
    let denies = decision == Some(Decision::Deny);

    if PERMISSION.contains(&event) {
        if let Some(decision) = decision {
            let told = denies || outcome.reason.is_some();
            specific = specific
                .with("permissionDecision", word(decision))
                .with_some("permissionDecisionReason", told.then(|| reason.clone()));
        }
        if event == "PreToolUse" && !denies {
            specific = specific.with_some("updatedInput", answer.updated_input());
        }
    } else if event == "PermissionRequest" {
        specific = permission_request(answer, specific);
    } else if denies {
        top = top.with("decision", "block").with("reason", reason.clone());
        if event.starts_with("Elicitation") {
            specific = specific.with("action", "decline");
        }
    } else if decision.is_some() && decision != Some(Decision::Allow) {
        warnings.push(format!("{event}: nobody can be asked here; the answer was dropped"));
    }
    if let Some(output) = &outcome.updated_output {
        if event == "PostToolUse" {
            specific = specific.with("updatedToolOutput", output.clone());
        } else {
            warnings.push(format!("{event}: takes no `updatedOutput`; it was dropped"));
        }
    }
    if let Some(context) = answer.context() {
        if CONTEXT.contains(&event) {
            specific = specific.with("additionalContext", context);
        } else if event == "PreCompact" && !denies && outcome.stop.is_none() && outcome.system_messages.is_empty() {
            // Plain text is appended to the instructions for the compaction.
            return Response::pass(context, warnings);
        } else {
            warnings.push(format!("{event}: takes no `additionalContext`; it was dropped"));
        }
    }
    if event == "WorktreeCreate" && !denies {
        // A command hook answers with the path itself.
        let path = outcome.extra.get("worktreePath").and_then(|path| path.as_str());
        return Response::pass(path.map(|path| format!("{path}\n")).unwrap_or_default(), warnings);
    }
    if let Some(stop) = &outcome.stop {
        top = top.with("continue", false).with_some("stopReason", stop.clone());
    }
    top = top
        .with_some("systemMessage", answer.system_message())
        .with_some("terminalSequence", terminal);
    if outcome.suppress_output {
        top = top.with("suppressOutput", true);
    }
    if !specific.0.is_empty() {
        if CONTEXT.contains(&event) || SPECIFIC.contains(&event) {
            let named = Object::default().with("hookEventName", event);
            top = top.with(
                "hookSpecificOutput",
                Object(named.0.into_iter().chain(specific.0).collect()),
            );
        } else {
            // An unknown `hookEventName` would void the whole answer.
            let names: Vec<String> = specific.0.keys().map(|key| format!("`{key}`")).collect();
            warnings.push(format!(
                "{event}: has no `hookSpecificOutput`; dropped: {}",
                names.join(", ")
            ));
        }
    }
    if denies {
        Response::block(top.line(), &reason, warnings)
    } else {
        Response::pass(top.line(), warnings)
    }
}

/// The `decision` of a permission request. Asking is what happens without one.
fn permission_request(answer: &Answer<'_>, mut specific: Object) -> Object {
    let permissions = specific.0.shift_remove("updatedPermissions");
    let interrupt = specific.0.shift_remove("interrupt");
    let decision = match answer.outcome.decision {
        Some(Decision::Deny) => Object::default()
            .with("behavior", "deny")
            .with("message", answer.reason())
            .with_some("interrupt", interrupt),
        Some(Decision::Allow) => Object::default()
            .with("behavior", "allow")
            .with_some("updatedInput", answer.updated_input())
            .with_some("updatedPermissions", permissions),
        _ => return specific,
    };
    specific.with("decision", decision)
}

fn word(decision: Decision) -> &'static str {
    match decision {
        Decision::Allow => "allow",
        Decision::Ask => "ask",
        Decision::Defer => "defer",
        Decision::Deny => "deny",
    }
}

/// An outcome after another agent's fallbacks, in this spelling: for the agents that read Claude Code's answers.
pub(super) fn say(answer: &Answer<'_>, told: &Settled) -> Response {
    let mut top = told
        .stopping(Object::default())
        .with_some("systemMessage", told.message.clone());
    let mut specific = Object::default();
    match (answer.event, told.decision) {
        ("PreToolUse", Some(decision)) => {
            let reason = Some(told.reason.clone()).filter(|reason| !reason.is_empty());
            specific = specific
                .with("permissionDecision", word(decision))
                .with_some("permissionDecisionReason", reason);
        }
        ("PermissionRequest", Some(Decision::Deny)) => {
            specific = specific.with(
                "decision",
                Object::default()
                    .with("behavior", "deny")
                    .with("message", told.reason.clone()),
            );
        }
        ("PermissionRequest", Some(_)) => {
            specific = specific.with("decision", Object::default().with("behavior", "allow"))
        }
        (_, Some(Decision::Deny)) => top = top.with("decision", "block").with("reason", told.reason.clone()),
        _ => {}
    }
    specific = specific
        .with_some("updatedInput", told.input.clone())
        .with_some("additionalContext", told.context.clone());
    if !specific.0.is_empty() {
        let named = Object::default().with("hookEventName", answer.native_event);
        top = top.with(
            "hookSpecificOutput",
            Object(named.0.into_iter().chain(specific.0).collect()),
        );
    }
    let warnings = told.warnings.clone();
    if told.denies() {
        Response::block(top.line(), &told.reason, warnings)
    } else {
        Response::pass(top.line(), warnings)
    }
}
