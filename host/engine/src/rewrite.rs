//! A rewrite is judged again: the handlers that saw the original judge what would really run.

use crate::engine::Engine;
use crate::fault::HostFault;
use crate::handler::Told;
use hookbox_protocol::config::Layers;
use hookbox_protocol::dialects;
use hookbox_protocol::{Decision, Event, Outcome};
use serde_json::Value;
use std::sync::Arc;

/// How often a rewrite of a rewrite is followed.
const ROUNDS: usize = 4;

/// Follows `updated_input` until the handlers agree with what would run.
pub(crate) fn judge_again(
    engine: &Engine,
    event: &Event,
    layers: &Layers,
    mut outcome: Outcome,
    told: &mut Vec<Told>,
) -> Outcome {
    for _ in 0..ROUNDS {
        let Some(input) = outcome.updated_input.clone() else {
            return outcome;
        };
        if outcome.decision == Some(Decision::Deny) || Some(&input) == event.payload.get("tool_input") {
            return outcome;
        }
        let rewritten = match with_input(engine, event, &input) {
            Ok(rewritten) => rewritten,
            Err(fault) => return fault.outcome(&event.name),
        };
        let (again, answers) = engine.decide(&Arc::new(rewritten), layers);
        told.extend(answers);
        match again.updated_input {
            Some(next) if next != input => {
                outcome.updated_input = Some(next);
                outcome.decision = stricter(outcome.decision, again.decision);
            }
            _ => return merged(outcome, again),
        }
    }
    HostFault::Rewrites(ROUNDS).outcome(&event.name)
}

/// The same call with another input. Its actions are read anew.
fn with_input(engine: &Engine, event: &Event, input: &Value) -> Result<Event, HostFault> {
    let mut payload = event.payload.clone();
    if let Some(payload) = payload.as_object_mut() {
        payload.insert("tool_input".into(), input.clone());
    }
    let home = engine.options().home_text();
    let surroundings = dialects::Surroundings {
        project: Some(&event.project),
        cwd: Some(&event.cwd),
        home: (!home.is_empty()).then_some(home.as_str()),
    };
    let mut rewritten = dialects::decode_in("claude-code", payload, &surroundings)
        .map_err(|error| HostFault::Event(format!("the rewritten input: {error}")))?;
    rewritten.agent.clone_from(&event.agent);
    Ok(rewritten)
}

/// An `allow` of the original says nothing of the rewritten call; everything stricter does.
fn stricter(first: Option<Decision>, again: Option<Decision>) -> Option<Decision> {
    first.filter(|decision| *decision != Decision::Allow).max(again)
}

fn merged(first: Outcome, again: Outcome) -> Outcome {
    let decision = stricter(first.decision, again.decision);
    if decision == again.decision && decision != first.decision {
        let mut outcome = Outcome {
            decision,
            reason: again.reason,
            ..first
        };
        if decision == Some(Decision::Deny) {
            outcome.updated_input = None;
            outcome
                .warnings
                .push("the call was denied as one of its handlers had rewritten it".into());
        }
        outcome.stop = outcome.stop.or(again.stop);
        return outcome;
    }
    Outcome {
        decision,
        stop: first.stop.or(again.stop),
        ..first
    }
}
