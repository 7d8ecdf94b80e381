//! What Codex makes of an answer, more strictly than Claude Code.
//!
//! Codex drops an answer that it does not fully understand and runs the call. hookbox keeps what restricts and drops what
//! loosens, so that a guard's deny does not die of a spare key; what Codex itself would have dropped is reported.

use super::{Exit, Run};
use crate::events::{self, Block};
use crate::output::{Decision, Failure, FailureKind, OnFailure, Output};

/// An output as far as Codex can do what it asks for.
pub(super) fn narrowed(event: &str, run: &Run<'_>, on_failure: OnFailure, mut output: Output) -> Output {
    if output.failure.is_some() {
        return output;
    }
    if let Exit::Code(code) = run.exit
        && code != 0
        && code != 2
    {
        output = only_restrictions(event, run, code, on_failure, output);
    }
    match output.decision {
        Some(Decision::Ask | Decision::Defer) => {
            // Codex fails such an answer and runs the call. Who asked must not be taken for who agreed.
            output.decision = Some(Decision::Deny);
            output.updated_input = None;
            output
                .reason
                .get_or_insert_with(|| format!("[{}]: asked for confirmation, which Codex cannot do", run.label));
            note(&mut output, "Codex cannot ask: refused instead");
        }
        Some(Decision::Allow) if event == "PermissionRequest" && asks_for_more(&output) => {
            output.decision = Some(Decision::Deny);
            output.reason = Some("Codex takes no changed input and no changed permissions here".to_owned());
            output.updated_input = None;
            output.extra.remove("updatedPermissions");
        }
        Some(Decision::Allow) if event != "PermissionRequest" && output.updated_input.is_none() => {
            output.decision = None;
            output.reason = None;
            note(
                &mut output,
                "Codex takes no bare allow: no opinion instead; hint: print nothing to let a call through",
            );
        }
        Some(Decision::Deny) if run.exit == Exit::Code(2) && run.stderr.trim_ascii().is_empty() => {
            note(
                &mut output,
                "Codex itself does not block on exit 2 without a reason on stderr",
            );
        }
        _ => {}
    }
    if output.updated_output.take().is_some() | output.extra.remove("updatedMCPToolOutput").is_some() {
        note(&mut output, "Codex cannot replace a tool's output: dropped");
    }
    let text = run.stdout.trim_ascii();
    if run.exit == Exit::Code(0)
        && events::spec(event).block == Block::KeepsWorking
        && !text.is_empty()
        && text[0] != b'{'
    {
        let message = format!("Codex takes no plain text on {event}");
        output.diagnostics.push(format!("[{}]: {message}", run.label));
        output.failure = Some(Failure {
            kind: FailureKind::BadAnswer,
            message,
        });
    }
    output
}

/// Codex reads no answer at an exit code other than 0.
fn only_restrictions(event: &str, run: &Run<'_>, code: i32, on_failure: OnFailure, output: Output) -> Output {
    let failure = Failure {
        kind: FailureKind::Exit,
        message: format!("exit code {code}: Codex reads no answer there"),
    };
    let failed = super::failed(event, run.label, failure, on_failure);
    if output.decision == Some(Decision::Deny) || output.stop.is_some() {
        let blocked = if output.decision == Some(Decision::Deny) {
            &output
        } else {
            &failed
        };
        return Output {
            decision: blocked.decision,
            reason: blocked.reason.clone(),
            stop: output.stop.clone(),
            system_message: output.system_message.clone(),
            ..failed
        };
    }
    failed
}

fn asks_for_more(output: &Output) -> bool {
    output.updated_input.is_some() || output.extra.contains_key("updatedPermissions")
}

fn note(output: &mut Output, what: &str) {
    output.diagnostics.push(what.to_owned());
}
