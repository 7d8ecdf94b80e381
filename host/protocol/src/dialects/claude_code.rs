//! Claude Code 2.1.332, whose spelling is the canonical one. <https://code.claude.com/docs/en/hooks>

use super::answer::{Answer, Object, Settled};
use super::canonical;
use super::capabilities::CLAUDE_CODE;
use super::tools::{Kind, Tool, same};
use super::{Agent, Response};
use crate::events::{self, Blocking, PlainStdout};
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

/// The table of events has its names.
const EVENTS: &[(&str, &str)] = &{
    let mut names = [("", ""); events::EVENTS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = (events::EVENTS[i].name, events::EVENTS[i].name);
        i += 1;
    }
    names
};

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

fn encode(answer: &Answer<'_>) -> Response {
    let outcome = answer.outcome;
    let event = answer.event;
    let spec = events::spec(event);
    // An event that the table does not name may have no `hookSpecificOutput`, and an unknown name in it would void the whole answer.
    let fields = spec.specific.filter(|_| !spec.name.is_empty());
    let takes = |name: &str| fields.is_some_and(|fields| fields.iter().any(|field| field.name == name));
    let mut warnings = Vec::new();
    let mut dropped = |what: &str| warnings.push(format!("{event}: takes no {what}; it was dropped"));
    let mut decision = outcome.decision;
    let mut reason = answer.reason();
    let mut specific = Object(outcome.extra.clone());
    let terminal = specific.0.shift_remove("terminalSequence");
    let mut top = Object::default();

    if event == "PreSkillShellCommand"
        && matches!(decision, None | Some(Decision::Allow))
        && let Some(input) = answer.updated_input()
    {
        // The rewritten command would not run either: say what was wanted.
        decision = Some(Decision::Deny);
        reason = answer.rewrite_reason(&input);
    }
    if matches!(decision, Some(Decision::Ask | Decision::Defer)) && event != "PermissionRequest" {
        let heard = takes("permissionDecision") && decision.is_some_and(|decision| spec.decisions.contains(&decision));
        decision = match spec.blocks {
            _ if heard => decision,
            _ if takes("permissionDecision") => Some(Decision::Ask),
            // Nobody can be asked here: what may not pass unasked is blocked.
            Blocking::Prevents => Some(Decision::Deny),
            Blocking::KeepsWorking | Blocking::NoEffect => {
                dropped("`ask`");
                None
            }
        };
    }
    let denies = decision == Some(Decision::Deny);

    if takes("permissionDecision") {
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
        if takes("action") {
            specific = specific.with("action", "decline");
        }
    }
    match &outcome.updated_output {
        Some(output) if takes("updatedToolOutput") => specific = specific.with("updatedToolOutput", output.clone()),
        Some(_) => dropped("`updatedOutput`"),
        None => {}
    }
    match answer.context() {
        Some(context) if takes("additionalContext") => specific = specific.with("additionalContext", context),
        // Plain text is appended to the instructions for the compaction.
        Some(context) if spec.plain == PlainStdout::Context && !denies && outcome.stop.is_none() => {
            return Response::pass(context, warnings);
        }
        Some(_) => dropped("`additionalContext`"),
        None => {}
    }
    if spec.plain == PlainStdout::Path && !denies {
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
        if fields.is_some() {
            let named = Object::default().with("hookEventName", event);
            top = top.with(
                "hookSpecificOutput",
                Object(named.0.into_iter().chain(specific.0).collect()),
            );
        } else {
            let names: Vec<&str> = specific.0.keys().map(String::as_str).collect();
            dropped(&format!("`{}`", names.join("`, `")));
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
