//! The fields of an answer, by what they do on the event.

use serde_json::{Map, Value};

use super::schema::Answer;
use super::text::{MAX_TEXT, capped};
use super::{DEFAULT_BLOCK_REASON, DEFAULT_REQUEST_REASON, decision_of};
use crate::events::{Block, EventSpec, Stop};
use crate::output::{Decision, Output};

/// The fields of an answer, by what they do on this event.
pub(super) fn apply(event: &str, spec: &EventSpec, answer: Answer) -> Output {
    let Answer {
        stop,
        stop_reason,
        suppress_output,
        block,
        reason,
        system_message,
        terminal_sequence,
        specific,
        notes,
    } = answer;
    let mut output = Output {
        suppress_output,
        diagnostics: notes,
        ..Output::default()
    };
    output.system_message = system_message
        .filter(|text| !text.is_empty())
        .map(|text| capped(&text, MAX_TEXT));
    if stop {
        match spec.stop {
            Stop::EndsTurn => output.stop = Some(stop_reason),
            Stop::Ignored => output
                .diagnostics
                .push(format!("continue: false does nothing on {}", event)),
        }
    }
    if let Some(sequence) = terminal_sequence {
        output
            .extra
            .insert("terminalSequence".to_owned(), Value::from(sequence));
    }
    apply_top_level(event, spec, block, reason.as_deref(), &mut output);
    if let Some(specific) = specific {
        apply_specific(spec, specific.fields, reason.as_deref(), &mut output);
    }
    if output.decision == Some(Decision::Deny) {
        output.updated_input = None;
        output.reason.get_or_insert_with(|| DEFAULT_BLOCK_REASON.to_owned());
    }
    output
}

fn apply_top_level(event: &str, spec: &EventSpec, block: Option<bool>, reason: Option<&str>, output: &mut Output) {
    match (block, spec.block) {
        (None, _) => {}
        (Some(true), Block::Prevents | Block::Feedback | Block::KeepsWorking) => {
            output.decision = Some(Decision::Deny);
            output.reason = reason.filter(|text| !text.is_empty()).map(str::to_owned);
        }
        (Some(true), Block::Notice | Block::Ignored) => {
            output
                .diagnostics
                .push(format!("decision: \"block\" does nothing on {}", event));
        }
        (Some(false), Block::Prevents) if spec.takes(Decision::Allow) => {
            output.decision = Some(Decision::Allow);
            output.reason = reason.map(str::to_owned);
        }
        (Some(false), _) => {}
    }
}

fn apply_specific(spec: &EventSpec, fields: Map<String, Value>, reason: Option<&str>, output: &mut Output) {
    let mut own_reason = None;
    let mut decision = None;
    for (key, value) in fields {
        match (key.as_str(), value) {
            ("permissionDecision", Value::String(text)) => decision = decision_of(&text),
            ("permissionDecisionReason", Value::String(text)) => own_reason = Some(text),
            ("additionalContext", Value::String(text)) if !text.is_empty() => {
                output.additional_context = Some(capped(&text, MAX_TEXT));
            }
            ("additionalContext", _) => {}
            ("updatedInput", value) => output.updated_input = Some(value),
            ("updatedToolOutput", value) => output.updated_output = Some(value),
            ("decision", value) => apply_request(&value, output),
            (_, value) => {
                output.extra.insert(key, value);
            }
        }
    }
    let blocked_above = output.decision == Some(Decision::Deny);
    if let Some(decision) = decision
        && (!blocked_above || decision == Decision::Deny)
    {
        output.decision = Some(decision);
        output.reason = own_reason
            .or_else(|| reason.map(str::to_owned))
            .filter(|text| !text.is_empty());
    }
    if spec.name == "PreSkillShellCommand" {
        only_yes_or_no(output);
    }
}

fn apply_request(decision: &Value, output: &mut Output) {
    let text = |key: &str| {
        decision
            .get(key)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    };
    if decision.get("behavior").and_then(Value::as_str) == Some("allow") {
        output.decision = Some(Decision::Allow);
        output.updated_input = decision.get("updatedInput").cloned();
        if let Some(permissions) = decision.get("updatedPermissions") {
            output
                .extra
                .insert("updatedPermissions".to_owned(), permissions.clone());
        }
    } else {
        output.decision = Some(Decision::Deny);
        output.reason = Some(text("message").unwrap_or(DEFAULT_REQUEST_REASON).to_owned());
        if decision.get("interrupt") == Some(&Value::Bool(true)) {
            output.extra.insert("interrupt".to_owned(), Value::Bool(true));
        }
    }
}

/// A skill's command is run as it stands or not at all: a question, a deferral and a rewrite keep it from running.
fn only_yes_or_no(output: &mut Output) {
    let rewritten = output.updated_input.take().is_some();
    if rewritten || matches!(output.decision, Some(Decision::Ask | Decision::Defer)) {
        output.decision = Some(Decision::Deny);
        output
            .diagnostics
            .push("PreSkillShellCommand can only run the command as it is or not at all".to_owned());
    }
}
