//! Events, outputs, codec, matchers, `if` rules, merge and dialects of agents' hooks. Pure: no I/O.

pub mod codec;
pub mod condition;
pub mod config;
pub mod dialect;
pub mod dialects;
pub mod dsh;
pub mod event;
pub mod events;
pub mod hosts;
pub mod matcher;
pub mod merge;
pub mod output;
pub mod protocol_op;
pub mod tools;

pub use condition::Condition;
pub use dialect::{Dialect, DshMode};
pub use event::{Action, Command, Event, FileWrite, McpCall, Search, ToolCall};
pub use matcher::Matcher;
pub use output::{Decision, Failure, FailureKind, OnFailure, Outcome, Output};
