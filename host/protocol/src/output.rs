//! What one handler answered (`Output`) and what all of them together decided (`Outcome`).

use serde_json::{Map, Value};

/// What a handler decides about an event. The order is the precedence: the strictest wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Decision {
    Allow,
    Ask,
    Defer,
    Deny,
}

impl Decision {
    /// The word for a decision, or for none.
    pub fn word(decision: Option<Decision>) -> &'static str {
        match decision {
            None => "none",
            Some(Decision::Allow) => "allow",
            Some(Decision::Ask) => "ask",
            Some(Decision::Defer) => "defer",
            Some(Decision::Deny) => "deny",
        }
    }
}

/// What a failure of a handler means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OnFailure {
    /// The event goes on as if the handler had said nothing.
    #[default]
    Continue,
    /// The failure is a block.
    Block,
}

/// What one handler answered, after decoding.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// `None` is no opinion, never the same as `allow`.
    pub decision: Option<Decision>,
    pub reason: Option<String>,
    /// Which rule decided, for the audit.
    pub rule: Option<String>,
    pub updated_input: Option<Value>,
    pub updated_output: Option<Value>,
    pub additional_context: Option<String>,
    pub system_message: Option<String>,
    /// `continue: false`; the inner text is its `stopReason`.
    pub stop: Option<Option<String>>,
    pub suppress_output: bool,
    /// Further fields of `hookSpecificOutput`, under their names on the wire.
    pub extra: Map<String, Value>,
    /// Set where the handler failed instead of answering (or besides, where its failure blocks).
    pub failure: Option<Failure>,
    /// What the author of the handler should know: unknown keys, a dropped field.
    pub diagnostics: Vec<String>,
}

/// How a handler failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    /// What happened, for a person.
    pub message: String,
}

/// The kinds of failure that a handler can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureKind {
    CouldNotStart,
    TimedOut,
    /// An exit code other than 0 and 2, or a signal.
    Exit,
    /// An answer that is not JSON although it looks like it, or that breaks the schema.
    BadAnswer,
    /// An answer for another event.
    WrongEvent,
    Trap,
    OutOfFuel,
    OutOfMemory,
    /// An answer over its size limit.
    TooLarge,
    /// A plugin's own `err`.
    Plugin,
    /// The handler could not be loaded: missing, altered, wrongly signed, of an unknown version.
    NotLoaded,
}

/// What all handlers of an event decided together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    pub decision: Option<Decision>,
    /// The reasons of the winning decision, joined by a blank line.
    pub reason: Option<String>,
    pub updated_input: Option<Value>,
    pub updated_output: Option<Value>,
    pub additional_context: Vec<String>,
    pub system_messages: Vec<String>,
    /// `continue: false`; the first `stopReason`.
    pub stop: Option<Option<String>>,
    pub suppress_output: bool,
    pub extra: Map<String, Value>,
    /// Where the agent cannot ask, an `ask` is no opinion instead of a deny: the configuration's `askFallback`.
    pub ask_passes: bool,
    /// What the merge had to drop or to choose, in words.
    pub warnings: Vec<String>,
}
