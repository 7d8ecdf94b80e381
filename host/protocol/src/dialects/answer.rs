//! What the encoders share: an outcome and whom it is for, and the pieces that every agent's answer is made of.

use super::canonical::{self, NATIVE};
use super::tools::{self, Tool};
use super::{Agent, Response};
use crate::event::Event;
use crate::output::{Decision, Outcome};
use serde_json::{Map, Value};

/// Bytes of a reason that are passed on; the answer of a handler has the same limit.
const REASON_CAP: usize = 64 * 1024;

/// An outcome to be told.
pub(crate) struct Answer<'a> {
    pub(crate) agent: &'static Agent,
    /// The canonical name.
    pub(crate) event: &'a str,
    /// The agent's own name of the event.
    pub(crate) native_event: &'a str,
    /// The agent's tool, where it is a known one.
    tool: Option<&'static Tool>,
    pub(crate) outcome: &'a Outcome,
}

impl<'a> Answer<'a> {
    /// An answer to an event of which only the name is known, in the agent's or the canonical spelling.
    pub(crate) fn new(agent: &'static Agent, event: &'a str, outcome: &'a Outcome) -> Self {
        let theirs = agent.events.iter().find(|(theirs, _)| *theirs == event);
        let row = theirs.or_else(|| agent.events.iter().find(|(_, ours)| *ours == event));
        let (native_event, event) = row.map_or((event, event), |(theirs, ours)| (*theirs, *ours));
        Answer {
            agent,
            event,
            native_event,
            tool: None,
            outcome,
        }
    }

    pub(crate) fn to(agent: &'static Agent, event: &'a Event, outcome: &'a Outcome) -> Self {
        let native = |key: &str| event.payload.get(NATIVE)?.get(key)?.as_str();
        let tool_name = native("tool").or_else(|| event.tool.as_ref().map(|call| call.name.as_str()));
        Answer {
            tool: tool_name.and_then(|name| canonical::find(agent, name)),
            event: &event.name,
            native_event: native("event").unwrap_or(&event.name),
            agent,
            outcome,
        }
    }

    /// Why, for the model. Never empty.
    pub(crate) fn reason(&self) -> String {
        let reason = self
            .outcome
            .reason
            .as_deref()
            .map(str::trim)
            .filter(|reason| !reason.is_empty());
        cut_bytes(
            reason.unwrap_or("blocked by hookbox: the handler gave no reason"),
            REASON_CAP,
        )
    }

    /// All context for the model, within the agent's cap.
    pub(crate) fn context(&self) -> Option<String> {
        let joined = joined(&self.outcome.additional_context)?;
        Some(cut_units(&joined, self.agent.capabilities.context_cap))
    }

    /// All texts for the user, within the agent's cap.
    pub(crate) fn system_message(&self) -> Option<String> {
        let joined = joined(&self.outcome.system_messages)?;
        Some(cut_units(&joined, self.agent.capabilities.context_cap))
    }

    /// The rewritten input in the agent's own argument names.
    pub(crate) fn updated_input(&self) -> Option<Value> {
        match (self.outcome.updated_input.clone()?, self.tool) {
            (Value::Object(input), Some(tool)) => Some(Value::Object(tools::agent_arguments(tool, input))),
            (input, _) => Some(input),
        }
    }

    /// The reason of a deny that stands for a rewrite which the agent cannot be told.
    pub(crate) fn rewrite_reason(&self, input: &Value) -> String {
        let why = self
            .outcome
            .reason
            .as_deref()
            .map(str::trim)
            .filter(|reason| !reason.is_empty());
        let wanted = format!(
            "blocked by hookbox: this call is allowed only with another input, which {} cannot be given by a hook; call the tool again with {input}",
            self.agent.capabilities.title
        );
        cut_bytes(
            &why.map_or(wanted.clone(), |why| format!("{why}\n\n{wanted}")),
            REASON_CAP,
        )
    }

    pub(crate) fn denies(&self) -> bool {
        self.outcome.decision == Some(Decision::Deny)
    }
}

/// A JSON object in which absent values take no place.
#[derive(Default)]
pub(crate) struct Object(pub(crate) Map<String, Value>);

impl Object {
    pub(crate) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.insert(key.into(), value.into());
        self
    }

    pub(crate) fn with_some(self, key: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// The object on one line; nothing where it is empty: silence is the answer of who has no opinion.
    pub(crate) fn line(self) -> String {
        if self.0.is_empty() {
            String::new()
        } else {
            format!("{}\n", Value::Object(self.0))
        }
    }
}

impl From<Object> for Value {
    fn from(object: Object) -> Value {
        Value::Object(object.0)
    }
}

impl Response {
    /// A block: exit code 2, the reason on stderr, and `stdout` which says the same.
    pub(crate) fn block(stdout: String, reason: &str, warnings: Vec<String>) -> Self {
        Response {
            stdout,
            stderr: format!("{reason}\n"),
            exit: 2,
            warnings,
        }
    }

    pub(crate) fn pass(stdout: String, warnings: Vec<String>) -> Self {
        Response {
            stdout,
            stderr: String::new(),
            exit: 0,
            warnings,
        }
    }
}

fn joined(texts: &[String]) -> Option<String> {
    let texts: Vec<&str> = texts
        .iter()
        .map(String::as_str)
        .filter(|text| !text.trim().is_empty())
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

const NOTE: &str = "\n[cut by hookbox: the agent takes no more]";

fn cut_bytes(text: &str, cap: usize) -> String {
    if text.len() <= cap {
        return text.into();
    }
    format!("{}{NOTE}", &text[..text.floor_char_boundary(cap - NOTE.len())])
}

fn cut_units(text: &str, cap: usize) -> String {
    if text.len() <= cap || text.chars().map(char::len_utf16).sum::<usize>() <= cap {
        return text.into();
    }
    let mut left = cap.saturating_sub(NOTE.len());
    let fits = |c: &char| match left.checked_sub(c.len_utf16()) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    };
    let mut kept: String = text.chars().take_while(fits).collect();
    kept.push_str(NOTE);
    kept
}
