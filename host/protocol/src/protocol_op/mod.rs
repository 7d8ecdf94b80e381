//! `hookbox protocol`: one JSON request, one JSON answer, over everything pure in this crate.
//!
//! So that any language can test against the same rules. The program's verb does the lines; nothing here reads or writes.

mod configuration;
mod dispatch;
mod dsh;
mod request;
mod values;

use serde_json::{Value, json};

use self::request::{Request, RequestError};
use crate::codec::{self, Exit, Run};
use crate::condition::Condition;
use crate::config;
use crate::dialect::Dialect;
use crate::dialects;
use crate::matcher::Matcher;
use crate::merge::merge;
use crate::output::OnFailure;

/// The operations, for messages.
const OPS: [&str; 9] = [
    "matcher",
    "if",
    "decode",
    "merge",
    "parse",
    "shell",
    "action",
    "dispatch",
    "substitute",
];

/// Answers one request. A request that is wrong has an answer with `error`.
#[must_use]
pub fn answer(request: &Value) -> Value {
    answered(&Request::new(request)).unwrap_or_else(|error| json!({ "error": error.to_string() }))
}

fn answered(request: &Request<'_>) -> Result<Value, RequestError> {
    let op = request.text("op")?;
    if let Dialect::Dsh(mode) = request.dialect()?
        && let Some(answer) = dsh::answer(op, mode, request)?
    {
        return Ok(answer);
    }
    match op {
        "matcher" => matcher(request),
        "if" => condition(request),
        "decode" => decode(request),
        "merge" => merged(request),
        "parse" => parse(request),
        "shell" => shell(request),
        "action" => action(request),
        "dispatch" => dispatch::dispatch(request),
        "substitute" => dsh::substitute(request),
        other => Err(RequestError::UnknownOp { op: other.to_owned() }),
    }
}

/// Whether a matcher selects a value, on a tool event unless `event` names another.
fn matcher(request: &Request<'_>) -> Result<Value, RequestError> {
    let event = request.optional_text("event")?.unwrap_or("PreToolUse");
    let (matcher, diagnostic) = Matcher::new(request.dialect()?, event, request.optional_text("matcher")?);
    let matches = matcher.matches(request.text("value")?);
    Ok(json!({ "matches": matches, "diagnostic": diagnostic.map(|found| values::said(&found)) }))
}

fn condition(request: &Request<'_>) -> Result<Value, RequestError> {
    let (event, _) = request.event()?;
    let Some(rule) = request.optional_text("rule")? else {
        return Ok(json!({ "fires": true, "diagnostic": null }));
    };
    let (condition, diagnostic) = Condition::parse(rule);
    Ok(json!({ "fires": condition.fires(&event), "diagnostic": diagnostic.map(|found| values::said(&found)) }))
}

fn decode(request: &Request<'_>) -> Result<Value, RequestError> {
    let on_failure = match request.optional_text("onFailure")? {
        None | Some("continue") => OnFailure::Continue,
        Some("block") => OnFailure::Block,
        Some(_) => return Err(RequestError::wrong("onFailure", "\"block\" or \"continue\"")),
    };
    let run = Run {
        label: request.optional_text("label")?.unwrap_or("hook"),
        exit: request.exit()?,
        stdout: request.optional_text("stdout")?.unwrap_or_default().as_bytes(),
        stderr: request.optional_text("stderr")?.unwrap_or_default().as_bytes(),
    };
    let output = codec::decode(request.dialect()?, request.text("event")?, &run, on_failure);
    Ok(json!({ "output": values::output(&output) }))
}

fn merged(request: &Request<'_>) -> Result<Value, RequestError> {
    let event = request.optional_text("event")?.unwrap_or("PreToolUse");
    let outputs: Vec<_> = request
        .list("outputs")?
        .iter()
        .map(values::read_output)
        .collect::<Result<_, _>>()?;
    Ok(json!({ "outcome": values::outcome(&merge(event, &outputs)) }))
}

fn parse(request: &Request<'_>) -> Result<Value, RequestError> {
    let parsed = match request.optional_text("config_text")? {
        Some(text) => config::parse(text, "config"),
        None => config::parse_value(request.value("config")?, "config"),
    };
    let linted = config::lint(request.dialect()?, &parsed.config, "config");
    Ok(configuration::parsed(&parsed, &linted))
}

fn shell(request: &Request<'_>) -> Result<Value, RequestError> {
    let shell = request.optional_text("shell")?.unwrap_or("bash");
    Ok(values::analysis(&hookbox_shell::analyze(
        request.text("command")?,
        shell,
    )))
}

fn action(request: &Request<'_>) -> Result<Value, RequestError> {
    let event = dialects::decode(request.agent()?, request.value("event")?.clone())?;
    Ok(json!({ "action": event.tool.iter().flat_map(|tool| &tool.actions).map(values::action).collect::<Vec<_>>() }))
}

/// What a handler's `exit` stands for: null is a handler that was still running at its deadline.
fn exit_of(value: &Value) -> Result<Exit, RequestError> {
    match value {
        Value::Null => Ok(Exit::TimedOut),
        Value::Number(code) => code
            .as_i64()
            .and_then(|code| i32::try_from(code).ok())
            .map(Exit::Code)
            .ok_or_else(|| RequestError::wrong("exit", "an exit code")),
        _ => Err(RequestError::wrong("exit", "a number or null")),
    }
}
