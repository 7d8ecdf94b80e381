//! Events, outputs, codec, matchers, `if` rules, merge and dialects of agents' hooks. Pure: no I/O.

pub mod event;
pub mod output;

pub use event::{Action, Command, Event, FileWrite, McpCall, Search, ToolCall};
pub use output::{Decision, Failure, FailureKind, OnFailure, Outcome, Output};
