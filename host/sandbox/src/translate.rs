//! Between the contract's types and the protocol's: an event on its way in, an answer on its way out.

use crate::bindings::exports::hookbox::hook::handler as export;
use crate::bindings::hookbox::hook::types as wit;
use crate::error::Fault;
use crate::limits::REASON_BYTES;
use hookbox_protocol::{Action, Decision, Event, Output};
use serde_json::Value;

pub(crate) fn event_of(name: &str, event: &Event, home: &str) -> export::Event {
    export::Event {
        agent: event.agent.clone(),
        name: event.name.clone(),
        session: event.session.clone(),
        cwd: event.cwd.clone(),
        project: event.project.clone(),
        home: home.into(),
        tool: event.tool.as_ref().map(|tool| wit::ToolCall {
            id: tool.id.clone(),
            name: tool.name.clone(),
            actions: (0..).zip(&tool.actions).map(action_of).collect(),
        }),
        prompt: event.prompt.clone(),
        plugin: name.into(),
    }
}

/// Contents stay here until they are asked for, by the number of their action.
fn action_of((number, action): (u32, &Action)) -> wit::Action {
    match action {
        Action::Run(run) => wit::Action::Run(wit::Command {
            text: run.text.clone(),
            shell: run.shell.clone(),
        }),
        Action::Read(path) => wit::Action::Read(path.clone()),
        Action::Write(write) => wit::Action::Write(wit::FileWrite {
            path: write.path.clone(),
            content: write.content.as_ref().map(|_| number),
        }),
        Action::Delete(path) => wit::Action::Delete(path.clone()),
        Action::Search(search) => wit::Action::Search(wit::Search {
            pattern: search.pattern.clone(),
            path: search.path.clone(),
            glob: search.glob.clone(),
        }),
        Action::Fetch(url) => wit::Action::Fetch(url.clone()),
        Action::Call(call) => wit::Action::Call(wit::McpCall {
            server: call.server.clone(),
            tool: call.tool.clone(),
            arguments: call.arguments.to_string(),
        }),
    }
}

/// A plugin's `err`, no longer than a reason.
pub(crate) fn own_error(message: String) -> Fault {
    if message.len() > REASON_BYTES {
        return Fault::TooLarge {
            what: "the error",
            size: message.len(),
            limit: REASON_BYTES,
        };
    }
    Fault::Plugin(message)
}

/// Checks an answer's sizes and texts on the way in: what comes out is valid. `limit`: bytes of all of it.
pub(crate) fn output_of(output: wit::Output, limit: usize) -> Result<Output, Fault> {
    let texts = [
        &output.reason,
        &output.additional_context,
        &output.system_message,
        &output.stop,
        &output.rule,
    ];
    let jsons = [&output.updated_input, &output.updated_output, &output.extra];
    let size = texts
        .iter()
        .chain(&jsons)
        .filter_map(|text| text.as_ref())
        .map(String::len)
        .sum();
    if size > limit {
        return Err(Fault::TooLarge {
            what: "the answer",
            size,
            limit,
        });
    }
    for (what, text) in [
        ("reason", &output.reason),
        ("rule", &output.rule),
        ("system-message", &output.system_message),
        ("stop", &output.stop),
    ] {
        if let Some(size) = text.as_ref().map(String::len).filter(|size| *size > REASON_BYTES) {
            return Err(Fault::TooLarge {
                what,
                size,
                limit: REASON_BYTES,
            });
        }
    }
    let json = |what: &str, text: Option<String>, object: bool| -> Result<Option<Value>, Fault> {
        let Some(text) = text else { return Ok(None) };
        let value: Value =
            serde_json::from_str(&text).map_err(|error| Fault::BadAnswer(format!("{what} is not JSON: {error}")))?;
        if object && !value.is_object() {
            return Err(Fault::BadAnswer(format!("{what} must be an object")));
        }
        Ok(Some(value))
    };
    let extra = match json("extra", output.extra, true)? {
        Some(Value::Object(extra)) => extra,
        _ => serde_json::Map::new(),
    };
    Ok(Output {
        decision: output.decision.map(|decision| match decision {
            wit::Decision::Allow => Decision::Allow,
            wit::Decision::Ask => Decision::Ask,
            wit::Decision::Defer => Decision::Defer,
            wit::Decision::Deny => Decision::Deny,
        }),
        reason: output.reason,
        rule: output.rule,
        updated_input: json("updated-input", output.updated_input, true)?,
        updated_output: json("updated-output", output.updated_output, false)?,
        additional_context: output.additional_context,
        system_message: output.system_message,
        stop: output.stop.map(Some),
        suppress_output: output.suppress_output,
        extra,
        ..Output::default()
    })
}
