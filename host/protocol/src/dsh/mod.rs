//! The hook bridge of DeepSeek Harness: an older, looser reading of the same protocol, function by function.
//!
//! Seven events, JSON at exit 0 alone, fields of a wrong type skipped, reasons joined, a configuration with an invalid
//! expression refused whole. Source: the public package `hook-protocol` of deepseek-harness, described in its own documents.

mod audit;
mod config;

use serde_json::{Map, Value};

pub use self::audit::{audit, point};
pub use self::config::{ConfigError, EVENTS, Group, Hook, ParsedConfig, Variables, parse_config, substitute_command};

use crate::codec::json;
use crate::codec::{self, Exit, Run};
use crate::dialect::DshMode;
use crate::output::{Decision, Failure, FailureKind, OnFailure, Output};

/// What `parse_hook_output` answers; absent fields are `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HookOutput {
    /// None where the program could not be run or was killed.
    pub exit_code: Option<i64>,
    /// Without the blanks around it.
    pub stdout: String,
    /// Without the blanks around it.
    pub stderr: String,
    /// `approve`, `block`, `allow`, `deny` or `ask`.
    pub decision: Option<String>,
    pub reason: Option<String>,
    /// The field `continue`.
    pub goes_on: Option<bool>,
    pub stop_reason: Option<String>,
    pub system_message: Option<String>,
    pub additional_context: Option<String>,
    /// What the answer says it is for, also where that is wrong.
    pub hook_event_name: Option<String>,
    /// Read, and never applied by the bridge.
    pub updated_input: Option<Value>,
}

/// What `merge_hook_outputs` answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergedOutcome {
    /// None stands for the bridge's `none`.
    pub decision: Option<Decision>,
    pub reason: Option<String>,
    pub stop: bool,
    pub stop_reason: Option<String>,
    pub additional_context: Vec<String>,
    pub system_messages: Vec<String>,
}

fn is_match_all(matcher: Option<&str>) -> bool {
    matches!(matcher, None | Some("" | "*"))
}

fn is_literal(matcher: &str, mode: DshMode) -> bool {
    mode == DshMode::ClaudeCode
        && matcher
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'|'))
}

/// Whether a matcher selects a value. An invalid expression selects nothing.
#[must_use]
pub fn matches_matcher(matcher: Option<&str>, value: &str, mode: DshMode) -> bool {
    match matcher {
        _ if is_match_all(matcher) => true,
        None => true,
        Some(literal) if is_literal(literal, mode) => literal.split('|').any(|alternative| alternative == value),
        Some(expression) => regress::Regex::new(expression).is_ok_and(|regex| regex.find(value).is_some()),
    }
}

/// What is wrong with a matcher, if anything.
#[must_use]
pub fn matcher_diagnostic(matcher: Option<&str>, mode: DshMode) -> Option<String> {
    let expression = matcher.filter(|text| !is_match_all(Some(text)) && !is_literal(text, mode))?;
    let quoted = Value::from(expression);
    regress::Regex::new(expression)
        .is_err()
        .then(|| format!("invalid {} regex matcher {quoted}", mode.name()))
}

/// Reads what a hook answered. With `expected` the block of another event, and one that names no event, is dropped.
#[must_use]
pub fn parse_hook_output(exit_code: Option<i64>, stdout: &str, stderr: &str, expected: Option<&str>) -> HookOutput {
    let mut output = HookOutput {
        exit_code,
        stdout: trim(stdout).to_owned(),
        stderr: trim(stderr).to_owned(),
        ..HookOutput::default()
    };
    if exit_code == Some(2) {
        output.decision = Some("block".to_owned());
        output.reason = (!output.stderr.is_empty()).then(|| output.stderr.clone());
    }
    if exit_code == Some(0)
        && output.stdout.starts_with('{')
        && let Ok(Value::Object(object)) = json::parse(&output.stdout)
    {
        apply(&mut output, &object, expected);
    }
    output
}

fn apply(output: &mut HookOutput, object: &Map<String, Value>, expected: Option<&str>) {
    output.goes_on = object.get("continue").and_then(Value::as_bool);
    output.stop_reason = text(object, "stopReason");
    output.system_message = text(object, "systemMessage");
    output.decision = text(object, "decision").filter(|decision| matches!(decision.as_str(), "approve" | "block"));
    output.reason = text(object, "reason");
    let Some(Value::Object(specific)) = object.get("hookSpecificOutput") else {
        return;
    };
    output.hook_event_name = text(specific, "hookEventName");
    if expected.is_some() && output.hook_event_name.as_deref() != expected {
        return;
    }
    let permission = text(specific, "permissionDecision");
    if let Some(permission) = permission.filter(|decision| matches!(decision.as_str(), "allow" | "deny" | "ask")) {
        output.decision = Some(permission);
    }
    if let Some(reason) = text(specific, "permissionDecisionReason") {
        output.reason = Some(reason);
    }
    output.additional_context = text(specific, "additionalContext");
    output.updated_input = specific.get("updatedInput").filter(|value| value.is_object()).cloned();
}

/// The strictest of all outputs, in their order.
#[must_use]
pub fn merge_hook_outputs(outputs: &[HookOutput]) -> MergedOutcome {
    let rank = |output: &HookOutput| match output.decision.as_deref() {
        Some("deny" | "block") => Some(Decision::Deny),
        Some("ask") => Some(Decision::Ask),
        Some("approve" | "allow") => Some(Decision::Allow),
        _ => None,
    };
    let kept = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    let decision = outputs.iter().filter_map(rank).max();
    let reasons: Vec<String> = outputs
        .iter()
        .filter(|output| decision > Some(Decision::Allow) && rank(output) == decision)
        .filter_map(|output| kept(&output.reason))
        .collect();
    let stop = outputs.iter().find(|output| output.goes_on == Some(false));
    MergedOutcome {
        decision,
        reason: (!reasons.is_empty()).then(|| reasons.join("\n\n")),
        stop: stop.is_some(),
        stop_reason: stop.and_then(|output| output.stop_reason.clone()),
        additional_context: outputs
            .iter()
            .filter_map(|output| kept(&output.additional_context))
            .collect(),
        system_messages: outputs
            .iter()
            .filter_map(|output| kept(&output.system_message))
            .collect(),
    }
}

/// What a harness does at one of the bridge's four intercept points. None of them: it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Intercept {
    /// `pre_step`: the prompt is not taken.
    Reject,
    /// `pre_tool`: the call does not run.
    Deny { reason: Option<String> },
    /// `pre_tool`: the user decides.
    Ask { reason: Option<String> },
    /// `post_tool`: the model is told beside the result.
    Block { feedback: Option<String> },
    /// `stop`: the turn goes on.
    Continue { reason: String },
}

/// The reason with which a turn goes on where the hook gave none.
pub const DEFAULT_CONTINUE_REASON: &str = "continue: blocked by Stop hook";

/// What a merged outcome means at the intercept point of an event.
#[must_use]
pub fn intercept(event: &str, merged: &MergedOutcome) -> Option<Intercept> {
    let reason = merged.reason.clone();
    match (event, merged.decision?) {
        ("UserPromptSubmit", Decision::Deny) => Some(Intercept::Reject),
        ("PreToolUse", Decision::Deny) => Some(Intercept::Deny { reason }),
        ("PreToolUse", Decision::Ask) => Some(Intercept::Ask { reason }),
        ("PostToolUse", Decision::Deny) => Some(Intercept::Block { feedback: reason }),
        ("Stop" | "SubagentStop", Decision::Deny) => Some(Intercept::Continue {
            reason: reason.unwrap_or_else(|| DEFAULT_CONTINUE_REASON.to_owned()),
        }),
        _ => None,
    }
}

/// The same reading, as an `Output` of this crate.
#[must_use]
pub fn decode(event: &str, run: &Run<'_>, on_failure: OnFailure) -> Output {
    let fail = |kind, message| codec::failed(event, run.label, Failure { kind, message }, on_failure);
    let code = match &run.exit {
        Exit::Code(code) => *code,
        Exit::Signal(signal) => return fail(FailureKind::Exit, format!("killed by signal {signal}")),
        Exit::TimedOut => return fail(FailureKind::TimedOut, "no answer in time".to_owned()),
        Exit::CouldNotStart(why) => return fail(FailureKind::CouldNotStart, why.clone()),
    };
    let stderr = String::from_utf8_lossy(run.stderr);
    if code != 0 && code != 2 {
        return fail(FailureKind::Exit, format!("exit code {code}: {}", stderr.trim()));
    }
    let read = parse_hook_output(
        Some(code.into()),
        &String::from_utf8_lossy(run.stdout),
        &stderr,
        Some(event),
    );
    let decision = match read.decision.as_deref() {
        Some("approve" | "allow") => Some(Decision::Allow),
        Some("ask") => Some(Decision::Ask),
        Some("block" | "deny") => Some(Decision::Deny),
        _ => None,
    };
    Output {
        decision,
        reason: read.reason.filter(|_| decision.is_some()),
        updated_input: read.updated_input,
        additional_context: read.additional_context.filter(|text| !text.is_empty()),
        system_message: read.system_message.filter(|text| !text.is_empty()),
        stop: (read.goes_on == Some(false)).then_some(read.stop_reason),
        ..Output::default()
    }
}

fn text(object: &Map<String, Value>, key: &str) -> Option<String> {
    object.get(key).and_then(Value::as_str).map(str::to_owned)
}

fn trim(text: &str) -> &str {
    text.trim_matches(codec::is_blank)
}
