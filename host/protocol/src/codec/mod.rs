//! What a handler's exit code, stdout and stderr mean: one `Output`.
//!
//! The rules are those of Claude Code 2.1.332, observed; `codex.rs` narrows them for Codex, `dsh.rs` beside this folder has the
//! older ones of the DeepSeek Harness bridge. Running the handler, and what all outputs decide together, is elsewhere.

mod codex;
pub mod json;
mod json_schema;
mod schema;
mod stdout;
pub mod text;

use serde_json::{Map, Value};

pub use self::json_schema::answer_schema;
use self::schema::Answer;
use self::stdout::Stdout;
pub(crate) use self::stdout::is_blank;
use self::text::{MAX_TEXT, capped};
use crate::dialect::Dialect;
use crate::dsh;
use crate::event::Event;
use crate::events::{self, Block, Blocking, EventSpec, PlainStdout, Stop};
use crate::output::{Decision, Failure, FailureKind, OnFailure, Outcome, Output};

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
        Dialect::ClaudeCode => Reader::new(event, run, on_failure).read(),
        Dialect::Codex => codex::narrowed(event, run, on_failure, Reader::new(event, run, on_failure).read()),
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
fn failed_on(spec: &EventSpec, label: &str, failure: Failure, detail: &str, on_failure: OnFailure) -> Output {
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

fn refuse(output: &mut Output, reason: String) {
    output.decision = Some(Decision::Deny);
    output.reason = Some(reason);
    output.updated_input = None;
    output.extra.remove("updatedPermissions");
}

/// Reads one run by Claude Code's rules.
struct Reader<'a> {
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
    fn new(event: &'a str, run: &'a Run<'a>, on_failure: OnFailure) -> Self {
        let stderr = String::from_utf8_lossy(run.stderr).into_owned();
        Self {
            event,
            spec: events::spec(event),
            run,
            on_failure,
            stderr,
        }
    }

    fn read(&self) -> Output {
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
            Stdout::Json(object) => object,
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
            Reading::Answer(answer) => self.apply(answer),
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
            Reading::Answer(answer) => self.blocked(self.apply(answer), text),
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
                let output = self.apply(answer);
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
            let mut output = self.apply(answer);
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

    /// The fields of an answer, by what they do on this event.
    fn apply(&self, answer: Answer) -> Output {
        let Answer {
            stop,
            stop_reason,
            suppress_output,
            block,
            reason,
            system_message,
            terminal_sequence,
            specific,
            notes,
        } = answer;
        let mut output = Output {
            suppress_output,
            diagnostics: notes,
            ..Output::default()
        };
        output.system_message = system_message
            .filter(|text| !text.is_empty())
            .map(|text| capped(&text, MAX_TEXT));
        if stop {
            match self.spec.stop {
                Stop::EndsTurn => output.stop = Some(stop_reason),
                Stop::Ignored => output
                    .diagnostics
                    .push(format!("continue: false does nothing on {}", self.event)),
            }
        }
        if let Some(sequence) = terminal_sequence {
            output
                .extra
                .insert("terminalSequence".to_owned(), Value::from(sequence));
        }
        self.apply_top_level(block, reason.as_deref(), &mut output);
        if let Some(specific) = specific {
            self.apply_specific(specific.fields, reason.as_deref(), &mut output);
        }
        if output.decision == Some(Decision::Deny) {
            output.updated_input = None;
            output.reason.get_or_insert_with(|| DEFAULT_BLOCK_REASON.to_owned());
        }
        output
    }

    fn apply_top_level(&self, block: Option<bool>, reason: Option<&str>, output: &mut Output) {
        match (block, self.spec.block) {
            (None, _) => {}
            (Some(true), Block::Prevents | Block::Feedback | Block::KeepsWorking) => {
                output.decision = Some(Decision::Deny);
                output.reason = reason.filter(|text| !text.is_empty()).map(str::to_owned);
            }
            (Some(true), Block::Notice | Block::Ignored) => {
                output
                    .diagnostics
                    .push(format!("decision: \"block\" does nothing on {}", self.event));
            }
            (Some(false), Block::Prevents) if self.spec.takes(Decision::Allow) => {
                output.decision = Some(Decision::Allow);
                output.reason = reason.map(str::to_owned);
            }
            (Some(false), _) => {}
        }
    }

    fn apply_specific(&self, fields: Map<String, Value>, reason: Option<&str>, output: &mut Output) {
        let mut own_reason = None;
        let mut decision = None;
        for (key, value) in fields {
            match (key.as_str(), value) {
                ("permissionDecision", Value::String(text)) => decision = decision_of(&text),
                ("permissionDecisionReason", Value::String(text)) => own_reason = Some(text),
                ("additionalContext", Value::String(text)) if !text.is_empty() => {
                    output.additional_context = Some(capped(&text, MAX_TEXT));
                }
                ("additionalContext", _) => {}
                ("updatedInput", value) => output.updated_input = Some(value),
                ("updatedToolOutput", value) => output.updated_output = Some(value),
                ("decision", value) => self.apply_request(&value, output),
                (_, value) => {
                    output.extra.insert(key, value);
                }
            }
        }
        let blocked_above = output.decision == Some(Decision::Deny);
        if let Some(decision) = decision
            && (!blocked_above || decision == Decision::Deny)
        {
            output.decision = Some(decision);
            output.reason = own_reason
                .or_else(|| reason.map(str::to_owned))
                .filter(|text| !text.is_empty());
        }
        if self.spec.name == "PreSkillShellCommand" {
            only_yes_or_no(output);
        }
    }

    fn apply_request(&self, decision: &Value, output: &mut Output) {
        let text = |key: &str| {
            decision
                .get(key)
                .and_then(Value::as_str)
                .filter(|text| !text.is_empty())
        };
        if decision.get("behavior").and_then(Value::as_str) == Some("allow") {
            output.decision = Some(Decision::Allow);
            output.updated_input = decision.get("updatedInput").cloned();
            if let Some(permissions) = decision.get("updatedPermissions") {
                output
                    .extra
                    .insert("updatedPermissions".to_owned(), permissions.clone());
            }
        } else {
            output.decision = Some(Decision::Deny);
            output.reason = Some(text("message").unwrap_or(DEFAULT_REQUEST_REASON).to_owned());
            if decision.get("interrupt") == Some(&Value::Bool(true)) {
                output.extra.insert("interrupt".to_owned(), Value::Bool(true));
            }
        }
    }
}

/// A skill's command is run as it stands or not at all: a question, a deferral and a rewrite keep it from running.
fn only_yes_or_no(output: &mut Output) {
    let rewritten = output.updated_input.take().is_some();
    if rewritten || matches!(output.decision, Some(Decision::Ask | Decision::Defer)) {
        output.decision = Some(Decision::Deny);
        output
            .diagnostics
            .push("PreSkillShellCommand can only run the command as it is or not at all".to_owned());
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

fn wrong_name(named: &str, event: &str) -> String {
    format!("hookSpecificOutput is for {named}, the event is {event}: dropped")
}
