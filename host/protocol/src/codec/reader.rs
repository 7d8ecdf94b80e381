//! Reads one run by Claude Code's rules: exit code × stdout.

use serde_json::{Map, Value};

use super::failure::{failed_on, refuse};
use super::schema::{self, Answer};
use super::stdout::{self, Stdout};
use super::text::{MAX_TEXT, capped};
use super::{Exit, MAX_STDOUT, NO_STDERR, Run, apply, background, native};
use crate::dialect::Dialect;
use crate::events::{self, Block, EventSpec, PlainStdout, Stop};
use crate::output::{Decision, Failure, FailureKind, OnFailure, Output};

/// Reads one run by Claude Code's rules.
pub(super) struct Reader<'a> {
    dialect: Dialect,
    event: &'a str,
    spec: EventSpec,
    run: &'a Run<'a>,
    on_failure: OnFailure,
    stderr: String,
}

/// What stdout holds, after the schema.
enum Reading {
    Plain(String),
    Answer(Answer),
    WrongEvent(String, Answer),
    Bad(String),
}

impl<'a> Reader<'a> {
    pub(super) fn new(dialect: Dialect, event: &'a str, run: &'a Run<'a>, on_failure: OnFailure) -> Self {
        let stderr = String::from_utf8_lossy(run.stderr).into_owned();
        let mut spec = events::spec(event);
        if dialect != Dialect::ClaudeCode {
            // Where Claude Code ignores a stop others obey it: Codex compacts nothing and starts no session.
            spec.stop = Stop::EndsTurn;
        }
        Self {
            dialect,
            event,
            spec,
            run,
            on_failure,
            stderr,
        }
    }

    pub(super) fn read(&self) -> Output {
        let code = match &self.run.exit {
            Exit::Code(code) => *code,
            Exit::Signal(signal) => {
                return self.fail(FailureKind::Exit, format!("killed by signal {signal}"), &self.stderr);
            }
            Exit::TimedOut => return self.fail(FailureKind::TimedOut, "no answer in time".to_owned(), ""),
            Exit::CouldNotStart(why) => return self.fail(FailureKind::CouldNotStart, why.clone(), why),
        };
        if self.run.stdout.len() > MAX_STDOUT {
            return self.too_large(code);
        }
        let stdout = String::from_utf8_lossy(self.run.stdout);
        if let Some(rest) = stdout::after_async_line(&stdout) {
            return background(self.event, rest);
        }
        if self.spec.plain == PlainStdout::Path {
            return self.path(code, &stdout);
        }
        let reading = self.reading(&stdout);
        match code {
            0 => self.clean(reading),
            2 => self.blocking(reading),
            code => self.other(code, reading),
        }
    }

    fn reading(&self, stdout: &str) -> Reading {
        let object = match stdout::shape(stdout) {
            Stdout::Plain(text) => return Reading::Plain(text),
            Stdout::Bad(why) => return Reading::Bad(why),
            Stdout::Json(object) => native::restated(self.dialect, self.event, object),
        };
        match schema::validate(self.event, object) {
            Err(why) => Reading::Bad(why),
            Ok(mut answer) => match answer.specific.take() {
                Some(specific) if specific.event != self.event => Reading::WrongEvent(specific.event, answer),
                specific => {
                    answer.specific = specific;
                    Reading::Answer(answer)
                }
            },
        }
    }

    /// Exit 0.
    fn clean(&self, reading: Reading) -> Output {
        match reading {
            Reading::Plain(text) => {
                let context = self.spec.plain == PlainStdout::Context && !text.is_empty();
                Output {
                    additional_context: context.then(|| capped(&text, MAX_TEXT)),
                    ..Output::default()
                }
            }
            Reading::Answer(answer) => apply::apply(self.event, &self.spec, answer),
            Reading::WrongEvent(named, answer) => self.wrong_event(&named, answer),
            Reading::Bad(why) => self.bad(&why),
        }
    }

    /// Exit 2: a block, whatever stdout says; an answer adds to it.
    fn blocking(&self, reading: Reading) -> Output {
        let said = if self.stderr.trim().is_empty() {
            NO_STDERR
        } else {
            &self.stderr
        };
        let text = format!("[{}]: {said}", self.run.label);
        match reading {
            Reading::Plain(_) => self.blocked(Output::default(), text),
            Reading::Answer(answer) => self.blocked(apply::apply(self.event, &self.spec, answer), text),
            Reading::WrongEvent(named, answer) if answer.block == Some(true) => self.wrong_event(&named, answer),
            Reading::WrongEvent(named, _) => {
                let text = format!(
                    "[{}]: blocked (exit 2); its output could not be processed",
                    self.run.label
                );
                let mut output = self.blocked(Output::default(), text);
                output.diagnostics.push(wrong_name(&named, self.event));
                output
            }
            Reading::Bad(why) => {
                let mut output = self.blocked(Output::default(), text);
                output.diagnostics.push(why);
                output
            }
        }
    }

    /// Any other exit code: an answer counts as at exit 0, everything else has failed.
    fn other(&self, code: i32, reading: Reading) -> Output {
        // A shell's codes for a command that is not there or may not be run.
        let kind = if matches!(code, 126 | 127) {
            FailureKind::CouldNotStart
        } else {
            FailureKind::Exit
        };
        let message = format!("exit code {code}");
        match reading {
            Reading::Plain(_) => self.fail(kind, message, &self.stderr),
            Reading::Answer(answer) => {
                let output = apply::apply(self.event, &self.spec, answer);
                if self.on_failure != OnFailure::Block || !self.spec.failure_blocks() {
                    return output;
                }
                let failure = self.fail(kind, message, &self.stderr);
                let mut blocked = self.blocked_by_failure(output, failure.reason.unwrap_or_default());
                blocked.failure = failure.failure;
                blocked
            }
            Reading::WrongEvent(named, answer) => self.wrong_event(&named, answer),
            Reading::Bad(why) => self.bad(&why),
        }
    }

    fn blocked(&self, mut output: Output, text: String) -> Output {
        match self.spec.block {
            Block::Prevents | Block::Feedback | Block::KeepsWorking => self.blocked_by_failure(output, text),
            Block::Notice => {
                let said: Vec<String> = output.system_message.take().into_iter().chain([text]).collect();
                output.system_message = Some(capped(&said.join("\n"), MAX_TEXT));
                output.diagnostics.push(format!(
                    "exit 2 blocks nothing on {}: its text is shown to the user",
                    self.event
                ));
                output
            }
            Block::Ignored => {
                if self.spec.name == "MessageDisplay" {
                    output.extra.clear();
                }
                if output.decision.is_none() {
                    output
                        .diagnostics
                        .push(format!("exit 2 does nothing on {}", self.event));
                }
                output
            }
        }
    }

    /// A block on top of an answer: the answer's own reason stands where it blocks too.
    fn blocked_by_failure(&self, mut output: Output, text: String) -> Output {
        if output.decision != Some(Decision::Deny) {
            refuse(&mut output, text);
        }
        if self.spec.name.starts_with("Elicitation") {
            output.extra.clear();
        }
        output
    }

    /// An answer that names another event: a block at its top level stands, without the rest it counts as a failure.
    fn wrong_event(&self, named: &str, answer: Answer) -> Output {
        let why = wrong_name(named, self.event);
        if answer.block == Some(true) {
            let mut output = apply::apply(self.event, &self.spec, answer);
            output.diagnostics.push(why);
            return output;
        }
        let detail = format!(
            "Hook returned incorrect event name: expected '{}' but got '{named}'",
            self.event
        );
        self.fail(FailureKind::WrongEvent, why, &detail)
    }

    fn bad(&self, why: &str) -> Output {
        self.fail(FailureKind::BadAnswer, why.to_owned(), why)
    }

    fn too_large(&self, code: i32) -> Output {
        let why = format!("answer too large: more than {MAX_STDOUT} bytes on stdout");
        if code == 2 {
            return self.blocking(Reading::Bad(why));
        }
        self.fail(FailureKind::TooLarge, why.clone(), &why)
    }

    fn fail(&self, kind: FailureKind, message: String, detail: &str) -> Output {
        let stderr = self.stderr.trim();
        let told = matches!(kind, FailureKind::Exit) && !stderr.is_empty();
        let message = if told {
            format!("{message}: {}", capped(stderr, MAX_TEXT))
        } else {
            message
        };
        failed_on(
            &self.spec,
            self.run.label,
            Failure { kind, message },
            detail,
            self.on_failure,
        )
    }

    /// WorktreeCreate: the last line is the path, and nothing else will do.
    fn path(&self, code: i32, stdout: &str) -> Output {
        let last = stdout.lines().map(str::trim).rfind(|line| !line.is_empty());
        let problem = match (code, last) {
            (0, Some(path)) if !path.starts_with('{') && !path.ends_with('}') => {
                let extra = Map::from_iter([("worktreePath".to_owned(), Value::from(path))]);
                return Output {
                    extra,
                    ..Output::default()
                };
            }
            (0, Some(_)) => "it printed JSON where WorktreeCreate takes a path".to_owned(),
            (0, None) => "it printed no path".to_owned(),
            _ if self.stderr.trim().is_empty() => NO_STDERR.to_owned(),
            _ => self.stderr.clone(),
        };
        let kind = if code == 0 {
            FailureKind::BadAnswer
        } else {
            FailureKind::Exit
        };
        if code == 2 {
            return self.blocked(Output::default(), format!("[{}]: {problem}", self.run.label));
        }
        self.fail(
            kind,
            if code == 0 {
                problem.clone()
            } else {
                format!("exit code {code}")
            },
            &problem,
        )
    }
}

fn wrong_name(named: &str, event: &str) -> String {
    format!("hookSpecificOutput is for {named}, the event is {event}: dropped")
}
