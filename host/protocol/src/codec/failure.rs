//! What a failure does: of a handler, under its `onFailure`, and of the host.

use super::NO_STDERR;
use super::text::{MAX_TEXT, capped};
use crate::events::{self, Block, Blocking, EventSpec, PlainStdout};
use crate::output::{Decision, Failure, FailureKind, OnFailure, Output};

/// The output of a handler that failed, whatever its kind.
#[must_use]
pub fn failed(event: &str, label: &str, failure: Failure, on_failure: OnFailure) -> Output {
    let detail = failure.message.clone();
    failed_on(&events::spec(event), label, failure, &detail, on_failure)
}

/// What a failure of the host itself does on an event: it blocks where a block prevents something, and is said elsewhere.
#[must_use]
pub fn host_failure(event: &str, failure: Failure) -> Output {
    let mut output = Output::default();
    if events::spec(event).blocks == Blocking::Prevents {
        refuse(&mut output, failure.message.clone());
    } else {
        output.system_message = Some(capped(&failure.message, MAX_TEXT));
    }
    output.failure = Some(failure);
    output
}

/// `detail` is what follows the first line of a block's reason.
pub(super) fn failed_on(
    spec: &EventSpec,
    label: &str,
    failure: Failure,
    detail: &str,
    on_failure: OnFailure,
) -> Output {
    let timed_out = failure.kind == FailureKind::TimedOut;
    let detail = if detail.trim().is_empty() { NO_STDERR } else { detail };
    let what = if timed_out { "timed out" } else { "failed" };
    let mut output = Output::default();
    if on_failure == OnFailure::Block && spec.failure_blocks() {
        let because = format!("[{label}]: {what}; blocking because onFailure is \"block\"");
        let reason = if timed_out {
            because
        } else {
            format!("{because}\n{detail}")
        };
        refuse(&mut output, reason);
    } else if spec.plain == PlainStdout::Path || (timed_out && spec.name == "PreModelSwitch") {
        // A worktree without a path, and a switch whose hook gave no answer in time, do not happen.
        refuse(
            &mut output,
            if timed_out {
                format!("[{label}]: timed out")
            } else {
                format!("[{label}]: {detail}")
            },
        );
    } else if on_failure == OnFailure::Block {
        let goes_on = if spec.block == Block::KeepsWorking {
            "the agent may stop all the same"
        } else {
            "the agent goes on"
        };
        output.system_message = Some(capped(&format!("[{label}]: {what}; {goes_on}\n{detail}"), MAX_TEXT));
    }
    output
        .diagnostics
        .push(format!("[{label}]: {what}: {}", failure.message));
    output.failure = Some(failure);
    output
}

/// Makes an output a block: what it would have loosened goes.
pub(super) fn refuse(output: &mut Output, reason: String) {
    output.decision = Some(Decision::Deny);
    output.reason = Some(reason);
    output.updated_input = None;
    output.extra.remove("updatedPermissions");
}
