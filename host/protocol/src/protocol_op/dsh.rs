//! The same operations for the DeepSeek Harness bridge: the shapes of its functions, absent fields left out.

use serde_json::{Map, Value, json};

use super::request::{Request, RequestError};
use crate::dialect::DshMode;
use crate::dsh::{self, HookOutput, Intercept, MergedOutcome, ParsedConfig, Variables};
use crate::output::Decision;

/// The answer of an operation that the bridge has of its own; none where it has not.
pub(super) fn answer(op: &str, mode: DshMode, request: &Request<'_>) -> Result<Option<Value>, RequestError> {
    Ok(Some(match op {
        "matcher" => {
            let matcher = request.optional_text("matcher")?;
            let matches = dsh::matches_matcher(matcher, request.text("value")?, mode);
            json!({ "matches": matches, "diagnostic": dsh::matcher_diagnostic(matcher, mode) })
        }
        "decode" => json!({ "output": output(&decode(request)?) }),
        "merge" => {
            let outputs: Vec<HookOutput> = request.list("outputs")?.iter().map(read_output).collect();
            json!({ "outcome": outcome(&dsh::merge_hook_outputs(&outputs)) })
        }
        "parse" => parse(request)?,
        "dispatch" => dispatch(mode, request)?,
        _ => return Ok(None),
    }))
}

/// The command with the variables in it replaced.
pub(super) fn substitute(request: &Request<'_>) -> Result<Value, RequestError> {
    Ok(json!({ "command": dsh::substitute_command(request.text("command")?, &variables(request)?) }))
}

fn decode(request: &Request<'_>) -> Result<HookOutput, RequestError> {
    let code = match request.optional("exit")? {
        None => None,
        Some(code) => Some(
            code.as_i64()
                .ok_or_else(|| RequestError::wrong("exit", "a number or null"))?,
        ),
    };
    let text = |field| Ok::<_, RequestError>(request.optional_text(field)?.unwrap_or_default());
    Ok(dsh::parse_hook_output(
        code,
        text("stdout")?,
        text("stderr")?,
        request.optional_text("event")?,
    ))
}

fn parse(request: &Request<'_>) -> Result<Value, RequestError> {
    let owned;
    let raw = match request.optional_text("config_text")? {
        Some(text) => match crate::codec::json::parse(text) {
            Ok(value) => {
                owned = value;
                &owned
            }
            Err(error) => return Ok(json!({ "config": {}, "skipped": [], "error": error.to_string() })),
        },
        None => request.value("config")?,
    };
    Ok(match dsh::parse_config(raw, &variables(request)?) {
        Ok(parsed) => parsed_config(&parsed),
        Err(error) => json!({ "error": error.to_string() }),
    })
}

/// A whole event with given answers: the commands whose matcher fits, in order, merged and brought to the intercept point.
fn dispatch(mode: DshMode, request: &Request<'_>) -> Result<Value, RequestError> {
    let event = request.value("event")?;
    let field = |key: &str| event.get(key).and_then(Value::as_str).unwrap_or_default();
    let name = field("hook_event_name");
    let subject = match name {
        "PreToolUse" | "PostToolUse" => field("tool_name"),
        "SessionStart" => field("source"),
        "SubagentStart" | "SubagentStop" => field("agent_type"),
        _ => "",
    };
    let parsed = match dsh::parse_config(request.value("config")?, &variables(request)?) {
        Ok(parsed) => parsed,
        Err(error) => return Err(RequestError::Config(error.to_string())),
    };
    let groups = parsed
        .config
        .iter()
        .filter(|(event, _)| *event == name)
        .flat_map(|(_, groups)| groups);
    let matching = groups.filter(|group| dsh::matches_matcher(group.matcher.as_deref(), subject, mode));
    let ran: Vec<usize> = matching.flat_map(|group| &group.hooks).map(|hook| hook.place).collect();
    let answers = request.list("handlers")?;
    let needed = ran.iter().max().map_or(0, |last| last + 1);
    let mut answered = Vec::new();
    for place in &ran {
        let given = answers.get(*place).ok_or(RequestError::TooFewAnswers {
            given: answers.len(),
            needed,
        })?;
        let text = |key: &str| given.get(key).and_then(Value::as_str).unwrap_or_default();
        let code = given.get("exit").and_then(Value::as_i64);
        let output = dsh::parse_hook_output(code, text("stdout"), text("stderr"), Some(name));
        answered.push((*place, output));
    }
    let outputs: Vec<HookOutput> = answered.iter().map(|(_, output)| output.clone()).collect();
    let merged = dsh::merge_hook_outputs(&outputs);
    Ok(json!({
        "ran": ran,
        "outcome": outcome(&merged),
        "intercept": dsh::intercept(name, &merged).map(|intercept| intercepted(&intercept)),
        "audit": dsh::audit(name, mode, request.optional("turn")?, &answered),
        "outputs": outputs.iter().map(output).collect::<Vec<_>>(),
    }))
}

fn intercepted(intercept: &Intercept) -> Value {
    let mut map = Map::new();
    match intercept {
        Intercept::Reject => put(&mut map, "kind", Some("reject")),
        Intercept::Deny { reason } => {
            put(&mut map, "kind", Some("deny"));
            put(&mut map, "reason", reason.as_deref());
        }
        Intercept::Ask { reason } => {
            put(&mut map, "kind", Some("ask"));
            put(&mut map, "reason", reason.as_deref());
        }
        Intercept::Block { feedback } => {
            put(&mut map, "kind", Some("block"));
            put(&mut map, "feedback", feedback.as_deref());
        }
        Intercept::Continue { reason } => {
            put(&mut map, "continue", Some(true));
            put(&mut map, "reason", Some(reason.as_str()));
        }
    }
    Value::Object(map)
}

fn variables(request: &Request<'_>) -> Result<Variables, RequestError> {
    let Some(given) = request.optional("variables")? else {
        return Ok(Variables::default());
    };
    let text = |key: &str| given.get(key).and_then(Value::as_str).map(str::to_owned);
    Ok(Variables {
        plugin_root: text("pluginRoot"),
        project_dir: text("projectDir"),
    })
}

fn put(map: &mut Map<String, Value>, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        map.insert(key.to_owned(), value.into());
    }
}

fn output(output: &HookOutput) -> Value {
    let mut map = Map::new();
    put(&mut map, "exitCode", output.exit_code);
    put(&mut map, "stdout", Some(output.stdout.as_str()));
    put(&mut map, "stderr", Some(output.stderr.as_str()));
    put(&mut map, "decision", output.decision.as_deref());
    put(&mut map, "reason", output.reason.as_deref());
    put(&mut map, "continue", output.goes_on);
    put(&mut map, "stopReason", output.stop_reason.as_deref());
    put(&mut map, "systemMessage", output.system_message.as_deref());
    put(&mut map, "additionalContext", output.additional_context.as_deref());
    put(&mut map, "hookEventName", output.hook_event_name.as_deref());
    put(&mut map, "updatedInput", output.updated_input.clone());
    Value::Object(map)
}

fn read_output(value: &Value) -> HookOutput {
    let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    HookOutput {
        exit_code: value.get("exitCode").and_then(Value::as_i64),
        stdout: text("stdout").unwrap_or_default(),
        stderr: text("stderr").unwrap_or_default(),
        decision: text("decision"),
        reason: text("reason"),
        goes_on: value.get("continue").and_then(Value::as_bool),
        stop_reason: text("stopReason"),
        system_message: text("systemMessage"),
        additional_context: text("additionalContext"),
        hook_event_name: text("hookEventName"),
        updated_input: value.get("updatedInput").cloned(),
    }
}

pub(super) fn outcome(outcome: &MergedOutcome) -> Value {
    let mut map = Map::new();
    put(&mut map, "decision", Some(Decision::word(outcome.decision)));
    put(&mut map, "reason", outcome.reason.as_deref());
    put(&mut map, "stop", Some(outcome.stop));
    put(&mut map, "stopReason", outcome.stop_reason.as_deref());
    put(&mut map, "additionalContext", Some(outcome.additional_context.clone()));
    put(&mut map, "systemMessages", Some(outcome.system_messages.clone()));
    Value::Object(map)
}

fn parsed_config(parsed: &ParsedConfig) -> Value {
    let mut config = Map::new();
    for (event, groups) in &parsed.config {
        let groups: Vec<Value> = groups
            .iter()
            .map(|group| {
                let hooks: Vec<Value> = group
                    .hooks
                    .iter()
                    .map(|hook| {
                        let mut map = Map::new();
                        put(&mut map, "command", Some(hook.command.as_str()));
                        put(&mut map, "timeoutSec", hook.timeout.clone().map(Value::Number));
                        Value::Object(map)
                    })
                    .collect();
                let mut map = Map::new();
                put(&mut map, "matcher", group.matcher.as_deref());
                put(&mut map, "hooks", Some(hooks));
                Value::Object(map)
            })
            .collect();
        config.insert((*event).to_owned(), Value::Array(groups));
    }
    let skipped: Vec<Value> = parsed
        .skipped
        .iter()
        .map(|(event, kind)| json!({ "event": event, "type": kind }))
        .collect();
    json!({ "config": config, "skipped": skipped })
}
