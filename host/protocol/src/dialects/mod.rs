//! Agents: how each one spells events and answers.
//!
//! One file per agent with the same four parts: the names it uses, how its event is restated in the canonical spelling, what its tools do, and
//! how an outcome is said so that it is honoured. What an agent can hear is in one table, `capabilities`.

mod answer;
mod antigravity;
mod arguments;
mod canonical;
mod capabilities;
mod claude_code;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod droid;
mod gemini;
mod goose;
mod kiro;
mod newer;
mod opencode;
mod patch;
mod paths;
mod probe;
mod qwen;
mod tools;
mod vscode;
mod windsurf;

use crate::event::Event;
use crate::output::{Decision, Outcome};
pub use capabilities::{Ability, Capabilities, TimeoutUnit};
pub use newer::{as_call, notes};
pub use paths::Surroundings;
pub use probe::probe;
use serde_json::{Map, Value};

/// An agent that hookbox speaks with.
#[derive(Debug)]
pub struct Agent {
    pub capabilities: Capabilities,
    /// Its event names and the canonical ones.
    events: &'static [(&'static str, &'static str)],
    /// The keys under which it names the event.
    event_keys: &'static [&'static str],
    /// A key that tells its payloads from those of another agent with the same event names, where there is such a key.
    sign: Option<&'static str>,
    /// The event of a payload that does not name it, told from its shape.
    infer: fn(&Map<String, Value>) -> Option<&'static str>,
    tools: &'static [tools::Tool],
    restate: fn(&'static Agent, Map<String, Value>) -> Result<canonical::Restated, DecodeError>,
    encode: fn(&answer::Answer<'_>) -> Response,
}

/// Every agent, in the order in which they are listed and in which a payload's shape is tried.
static AGENTS: &[&Agent] = &[
    &claude_code::AGENT,
    &codex::AGENT,
    &gemini::AGENT,
    &copilot::AGENT,
    &cursor::AGENT,
    &qwen::AGENT,
    &opencode::AGENT,
    &vscode::AGENT,
    &droid::AGENT,
    &windsurf::AGENT,
    &kiro::AGENT,
    &goose::AGENT,
    &cline::AGENT,
    &antigravity::AGENT,
];

/// What a hook prints and returns. `run` writes it as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Response {
    pub stdout: String,
    pub stderr: String,
    /// 0 or 2.
    pub exit: i32,
    /// What of the outcome this agent cannot be told, for the audit.
    pub warnings: Vec<String>,
}

/// Why an event cannot be judged. The host blocks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    #[error("no agent is called `{name}`\nhint: one of {}", known())]
    UnknownAgent { name: String },
    #[error("the event is not a JSON object but {found}")]
    NotAnObject { found: &'static str },
    #[error(
        "the event of `{agent}` has no usable `{field}`, so it cannot be told what happened\nhint: is `--agent {agent}` right?"
    )]
    NoEventName { agent: &'static str, field: &'static str },
    #[error("{event}: `{pointer}` has to be {expected} but is {found}, so the call cannot be judged")]
    Field {
        event: String,
        pointer: String,
        expected: &'static str,
        found: &'static str,
    },
}

impl DecodeError {
    /// The canonical name of the event, where it could be read.
    pub fn event(&self) -> Option<&str> {
        match self {
            DecodeError::Field { event, .. } => Some(event),
            _ => None,
        }
    }
}

/// The agent of this name (`claude-code`, `codex`, …).
pub fn agent(name: &str) -> Option<&'static Agent> {
    AGENTS.iter().copied().find(|agent| agent.capabilities.name == name)
}

/// The keys under which an agent names its events; Claude Code's where there is no such agent.
pub fn event_keys(name: &str) -> &'static [&'static str] {
    agent(name).unwrap_or(&claude_code::AGENT).event_keys
}

/// What every agent can do.
pub fn capabilities() -> impl Iterator<Item = &'static Capabilities> {
    AGENTS.iter().map(|agent| &agent.capabilities)
}

/// An agent's own names of its events; none for an agent that is not known.
pub fn events(agent_name: &str) -> impl Iterator<Item = &'static str> {
    let events = agent(agent_name).map_or(&[][..], |agent| agent.events);
    events.iter().map(|(theirs, _)| *theirs)
}

/// An agent's own names of a canonical event, the most general first; empty where it has no such event.
pub fn native_events(agent_name: &str, event: &str) -> Vec<&'static str> {
    let events = agent(agent_name).map_or(&[][..], |agent| agent.events);
    events
        .iter()
        .filter(|(_, ours)| *ours == event)
        .map(|(theirs, _)| *theirs)
        .collect()
}

/// The canonical name of an agent's event; one that no table knows keeps its own.
pub fn canonical_event<'a>(agent_name: &str, event: &'a str) -> &'a str {
    agent(agent_name).map_or(event, |agent| canonical::canonical_name(agent, event))
}

/// The names of all agents, for messages.
fn known() -> String {
    capabilities().map(|row| row.name).collect::<Vec<_>>().join(", ")
}

/// The canonical event of what `agent` sent.
///
/// # Errors
/// The payload cannot be judged: not an object, no event name, or a call about to run whose deciding fields are unusable.
pub fn decode(agent: &str, payload: Value) -> Result<Event, DecodeError> {
    decode_in(agent, payload, &Surroundings::default())
}

/// `decode`, with what the host knows beside the payload.
///
/// # Errors
/// As `decode`.
pub fn decode_in(name: &str, payload: Value, around: &Surroundings<'_>) -> Result<Event, DecodeError> {
    let told = agent(name).ok_or_else(|| DecodeError::UnknownAgent { name: name.into() })?;
    let payload = match payload {
        Value::Object(payload) => payload,
        other => return Err(DecodeError::NotAnObject { found: kind_of(&other) }),
    };
    let speaker = speaker(told, &payload);
    let mut restated = (speaker.restate)(speaker, payload)?;
    if speaker.capabilities.name != name {
        restated.native.insert("registered_as".into(), name.into());
    }
    canonical::event(speaker, restated, around)
}

/// Who sent this: the agent that was named, unless the event's name is only known to another one.
///
/// Two agents may run the same entry (Cursor and VS Code read Claude Code's settings), and a wrong `--agent` must not blind the policy. The
/// payload comes from the agent itself, so its shape is better evidence than the flag.
fn speaker(told: &'static Agent, payload: &Map<String, Value>) -> &'static Agent {
    let known = |agent: &Agent, name: &str| agent.events.iter().any(|(theirs, _)| *theirs == name);
    let named = |agent: &Agent| agent.event_keys.iter().find_map(|key| payload.get(*key)?.as_str());
    // An event that is named, though by a name that is not known, is not told from its shape.
    let nameless = named(told).is_none();
    let infer = |agent: &Agent| nameless.then(|| (agent.infer)(payload)).flatten();
    let knows = |agent: &Agent| {
        named(agent)
            .or_else(|| infer(agent))
            .is_some_and(|name| known(agent, name))
    };
    let signed = |agent: &Agent| agent.sign.map(|key| payload.contains_key(key));
    // Event names that two agents share: the key that only one of them sends tells them apart.
    let by_sign = |agent: &&Agent| signed(agent) == Some(true) && named(agent).is_some_and(|name| known(agent, name));
    if signed(told).is_none()
        && let Some(agent) = AGENTS.iter().copied().find(by_sign)
    {
        return agent;
    }
    if knows(told) {
        return told;
    }
    let mut others = AGENTS.iter().copied().filter(|agent| signed(agent) != Some(false));
    others.find(|agent| knows(agent)).unwrap_or(told)
}

/// How to tell `agent` this outcome of the event. `event` is the canonical name or the agent's own.
///
/// For when there is no event: with one, `encode_event` knows more.
pub fn encode(name: &str, event: &str, outcome: &Outcome) -> Response {
    let speaker = agent(name).unwrap_or(&claude_code::AGENT);
    say(answer::Answer::new(speaker, event, outcome))
}

/// How to tell the agent that sent this event its outcome.
pub fn encode_event(event: &Event, outcome: &Outcome) -> Response {
    let speaker = agent(&event.agent).unwrap_or(&claude_code::AGENT);
    say(answer::Answer::to(speaker, event, outcome))
}

fn say(answer: answer::Answer<'_>) -> Response {
    let speaker = answer.agent;
    let known = |(theirs, ours): &(&str, &str)| *theirs == answer.native_event || *ours == answer.event;
    if speaker.events.iter().any(known) {
        return (speaker.encode)(&answer);
    }
    // Which event it is could not be read, or the agent's last version added it. It may be a call about to run, so a block is told as one;
    // Claude Code takes the general form on every event. What else the agent takes there is not known: what is no plain yes is a no.
    let outcome = answer.blocking();
    if outcome.decision != Some(Decision::Deny) || std::ptr::eq(speaker, &claude_code::AGENT) {
        return (speaker.encode)(&answer.with(&outcome));
    }
    (speaker.encode)(&answer::Answer::new(speaker, "PreToolUse", &outcome))
}

/// What a JSON value is, for messages.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(text) if text.is_empty() => "an empty text",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
