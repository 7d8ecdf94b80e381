//! The fields of a request, and what can be wrong with them.

use serde_json::{Map, Value};

use super::OPS;
use crate::codec::Exit;
use crate::dialect::{Dialect, DshMode};
use crate::dialects::{self, DecodeError};
use crate::event::{Event, ToolCall};

/// Why a request has no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum RequestError {
    #[error("the request is not a JSON object")]
    NotAnObject,
    #[error("{field}: missing")]
    Missing { field: &'static str },
    #[error("{field}: expected {expected}")]
    Wrong { field: String, expected: &'static str },
    #[error("op: unknown: {op:?}\nhint: one of {}", OPS.join(", "))]
    UnknownOp { op: String },
    #[error("dialect: no agent is called {0:?}")]
    UnknownDialect(String),
    #[error("event: {0}")]
    Event(#[from] DecodeError),
    #[error("config: {0}")]
    Config(String),
    #[error("handlers: {given} answers for {needed} handlers of the event")]
    TooFewAnswers { given: usize, needed: usize },
}

impl RequestError {
    pub(super) fn wrong(field: &str, expected: &'static str) -> Self {
        Self::Wrong {
            field: field.to_owned(),
            expected,
        }
    }
}

/// One request; fields are read as they are asked for.
pub(super) struct Request<'a>(Option<&'a Map<String, Value>>);

impl<'a> Request<'a> {
    pub(super) fn new(value: &'a Value) -> Self {
        Self(value.as_object())
    }

    fn get(&self, field: &str) -> Result<Option<&'a Value>, RequestError> {
        Ok(self.0.ok_or(RequestError::NotAnObject)?.get(field))
    }

    /// A field that has to be there; it may be null.
    pub(super) fn value(&self, field: &'static str) -> Result<&'a Value, RequestError> {
        self.get(field)?.ok_or(RequestError::Missing { field })
    }

    /// A field that is absent or null where it says nothing.
    pub(super) fn optional(&self, field: &str) -> Result<Option<&'a Value>, RequestError> {
        Ok(self.get(field)?.filter(|value| !value.is_null()))
    }

    pub(super) fn text(&self, field: &'static str) -> Result<&'a str, RequestError> {
        self.optional_text(field)?.ok_or(RequestError::Missing { field })
    }

    pub(super) fn optional_text(&self, field: &str) -> Result<Option<&'a str>, RequestError> {
        let value = self.optional(field)?;
        value
            .map(|value| value.as_str().ok_or_else(|| RequestError::wrong(field, "a string")))
            .transpose()
    }

    pub(super) fn list(&self, field: &'static str) -> Result<&'a [Value], RequestError> {
        self.value(field)?
            .as_array()
            .map(Vec::as_slice)
            .ok_or_else(|| RequestError::wrong(field, "a list"))
    }

    /// The exit code; absent is 0.
    pub(super) fn exit(&self) -> Result<Exit, RequestError> {
        self.get("exit")?.map_or(Ok(Exit::Code(0)), super::exit_of)
    }

    pub(super) fn agent(&self) -> Result<&'a str, RequestError> {
        Ok(self.optional_text("dialect")?.unwrap_or("claude-code"))
    }

    pub(super) fn dialect(&self) -> Result<Dialect, RequestError> {
        match self.agent()? {
            "dsh" => match self.optional_text("mode")? {
                None | Some("claude-code") => Ok(Dialect::Dsh(DshMode::ClaudeCode)),
                Some("codex") => Ok(Dialect::Dsh(DshMode::Codex)),
                Some(_) => Err(RequestError::wrong("mode", "\"claude-code\" or \"codex\"")),
            },
            name if name == "codex" || dialects::agent(name).is_some() => Ok(Dialect::of_agent(name)),
            name => Err(RequestError::UnknownDialect(name.to_owned())),
        }
    }

    /// The event as the dialect's agent sends it, and why it cannot be judged where that is so: an agent's event that lacks
    /// what a call is about still has matchers and rules.
    pub(super) fn event(&self) -> Result<(Event, Option<DecodeError>), RequestError> {
        let agent = if matches!(self.dialect()?, Dialect::Dsh(_)) {
            "claude-code"
        } else {
            self.agent()?
        };
        let payload = self.value("event")?;
        match dialects::decode(agent, payload.clone()) {
            Ok(event) => Ok((event, None)),
            Err(error @ DecodeError::Field { .. }) => Ok((bare(agent, payload), Some(error))),
            Err(error) => Err(error.into()),
        }
    }
}

/// An event of which only the names are understood.
fn bare(agent: &str, payload: &Value) -> Event {
    let text = |key: &str| payload.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let tool = payload.get("tool_name").and_then(Value::as_str);
    Event {
        agent: agent.to_owned(),
        name: text("hook_event_name"),
        session: text("session_id"),
        cwd: text("cwd"),
        project: text("cwd"),
        tool: tool.map(|name| ToolCall {
            name: name.to_owned(),
            ..ToolCall::default()
        }),
        prompt: None,
        payload: payload.clone(),
    }
}
