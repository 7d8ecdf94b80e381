//! The types of this crate as JSON, under the names of the contract in camelCase.

use hookbox_shell::{Analysis, SimpleCommand, Word};
use serde_json::{Value, json};

use super::request::RequestError;
use crate::codec::decision_of;
use crate::config::Diagnostic;
use crate::event::Action;
use crate::output::{Decision, Outcome, Output};

/// A diagnostic in one text, its hint on a line of its own.
pub(super) fn said(diagnostic: &Diagnostic) -> String {
    let hint = diagnostic
        .hint
        .as_ref()
        .map(|hint| format!("\nhint: {hint}"))
        .unwrap_or_default();
    let place = if diagnostic.path.is_empty() {
        String::new()
    } else {
        format!("{}: ", diagnostic.path)
    };
    format!("{place}{}{hint}", diagnostic.message)
}

/// An object without the fields that say nothing.
pub(super) fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let silent = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Bool(true) | Value::Number(_) | Value::String(_) => false,
    };
    let kept = fields.into_iter().filter(|(_, value)| !silent(value));
    Value::Object(kept.map(|(key, value)| (key.to_owned(), value)).collect())
}

fn stop_fields(stop: Option<&Option<String>>) -> (Value, Value) {
    (
        Value::Bool(stop.is_some()),
        stop.cloned().flatten().map_or(Value::Null, Value::String),
    )
}

pub(super) fn output(output: &Output) -> Value {
    let (stop, stop_reason) = stop_fields(output.stop.as_ref());
    object([
        ("decision", json!(Decision::word(output.decision))),
        ("reason", json!(output.reason)),
        ("rule", json!(output.rule)),
        ("updatedInput", json!(output.updated_input)),
        ("updatedOutput", json!(output.updated_output)),
        ("additionalContext", json!(output.additional_context)),
        ("systemMessage", json!(output.system_message)),
        ("stop", stop),
        ("stopReason", stop_reason),
        ("suppressOutput", json!(output.suppress_output)),
        ("extra", Value::Object(output.extra.clone())),
        (
            "failure",
            output
                .failure
                .as_ref()
                .map_or(Value::Null, |failure| json!(failure.message)),
        ),
        ("diagnostics", json!(output.diagnostics)),
    ])
}

/// The lists, `decision` and `stop` are always there.
pub(super) fn outcome(outcome: &Outcome) -> Value {
    let (stop, stop_reason) = stop_fields(outcome.stop.as_ref());
    let always = json!({
        "decision": Decision::word(outcome.decision),
        "stop": stop,
        "additionalContext": outcome.additional_context,
        "systemMessages": outcome.system_messages,
    });
    let said = object([
        ("reason", json!(outcome.reason)),
        ("updatedInput", json!(outcome.updated_input)),
        ("updatedOutput", json!(outcome.updated_output)),
        ("stopReason", stop_reason),
        ("suppressOutput", json!(outcome.suppress_output)),
        ("extra", Value::Object(outcome.extra.clone())),
        ("warnings", json!(outcome.warnings)),
    ]);
    joined(always, said)
}

/// Both objects' fields.
pub(super) fn joined(first: Value, second: Value) -> Value {
    match (first, second) {
        (Value::Object(mut first), Value::Object(second)) => {
            first.extend(second);
            Value::Object(first)
        }
        (first, _) => first,
    }
}

/// An output as `output` writes it.
pub(super) fn read_output(value: &Value) -> Result<Output, RequestError> {
    let Value::Object(map) = value else {
        return Err(RequestError::wrong("outputs", "a list of objects"));
    };
    let mut output = Output::default();
    let mut stop_reason = None;
    let wrong = |key: &str, expected| RequestError::Wrong {
        field: format!("outputs: {key}"),
        expected,
    };
    for (key, value) in map.iter().filter(|(_, value)| !value.is_null()) {
        let text = || value.as_str().map(str::to_owned).ok_or_else(|| wrong(key, "a string"));
        let flag = || value.as_bool().ok_or_else(|| wrong(key, "true or false"));
        match key.as_str() {
            "decision" => {
                let text = text()?;
                output.decision = decision_of(&text);
                if output.decision.is_none() && text != "none" {
                    return Err(wrong(key, "none, allow, ask, defer or deny"));
                }
            }
            "reason" => output.reason = Some(text()?),
            "rule" => output.rule = Some(text()?),
            "updatedInput" => output.updated_input = Some(value.clone()),
            "updatedOutput" => output.updated_output = Some(value.clone()),
            "additionalContext" => output.additional_context = Some(text()?),
            "systemMessage" => output.system_message = Some(text()?),
            // As the contract has it: the reason itself, or only that it stops.
            "stop" => match value {
                Value::String(reason) => output.stop = Some(Some(reason.clone())),
                _ if flag()? => output.stop = Some(None),
                _ => {}
            },
            "continue" if !flag()? => output.stop = Some(None),
            "continue" => {}
            "stopReason" => stop_reason = Some(text()?),
            "suppressOutput" => output.suppress_output = flag()?,
            "extra" => output.extra = value.as_object().cloned().ok_or_else(|| wrong(key, "an object"))?,
            "failure" | "diagnostics" => {}
            _ => return Err(wrong(key, "no such field")),
        }
    }
    if let (Some(None), Some(reason)) = (&output.stop, stop_reason) {
        output.stop = Some(Some(reason));
    }
    Ok(output)
}

/// Words of `via` that the shell itself acts on: no program of that name runs.
const SHELL_WORDS: [&str; 8] = ["time", "coproc", "eval", "exec", "command", "builtin", "source", "."];

/// The programs that run, wrappers (`sudo`, `timeout`, `sh -c`) among them: of these only the name is told.
pub(super) fn analysis(analysis: &Analysis) -> Value {
    let mut commands: Vec<Value> = Vec::new();
    for inner in &analysis.commands {
        for (depth, step) in inner.via.iter().enumerate() {
            let wrapper = step.split(' ').next().unwrap_or_default();
            let named = wrapper.starts_with(|first: char| first.is_alphanumeric() || matches!(first, '.' | '/' | '_'));
            let seen = analysis
                .commands
                .iter()
                .any(|other| other.argv.first().is_some_and(|word| word.text == wrapper))
                || commands.iter().any(|other| other["program"] == wrapper);
            if named && !wrapper.ends_with("()") && !SHELL_WORDS.contains(&wrapper) && !seen {
                commands.push(json!({
                    "program": wrapper, "argv": [wrapper], "known": false, "assignments": [], "redirects": [],
                    "via": inner.via.get(..depth).unwrap_or_default(), "cwd": null,
                }));
            }
        }
        commands.push(command(inner));
    }
    json!({ "complete": analysis.complete, "commands": commands })
}

fn command(command: &SimpleCommand) -> Value {
    let known = |word: &Word| word.known && !word.glob;
    json!({
        "program": command.argv.first().map(|word| word.text.as_str()),
        "argv": command.argv.iter().map(|word| word.text.as_str()).collect::<Vec<_>>(),
        "known": command.argv.iter().all(known),
        "assignments": command.assignments.iter().map(|(name, value)| {
            json!({ "name": name, "value": value.text })
        }).collect::<Vec<_>>(),
        "redirects": command.redirects.iter().map(|redirect| {
            json!({ "operator": redirect.operator, "target": redirect.target.text })
        }).collect::<Vec<_>>(),
        "via": command.via,
        "cwd": command.cwd.as_ref().map(|cwd| cwd.text.as_str()),
    })
}

pub(super) fn action(action: &Action) -> Value {
    match action {
        Action::Run(run) => object([
            ("kind", json!("run")),
            ("text", json!(run.text)),
            ("shell", json!(run.shell)),
        ]),
        Action::Read(path) => json!({ "kind": "read", "path": path }),
        Action::Write(write) => object([
            ("kind", json!("write")),
            ("path", json!(write.path)),
            ("content", json!(write.content.as_deref())),
        ]),
        Action::Delete(path) => json!({ "kind": "delete", "path": path }),
        Action::Search(search) => object([
            ("kind", json!("search")),
            ("pattern", json!(search.pattern)),
            ("path", json!(search.path)),
            ("glob", json!(search.glob)),
        ]),
        Action::Fetch(url) => json!({ "kind": "fetch", "url": url }),
        Action::Call(call) => json!({
            "kind": "call", "server": call.server, "tool": call.tool, "arguments": call.arguments,
        }),
    }
}
