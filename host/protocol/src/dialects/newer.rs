//! Events that no table has: the agent's last version added them, or called an old one by another name.
//!
//! What such an event's block does is not known, and neither is what it tells of. So it is judged by what is there: one that carries a tool call,
//! and does not say that the call has been made, is judged as one about to run, by the handlers of `PreToolUse`, beside those that
//! the configuration has for its own name. Where its name says that the call comes first, a call that cannot be read is blocked.

use super::canonical::NATIVE;
use super::{Agent, agent, arguments};
use crate::event::Event;
use crate::events;
use serde_json::{Map, Value};

/// What an event of a call about to run is called.
const CALL: &str = "PreToolUse";

/// First words of the name of an event before something.
const BEFORE: &[&str] = &["pre", "before", "will"];
/// First words of the name of an event after something.
const AFTER: &[&str] = &["post", "after", "did"];
/// Last words of the name of an event after something.
const ENDED: &[&str] = &[
    "result",
    "results",
    "response",
    "output",
    "complete",
    "completed",
    "finished",
    "done",
    "end",
    "ended",
    "executed",
    "succeeded",
    "failed",
    "failure",
    "error",
    "denied",
    "rejected",
    "cancelled",
];
/// Keys of a result, whose call has been made.
const RESULTS: &[&str] = &[
    "tool_response",
    "tool_result",
    "tool_output",
    "toolResponse",
    "toolResult",
    "toolOutput",
];
/// Keys of a tool's name; `name` counts only where it stands beside an input in an object of its own.
const NAMES: &[&str] = &["tool_name", "toolName", "tool", "name"];
/// Keys of a tool's input.
const INPUTS: &[&str] = &[
    "tool_input",
    "toolInput",
    "tool_args",
    "toolArgs",
    "input",
    "arguments",
    "parameters",
    "params",
    "args",
];

/// When the call of an event is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Before,
    After,
    Untold,
}

/// Whether neither the protocol nor the agent's table has this event. `name` is the canonical one or the agent's own.
pub(super) fn is_new(agent: &Agent, name: &str) -> bool {
    let of_agent = |(theirs, ours): &(&str, &str)| *theirs == name || *ours == name;
    !events::spec(name).known() && !agent.events.iter().any(of_agent)
}

/// Whether the name of a new event says that what it tells of comes only afterwards.
pub(super) fn comes_before(agent: &Agent, name: &str) -> bool {
    is_new(agent, name) && by_name(name) == When::Before
}

fn by_name(name: &str) -> When {
    let words = arguments::words(name);
    let is = |word: Option<&String>, list: &[&str]| word.is_some_and(|word| list.contains(&word.as_str()));
    match () {
        () if is(words.first(), BEFORE) => When::Before,
        () if is(words.first(), AFTER) || is(words.last(), ENDED) => When::After,
        () => When::Untold,
    }
}

fn when(event: &Event) -> When {
    let told = |key: &str| !matches!(event.payload.get(key), None | Some(Value::Null));
    if RESULTS.iter().any(|key| told(key)) {
        return When::After;
    }
    let native = event.payload.get(NATIVE).and_then(|native| native.get("event"));
    by_name(native.and_then(Value::as_str).unwrap_or(&event.name))
}

/// Puts the call that a new event carries where calls stand, whatever it is called there: beside the event's own fields or in one of them.
pub(super) fn find_call(payload: &mut Map<String, Value>) {
    if payload.get("tool_name").is_some_and(Value::is_string) && payload.contains_key("tool_input") {
        return;
    }
    let nested = payload.values().filter_map(Value::as_object);
    let found = call(payload, &NAMES[..3]).or_else(|| nested.into_iter().find_map(|fields| call(fields, NAMES)));
    if let Some((name, input)) = found {
        payload.insert("tool_name".into(), name.into());
        payload.insert("tool_input".into(), input);
    }
}

/// A name with an input, or a command by itself.
fn call(fields: &Map<String, Value>, names: &[&str]) -> Option<(String, Value)> {
    let name = names.iter().find_map(|key| fields.get(*key)?.as_str());
    let input = INPUTS.iter().find_map(|key| fields.get(*key));
    match (name, input) {
        (Some(name), Some(input)) => Some((name.to_owned(), input.clone())),
        _ => {
            // `commands` is as often a list of those that there are.
            let keys = arguments::COMMAND.iter().filter(|key| **key != "commands");
            let is_there = keys.into_iter().any(|key| fields.contains_key(*key));
            let name = name.unwrap_or("Bash").to_owned();
            is_there.then(|| (name, Value::Object(fields.clone())))
        }
    }
}

/// The event as one of a call about to run, where no table has it and it may be one.
pub fn as_call(event: &Event) -> Option<Event> {
    let new = is_new(agent(&event.agent)?, &event.name);
    if !new || event.tool.is_none() || when(event) == When::After {
        return None;
    }
    let mut call = Event {
        name: CALL.into(),
        ..event.clone()
    };
    if let Value::Object(payload) = &mut call.payload {
        payload.insert("hook_event_name".into(), CALL.into());
        let native = payload.entry(NATIVE).or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(native) = native {
            native.entry("event").or_insert_with(|| event.name.clone().into());
        }
    }
    Some(call)
}

/// What the audit says of an event that is not what the entry or a table says: from another agent, or new.
pub fn notes(event: &Event) -> Vec<String> {
    let native = event.payload.get(NATIVE);
    let told = native.and_then(|native| native.get("registered_as")?.as_str());
    let other = told.map(|told| {
        let sender = &event.agent;
        format!(
            "{}: this is an event of {sender}, though the entry says `--agent {told}`",
            event.name
        )
    });
    other.into_iter().chain(of_a_new_event(event)).collect()
}

fn of_a_new_event(event: &Event) -> Option<String> {
    let agent = agent(&event.agent).filter(|agent| is_new(agent, &event.name))?;
    let judged = match &event.tool {
        Some(tool) if when(event) == When::After => {
            format!(
                "it tells of a call of {} that has been made, which is not judged",
                tool.name
            )
        }
        Some(tool) => format!("its call of {} is judged as one about to run", tool.name),
        None => "it carries no call that could be judged".into(),
    };
    Some(format!(
        "{}: no event of {} that this version knows; {judged}",
        event.name, agent.capabilities.title
    ))
}
