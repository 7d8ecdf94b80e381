//! What a plain program in the sandbox answered: read as a command's, less what must never come of a run that went wrong.

use super::stdout::after_async_line;
use super::{Exit, Run, decode, failed};
use crate::dialect::Dialect;
use crate::output::{Decision, Failure, FailureKind, OnFailure, Output};

/// Decodes what a plain program answered.
///
/// Two things differ from a `command` handler. An exit code other than 0 and 2 is a failure whatever stdout says: only what
/// restricts stands beside it (many languages exit with 1 when they crash, and a component cannot say 2 in every version of
/// WASI). And a program in the sandbox is always waited for: one that wants to go on in the background has failed, unless it
/// blocks.
#[must_use]
pub fn program(dialect: Dialect, event: &str, run: &Run<'_>, on_failure: OnFailure) -> Output {
    let stdout = String::from_utf8_lossy(run.stdout);
    if let Some(rest) = after_async_line(&stdout) {
        if run.exit == Exit::Code(2) {
            let run = Run {
                stdout: rest.as_bytes(),
                ..run.clone()
            };
            return decode(dialect, event, &run, on_failure);
        }
        let failure = Failure {
            kind: FailureKind::BadAnswer,
            message: "it asks to go on in the background, which no plugin can".to_owned(),
        };
        return failed(event, run.label, failure, on_failure);
    }
    let mut output = decode(dialect, event, run, on_failure);
    let Exit::Code(code) = run.exit else { return output };
    if matches!(code, 0 | 2) || output.failure.is_some() {
        return output;
    }
    let said = String::from_utf8_lossy(run.stderr);
    let failure = Failure {
        kind: FailureKind::Exit,
        message: match said.trim() {
            "" => format!("exit code {code}"),
            said => format!("exit code {code}: {}", super::capped(said, super::MAX_TEXT)),
        },
    };
    let restricts = output.stop.is_some() || output.decision.is_some_and(|decision| decision != Decision::Allow);
    if !restricts {
        return failed(event, run.label, failure, on_failure);
    }
    if output.decision == Some(Decision::Allow) {
        output.decision = None;
        output.reason = None;
    }
    output.updated_input = None;
    output.updated_output = None;
    output.extra.clear();
    output.failure = Some(failure);
    output
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(code: i32, stdout: &str, on_failure: OnFailure) -> Output {
        let run = Run {
            label: "p",
            exit: Exit::Code(code),
            stdout: stdout.as_bytes(),
            stderr: b"",
        };
        program(Dialect::ClaudeCode, "PreToolUse", &run, on_failure)
    }

    fn answer(decision: &str) -> String {
        format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"PreToolUse","permissionDecision":"{decision}","updatedInput":{{"a":1}}}}}}"#
        )
    }

    #[test]
    fn exit_codes_0_and_2_are_read_as_of_a_command() {
        for (code, stdout, decision) in [
            (0, String::new(), None),
            (0, answer("allow"), Some(Decision::Allow)),
            (0, answer("deny"), Some(Decision::Deny)),
            (2, String::new(), Some(Decision::Deny)),
            (2, answer("allow"), Some(Decision::Deny)),
        ] {
            let output = read(code, &stdout, OnFailure::Block);
            assert_eq!((output.decision, output.failure), (decision, None), "{code} {stdout}");
        }
    }

    #[test]
    fn another_exit_code_is_never_consent() {
        for code in [1, 3, 101, 127, 255, -1] {
            for stdout in ["", "text", "{}", &answer("allow"), r#"{"decision":"approve"}"#] {
                let blocked = read(code, stdout, OnFailure::Block);
                assert_eq!(blocked.decision, Some(Decision::Deny), "{code} {stdout}");
                let loosened = read(code, stdout, OnFailure::Continue);
                assert_eq!(
                    (loosened.decision, &loosened.updated_input),
                    (None, &None),
                    "{code} {stdout}"
                );
                assert!(
                    blocked.failure.is_some() && loosened.failure.is_some(),
                    "{code} {stdout}"
                );
            }
        }
    }

    #[test]
    fn what_restricts_stands_beside_a_failure() {
        for (word, decision) in [("deny", Decision::Deny), ("ask", Decision::Ask)] {
            let output = read(1, &answer(word), OnFailure::Continue);
            assert_eq!(
                (output.decision, output.updated_input),
                (Some(decision), None),
                "{word}"
            );
            assert!(output.failure.is_some());
        }
        assert!(read(1, r#"{"continue":false}"#, OnFailure::Continue).stop.is_some());
        let stopped = read(1, r#"{"continue":false,"decision":"approve"}"#, OnFailure::Continue);
        assert!(stopped.stop.is_some() && stopped.decision.is_none());
    }

    #[test]
    fn no_program_goes_into_the_background() {
        let denies = format!("{{\"async\":true}}\n{}", answer("deny"));
        for on_failure in [OnFailure::Block, OnFailure::Continue] {
            assert_eq!(read(2, &denies, on_failure).decision, Some(Decision::Deny));
            assert_eq!(read(2, "{\"async\":true}", on_failure).decision, Some(Decision::Deny));
            assert!(read(0, "{\"async\":true}", on_failure).failure.is_some());
        }
        assert_eq!(
            read(0, "{\"async\":true}\n", OnFailure::Block).decision,
            Some(Decision::Deny)
        );
    }
}
