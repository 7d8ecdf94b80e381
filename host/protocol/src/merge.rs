//! What all handlers of an event decided together: one fold over their outputs, in the order of the configuration.
//!
//! The strictest answer wins, so that a handler that is added can never weaken what the others decided. The order in which
//! handlers finish does not show.

use serde_json::{Map, Value};

use crate::events::{self, Block, EventSpec};
use crate::output::{Decision, Outcome, Output};

/// Merges the outputs of an event's handlers, given in the order of the configuration.
#[must_use]
pub fn merge(event: &str, outputs: &[Output]) -> Outcome {
    let spec = events::spec(event);
    let mut outcome = Outcome::default();
    let decisions: Vec<Option<Decision>> = outputs
        .iter()
        .map(|output| counted(&spec, output, &mut outcome))
        .collect();
    let decision = decisions.iter().copied().flatten().max();
    let winners: Vec<&Output> = outputs
        .iter()
        .zip(&decisions)
        .filter(|(_, own)| own.is_some() && **own == decision)
        .map(|(output, _)| output)
        .collect();
    let reasons: Vec<&str> = winners
        .iter()
        .filter_map(|output| output.reason.as_deref())
        .filter(|reason| !reason.trim().is_empty())
        .collect();
    outcome.reason = joined(&reasons);
    outcome.decision = decision;
    for output in outputs {
        outcome
            .additional_context
            .extend(output.additional_context.clone().filter(|text| !text.is_empty()));
        outcome
            .system_messages
            .extend(output.system_message.clone().filter(|text| !text.is_empty()));
        outcome.suppress_output |= output.suppress_output;
        if outcome.stop.is_none() {
            outcome.stop.clone_from(&output.stop);
        }
        outcome
            .warnings
            .extend(output.failure.iter().map(|failure| failure.message.clone()));
    }
    outcome.updated_input = rewritten_input(outputs, &decisions, decision, &mut outcome.warnings);
    outcome.updated_output = last_wins(
        "updatedOutput",
        outputs.iter().map(|output| output.updated_output.as_ref()),
        &mut outcome.warnings,
    );
    outcome.extra = merged_extra(outputs, &decisions, decision, &mut outcome.warnings);
    if outcome.stop.is_some() && spec.block == Block::KeepsWorking && spec.name != "TaskCompleted" && decision.is_some()
    {
        // `continue: false` ends the turn; a block, which would go on working, is the weaker of the two.
        outcome.decision = None;
        outcome.reason = None;
        outcome.warnings.push(format!(
            "continue: false ends the turn on {event}: a block beside it does not count"
        ));
    }
    outcome
}

/// A decision in so far as the event knows it. A question or a deferral that the event cannot pass on is a refusal: who
/// asks has not agreed.
fn counted(spec: &EventSpec, output: &Output, outcome: &mut Outcome) -> Option<Decision> {
    let decision = output.decision?;
    if spec.takes(decision) {
        return Some(decision);
    }
    let name = spec.name;
    match decision {
        Decision::Ask | Decision::Defer if spec.blocks == events::Blocking::Prevents => {
            outcome
                .warnings
                .push(format!("{name} cannot ask or defer: refused instead"));
            Some(Decision::Deny)
        }
        Decision::Ask | Decision::Defer => {
            outcome.warnings.push(format!("{name} cannot ask or defer: dropped"));
            None
        }
        // An allow where there is nothing to allow.
        Decision::Allow | Decision::Deny => None,
    }
}

/// Several reasons, a blank line between them; one alone stays as it is.
fn joined(reasons: &[&str]) -> Option<String> {
    match reasons {
        [] => None,
        [one] => Some((*one).to_owned()),
        many => Some(
            many.iter()
                .map(|reason| reason.trim_end())
                .collect::<Vec<_>>()
                .join("\n\n"),
        ),
    }
}

/// The rewrite that goes with the decision: of those who decided it, or who decided nothing.
fn rewritten_input(
    outputs: &[Output],
    decisions: &[Option<Decision>],
    decision: Option<Decision>,
    warnings: &mut Vec<String>,
) -> Option<Value> {
    if decision == Some(Decision::Deny) {
        return None;
    }
    let mut counting = Vec::new();
    for (output, own) in outputs.iter().zip(decisions) {
        let Some(rewrite) = &output.updated_input else { continue };
        if own.is_none() || *own == decision {
            counting.push(Some(rewrite));
        } else {
            warnings.push("an updatedInput was dropped: a stricter answer than its own decided".to_owned());
        }
    }
    last_wins("updatedInput", counting.into_iter(), warnings)
}

fn last_wins<'a>(
    name: &str,
    values: impl Iterator<Item = Option<&'a Value>>,
    warnings: &mut Vec<String>,
) -> Option<Value> {
    let given: Vec<&Value> = values.flatten().collect();
    if given.windows(2).any(|pair| pair[0] != pair[1]) {
        warnings.push(format!(
            "conflicting {name} of {} handlers: the last in the configuration counts",
            given.len()
        ));
    }
    given.last().map(|value| (*value).clone())
}

/// The further fields. What loosens (permissions, an accepted form, a retry) needs the consent of all.
fn merged_extra(
    outputs: &[Output],
    decisions: &[Option<Decision>],
    decision: Option<Decision>,
    warnings: &mut Vec<String>,
) -> Map<String, Value> {
    let mut merged = Map::new();
    let strictest = outputs.iter().filter_map(|output| action_rank(&output.extra)).max();
    for (output, own) in outputs.iter().zip(decisions) {
        for (key, value) in &output.extra {
            let counts = match key.as_str() {
                "updatedPermissions" => decision == Some(Decision::Allow) && *own == decision,
                "interrupt" => decision == Some(Decision::Deny),
                "action" | "content" => decision != Some(Decision::Deny) && action_rank(&output.extra) == strictest,
                "worktreePath" => decision != Some(Decision::Deny),
                _ => true,
            };
            if !counts {
                warnings.push(format!("{key} was dropped: a stricter answer decided"));
                continue;
            }
            let combined = match (merged.remove(key), value) {
                (None, value) => value.clone(),
                (Some(Value::Bool(before)), Value::Bool(now)) if key == "retry" => Value::Bool(before && *now),
                (Some(Value::Bool(before)), Value::Bool(now)) => Value::Bool(before || *now),
                (Some(Value::Array(mut before)), Value::Array(now)) => {
                    before.extend(now.iter().cloned());
                    Value::Array(before)
                }
                (Some(before), now) => {
                    if before != *now {
                        warnings.push(format!("conflicting {key}: the last in the configuration counts"));
                    }
                    now.clone()
                }
            };
            merged.insert(key.clone(), combined);
        }
    }
    merged
}

/// How strict an answer to a form is; none where there is no such answer.
fn action_rank(extra: &Map<String, Value>) -> Option<u8> {
    match extra.get("action").and_then(Value::as_str)? {
        "accept" => Some(0),
        "cancel" => Some(1),
        _ => Some(2),
    }
}
