//! What the encoders share: an outcome and whom it is for, and the pieces that every agent's answer is made of.

use super::canonical::{self, NATIVE};
use super::tools::{self, Tool};
use super::{Agent, Response};
use crate::event::Event;
use crate::events::{self, Blocking};
use crate::output::{Decision, Outcome};
use serde_json::{Map, Value};

/// Bytes of a reason that are passed on; the answer of a handler has the same limit.
const REASON_CAP: usize = 64 * 1024;

/// Why, where a handler ends the turn and does not say why.
const STOPPED: &str = "stopped by hookbox";

/// An outcome to be told.
#[derive(Clone, Copy)]
pub(crate) struct Answer<'a> {
    pub(crate) agent: &'static Agent,
    /// The canonical name.
    pub(crate) event: &'a str,
    /// The agent's own name of the event.
    pub(crate) native_event: &'a str,
    /// The agent's tool, where it is a known one.
    tool: Option<&'static Tool>,
    mcp: bool,
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
            mcp: false,
            outcome,
        }
    }

    pub(crate) fn to(agent: &'static Agent, event: &'a Event, outcome: &'a Outcome) -> Self {
        let native = |key: &str| event.payload.get(NATIVE)?.get(key)?.as_str();
        let tool_name = native("tool").or_else(|| event.tool.as_ref().map(|call| call.name.as_str()));
        Answer {
            tool: tool_name.and_then(|name| canonical::find(agent, name)),
            mcp: event.tool.as_ref().is_some_and(|call| call.name.starts_with("mcp__")),
            event: &event.name,
            native_event: native("event").unwrap_or(&event.name),
            agent,
            outcome,
        }
    }

    /// The same answer with another outcome.
    pub(crate) fn with<'b>(&self, outcome: &'b Outcome) -> Answer<'b>
    where
        'a: 'b,
    {
        Answer { outcome, ..*self }
    }

    /// The outcome where an agent may take nothing but a block: a question, another input and the end of the turn are blocks that say so.
    pub(crate) fn blocking(&self) -> Outcome {
        let mut outcome = self.outcome.clone();
        let asks = match outcome.decision {
            Some(Decision::Deny) => return outcome,
            Some(Decision::Ask) => !outcome.ask_passes,
            Some(Decision::Defer) => true,
            _ => false,
        };
        let reason = match (self.updated_input(), &outcome.stop) {
            (Some(input), _) => self.rewrite_reason(&input),
            (None, Some(why)) => why.clone().unwrap_or_else(|| STOPPED.into()),
            (None, None) if asks => self.ask_reason(&self.reason(), "at an event that hookbox does not know"),
            (None, None) => return outcome,
        };
        outcome.decision = Some(Decision::Deny);
        outcome.reason = Some(reason);
        outcome.updated_input = None;
        outcome
    }

    /// The reason of a deny that stands for a question which the agent cannot put to its user.
    pub(crate) fn ask_reason(&self, why: &str, place: &str) -> String {
        let title = self.agent.capabilities.title;
        format!("{why}\n\n(this needs the user's approval, and {title} cannot ask {place}: ask the user to run it)")
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

    /// True where the call is one of an MCP server's tools.
    pub(crate) fn calls_mcp(&self) -> bool {
        self.mcp
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
}

/// What an agent takes in answer to one event; what is false has a fallback in `settle`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Can {
    /// A block prevents something or makes the agent go on working.
    pub(crate) block: bool,
    pub(crate) ask: bool,
    /// An explicit yes; without it a yes is silence.
    pub(crate) allow: bool,
    pub(crate) rewrite: bool,
    pub(crate) context: bool,
    /// Context arrives beside a block too.
    pub(crate) context_with_block: bool,
    pub(crate) stop: bool,
    /// A replaced result.
    pub(crate) output: bool,
    /// A text for the user.
    pub(crate) message: bool,
}

/// An outcome after the fallbacks: all of it can be told.
#[derive(Debug, Default)]
pub(crate) struct Settled {
    /// Never `Defer`.
    pub(crate) decision: Option<Decision>,
    /// Why; empty where nothing was decided.
    pub(crate) reason: String,
    pub(crate) input: Option<Value>,
    pub(crate) output: Option<Value>,
    pub(crate) context: Option<String>,
    pub(crate) message: Option<String>,
    pub(crate) stop: Option<Option<String>>,
    pub(crate) warnings: Vec<String>,
}

impl Settled {
    pub(crate) fn denies(&self) -> bool {
        self.decision == Some(Decision::Deny)
    }

    /// `continue: false` with its reason, where the outcome stops the agent.
    pub(crate) fn stopping(&self, top: Object) -> Object {
        match &self.stop {
            Some(reason) => top.with("continue", false).with_some("stopReason", reason.clone()),
            None => top,
        }
    }
}

/// The outcome with what the agent cannot be told replaced: `ask` and `defer` by a deny, a rewrite by a deny that says what was wanted, the end
/// of the turn before a call by a deny; context that is not taken goes with the reason of a deny or is dropped, and that is recorded.
pub(crate) fn settle(answer: &Answer<'_>, can: Can) -> Settled {
    let outcome = answer.outcome;
    let title = answer.agent.capabilities.title;
    let prevents = events::spec(answer.event).blocks == Blocking::Prevents;
    let mut out = Settled {
        decision: outcome.decision,
        ..Settled::default()
    };
    let mut dropped = |what: &str| {
        out.warnings.push(format!(
            "{}: {title} takes no {what} here; it was dropped",
            answer.native_event
        ))
    };
    let mut reason = outcome.decision.map(|_| answer.reason());

    if matches!(out.decision, Some(Decision::Ask | Decision::Defer)) {
        // A permission request without an answer is asked anyway.
        out.decision = match () {
            () if can.ask => Some(Decision::Ask),
            () if outcome.ask_passes && outcome.decision == Some(Decision::Ask) => None,
            () if prevents && can.block && answer.event != "PermissionRequest" => {
                let given = reason.unwrap_or_default();
                reason = Some(answer.ask_reason(&given, "in a hook"));
                Some(Decision::Deny)
            }
            () => None,
        };
        if out.decision.is_none() && answer.event != "PermissionRequest" {
            dropped("`ask`");
        }
    }
    match answer.updated_input() {
        Some(_) if out.decision == Some(Decision::Deny) => {}
        Some(input) if can.rewrite => out.input = Some(input),
        Some(input) if can.block && prevents => {
            out.decision = Some(Decision::Deny);
            reason = Some(answer.rewrite_reason(&input));
        }
        Some(_) => dropped("`updatedInput`"),
        None => {}
    }
    match &outcome.stop {
        Some(why) if can.stop => out.stop = Some(why.clone()),
        Some(_) if out.decision == Some(Decision::Deny) => {}
        Some(why) if prevents && can.block => {
            out.decision = Some(Decision::Deny);
            reason = Some(why.clone().unwrap_or_else(|| STOPPED.into()));
            out.input = None;
        }
        Some(_) => dropped("`continue: false`"),
        None => {}
    }
    if out.decision == Some(Decision::Deny) && !can.block {
        out.decision = None;
        dropped("block");
    }
    if out.decision == Some(Decision::Allow) && !can.allow {
        out.decision = None;
    }
    let denies = out.decision == Some(Decision::Deny);
    match answer.context() {
        Some(context) if can.context && (!denies || can.context_with_block) => out.context = Some(context),
        // The reason reaches the model too.
        Some(context) if denies => reason = Some(format!("{}\n\n{context}", reason.unwrap_or_default())),
        Some(_) => dropped("`additionalContext`"),
        None => {}
    }
    match &outcome.updated_output {
        Some(output) if can.output => out.output = Some(output.clone()),
        Some(_) => dropped("`updatedOutput`"),
        None => {}
    }
    match answer.system_message() {
        Some(message) if can.message => out.message = Some(message),
        Some(_) => dropped("`systemMessage`"),
        None => {}
    }
    if !outcome.extra.is_empty() {
        let names: Vec<&str> = outcome.extra.keys().map(String::as_str).collect();
        dropped(&format!("`{}`", names.join("`, `")));
    }
    out.reason = reason
        .filter(|_| out.decision.is_some())
        .map(|reason| cut_bytes(&reason, REASON_CAP))
        .unwrap_or_default();
    out
}

/// A result as text, for agents that take the place of a result only by a text.
pub(crate) fn as_text(output: &Value) -> String {
    match output {
        Value::String(text) => text.clone(),
        other => other.to_string(),
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
