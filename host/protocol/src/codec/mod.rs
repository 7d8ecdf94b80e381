//! What a handler's exit code, stdout and stderr mean: one `Output`.
//!
//! The rules are those of Claude Code 2.1.332, observed; `codex.rs` narrows them for Codex, `dsh/` beside this folder has the
//! older ones of the DeepSeek Harness bridge. Running the handler, and what all outputs decide together, is elsewhere.

mod apply;
mod codex;
mod failure;
pub mod json;
mod json_schema;
mod native;
mod program;
mod reader;
mod schema;
mod stdout;
pub mod text;

use serde_json::Value;

pub use self::failure::{failed, host_failure};
pub use self::json_schema::answer_schema;
pub use self::program::program;
use self::reader::Reader;
use self::stdout::Stdout;
pub(crate) use self::stdout::is_blank;
use self::text::{MAX_TEXT, capped};
use crate::dialect::Dialect;
use crate::dsh;
use crate::event::Event;
use crate::output::{Decision, OnFailure, Outcome, Output};

/// The reason of a block that gives none.
pub const DEFAULT_BLOCK_REASON: &str = "Blocked by hook";
/// The reason of a refused permission request that gives none.
pub const DEFAULT_REQUEST_REASON: &str = "Permission denied by hook";
/// What stands for an empty stderr.
pub const NO_STDERR: &str = "No stderr output";
/// Bytes of stdout that are read as an answer. A caller that cuts a longer stdout must leave more than this, so that half an
/// answer is never taken for plain text.
pub const MAX_STDOUT: usize = 1024 * 1024;

/// How a handler's process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exit {
    Code(i32),
    Signal(i32),
    TimedOut,
    /// The operating system's reason.
    CouldNotStart(String),
}

/// One run of a handler.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// The configured command, as messages name it.
    pub label: &'a str,
    pub exit: Exit,
    /// Everything up to `MAX_STDOUT`, and at least one byte more where there was more.
    pub stdout: &'a [u8],
    pub stderr: &'a [u8],
}

/// Decodes what a handler of `event` answered.
#[must_use]
pub fn decode(dialect: Dialect, event: &str, run: &Run<'_>, on_failure: OnFailure) -> Output {
    match dialect {
        Dialect::ClaudeCode | Dialect::Other => Reader::new(dialect, event, run, on_failure).read(),
        Dialect::Codex => codex::narrowed(
            event,
            run,
            on_failure,
            Reader::new(dialect, event, run, on_failure).read(),
        ),
        Dialect::Dsh(_) => dsh::decode(event, run, on_failure),
    }
}

/// The output of a handler that runs in the background: its decision is void, what it says goes to the model.
#[must_use]
pub fn background(event: &str, stdout: &str) -> Output {
    let mut output = Output {
        diagnostics: vec!["the handler runs in the background: what it decides does not count".to_owned()],
        ..Output::default()
    };
    if let Stdout::Json(object) = stdout::shape(stdout)
        && let Ok(answer) = schema::validate(event, object)
    {
        let context = answer
            .specific
            .and_then(|specific| match specific.fields.get("additionalContext") {
                Some(Value::String(text)) if specific.event == event => Some(text.clone()),
                _ => None,
            });
        let said: Vec<String> = [answer.system_message, context].into_iter().flatten().collect();
        output.additional_context = (!said.is_empty()).then(|| capped(&said.join("\n"), MAX_TEXT));
    }
    output
}

/// Gives an outcome that asks without saying why the agent's own words for it.
pub fn fill_default_reason(event: &Event, outcome: &mut Outcome) {
    if outcome.decision == Some(Decision::Ask) && outcome.reason.is_none() {
        let tool = event.tool.as_ref().map_or("", |tool| tool.name.as_str());
        let separator = if tool.is_empty() { "" } else { ":" };
        outcome.reason = Some(format!(
            "Hook {}{separator}{tool} asked for confirmation for this tool",
            event.name
        ));
    }
}

pub(crate) fn decision_of(text: &str) -> Option<Decision> {
    match text {
        "allow" => Some(Decision::Allow),
        "ask" => Some(Decision::Ask),
        "defer" => Some(Decision::Defer),
        "deny" => Some(Decision::Deny),
        _ => None,
    }
}
