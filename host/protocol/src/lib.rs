//! Events, outputs, codec, matchers, `if` rules, merge and dialects of agents' hooks. Pure: no I/O.

pub mod condition;
pub mod config;
pub mod dialect;
pub mod dialects;
pub mod event;
pub mod matcher;
pub mod output;
pub mod tools;

pub use condition::Condition;
pub use dialect::Dialect;
pub use event::{Action, Command, Event, FileWrite, McpCall, Search, ToolCall};
pub use matcher::Matcher;
pub use output::{Decision, Failure, FailureKind, OnFailure, Outcome, Output};
