//! `dispatch`: a whole event with given answers instead of programs. Matcher, `if`, codec, merge and the agent's answer.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::request::{Request, RequestError};
use super::{exit_of, values};
use crate::codec::{self, Run};
use crate::config::{self, Handler, HandlerKind, Layer, LayerFile, Layers};
use crate::dialect::Dialect;
use crate::dialects;
use crate::event::Event;
use crate::merge::merge;
use crate::output::{Decision, Failure, FailureKind, OnFailure, Outcome, Output};

pub(super) fn dispatch(request: &Request<'_>) -> Result<Value, RequestError> {
    let dialect = request.dialect()?;
    let (event, unjudged) = request.event()?;
    let parsed = match request.optional_text("config_text")? {
        Some(text) => config::parse(text, "config"),
        None => config::parse_value(request.value("config")?, "config"),
    };
    if let Some(error) = &parsed.error {
        return Err(RequestError::Config(values::said(error)));
    }
    let linted = config::lint(dialect, &parsed.config, "config");
    let mut diagnostics: Vec<String> = parsed.diagnostics.iter().chain(&linted).map(values::said).collect();
    let answers = request.list("handlers")?;
    // The answers are those of the event's handlers, in the order of the configuration.
    let handlers = parsed
        .config
        .groups(&event.name)
        .iter()
        .flat_map(|group| &group.handlers);
    let places: HashMap<String, usize> = handlers
        .enumerate()
        .map(|(index, handler)| (handler.path.clone(), index))
        .collect();
    let file = LayerFile {
        layer: Layer::User,
        trusted: true,
        file: "config".to_owned(),
        parsed,
    };
    let layers = Layers::new(vec![file]);
    let selection = config::select(&layers, dialect, &event);
    let mut ran = Vec::new();
    let mut steps = Vec::new();
    let mut outputs: Vec<Output> = unjudged.iter().map(|why| not_judged(&event, why.to_string())).collect();
    for entry in &selection.entries {
        let handler = &entry.handler;
        let Some(index) = places.get(handler.path.as_str()).copied() else {
            continue;
        };
        let output = match &handler.kind {
            HandlerKind::Other { .. } => continue,
            HandlerKind::Broken { error } => not_judged(&event, format!("{}: {error}", handler.path)),
            HandlerKind::Command(_) | HandlerKind::Wasm(_) => {
                let answer = answers.get(index).ok_or(RequestError::TooFewAnswers {
                    given: answers.len(),
                    needed: places.len(),
                })?;
                ran.push(index);
                decoded(dialect, &event, handler, entry.on_failure, answer)?
            }
        };
        steps.push(json!({ "handler": label(handler), "path": handler.path, "output": values::output(&output) }));
        outputs.push(output);
    }
    let mut outcome = merge(&event.name, &outputs);
    outcome.ask_passes = layers.ask_passes();
    codec::fill_default_reason(&event, &mut outcome);
    if let Some(why) = unjudged_rewrite(&event, &outcome) {
        outcome.decision = Some(Decision::Deny);
        outcome.reason = Some(why.clone());
        outcome.updated_input = None;
        outcome.warnings.push(why);
    }
    let response = dialects::encode_event(&event, &outcome);
    for found in selection.diagnostics.iter().map(values::said) {
        if !diagnostics.contains(&found) {
            diagnostics.push(found);
        }
    }
    Ok(json!({
        "ran": ran,
        "outcome": values::outcome(&outcome),
        "response": { "stdout": response.stdout, "stderr": response.stderr, "exit": response.exit },
        "steps": steps,
        "diagnostics": diagnostics,
    }))
}

/// Why a rewritten call cannot be judged again, where that is so: no such call is let through.
fn unjudged_rewrite(event: &Event, outcome: &Outcome) -> Option<String> {
    let input = outcome.updated_input.as_ref()?;
    let mut payload = event.payload.clone();
    payload.as_object_mut()?.insert("tool_input".to_owned(), input.clone());
    let error = dialects::decode("claude-code", payload).err()?;
    Some(format!("the rewritten call cannot be judged: {error}"))
}

fn decoded(
    dialect: Dialect,
    event: &Event,
    handler: &Handler,
    on_failure: OnFailure,
    answer: &Value,
) -> Result<Output, RequestError> {
    let text = |key: &str| match answer.get(key) {
        None | Some(Value::Null) => Ok(""),
        Some(Value::String(text)) => Ok(text.as_str()),
        Some(_) => Err(RequestError::wrong(
            "handlers",
            "answers with stdout and stderr as strings",
        )),
    };
    let run = Run {
        label: label(handler),
        exit: answer.get("exit").map_or_else(|| exit_of(&json!(0)), exit_of)?,
        stdout: text("stdout")?.as_bytes(),
        stderr: text("stderr")?.as_bytes(),
    };
    if let HandlerKind::Command(command) = &handler.kind
        && (command.run_async || command.async_rewake)
    {
        return Ok(codec::background(&event.name, text("stdout")?));
    }
    Ok(codec::decode(dialect, &event.name, &run, on_failure))
}

/// An event that lacks what a call is about, and a guard that cannot be loaded, block whatever the others say.
fn not_judged(event: &Event, message: String) -> Output {
    codec::host_failure(
        &event.name,
        Failure {
            kind: FailureKind::NotLoaded,
            message,
        },
    )
}

/// What messages call a handler.
fn label(handler: &Handler) -> &str {
    match &handler.kind {
        HandlerKind::Command(command) => &command.command,
        HandlerKind::Wasm(wasm) => &wasm.plugin,
        HandlerKind::Other { type_name } => type_name,
        HandlerKind::Broken { .. } => &handler.path,
    }
}
