//! The last word of `hookbox run`: whatever happens to hookbox itself, the agent hears an answer, once, in its own time.
//!
//! A panic and the total deadline end in the answer that a fault of the host has on the event: a block where a block prevents
//! something; on Stop and its like, and where nothing can be prevented, a message.

use crate::os::{self, Words};
use hookbox::protocol::dialects::{self, Response};
use hookbox::protocol::events::{self, Blocking};
use hookbox::protocol::{Decision, Event};
use hookbox::{HostFault, Verdict, event_name};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::panic::PanicHookInfo;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Part of the agent's own timeout that hookbox takes at most.
const PART: f64 = 0.9;

static AGENT: OnceLock<String> = OnceLock::new();
/// The event, as it came.
static PAYLOAD: OnceLock<Vec<u8>> = OnceLock::new();
/// Somebody answers, or has answered.
static ANSWERS: AtomicBool = AtomicBool::new(false);

/// From here on a panic, in whatever thread, is an answer.
pub(crate) fn keep(agent: &str) {
    let _ = AGENT.set(agent.to_string());
    std::panic::set_hook(Box::new(panicked));
}

/// The event has come: it decides what a panic means.
pub(crate) fn event(payload: Vec<u8>) -> &'static [u8] {
    PAYLOAD.get_or_init(|| payload)
}

/// From here on the total deadline is an answer, too: a part of the time that the agent waits, where waiting longer would
/// let something through.
pub(crate) fn within(event: &Event) {
    let spec = events::spec(&event.name);
    if spec.blocks != Blocking::Prevents {
        return;
    }
    // Of a time that is a few seconds at least; the fraction goes.
    let seconds = (spec.timeout * PART) as u32;
    let outcome = HostFault::Deadline(seconds.into()).outcome(&event.name);
    let Response {
        mut stdout,
        mut stderr,
        exit,
        ..
    } = dialects::encode(agent(), &event.name, &outcome);
    for text in [&mut stdout, &mut stderr] {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
    }
    let exit = if exit == 0 { 0 } else { 2 };
    let words = Words {
        stdout: stdout.into_bytes(),
        stderr: stderr.into_bytes(),
        exit,
    };
    os::alarm(seconds.max(1), words);
}

/// Whether the caller is the one that answers: nobody did before.
pub(crate) fn claim() -> bool {
    !ANSWERS.swap(true, Ordering::SeqCst)
}

/// The event's canonical name; empty where it cannot be told.
fn name() -> String {
    event_name(agent(), PAYLOAD.get().map_or(&[], Vec::as_slice))
}

fn agent() -> &'static str {
    AGENT.get().map_or("claude-code", String::as_str)
}

/// Writes the answer, unless another was given.
pub(crate) fn answer(verdict: &Verdict) -> u8 {
    if !claim() {
        // The process ends with the other answer.
        loop {
            thread::park();
        }
    }
    let outcome = &verdict.outcome;
    let matters = matches!(outcome.decision, Some(Decision::Ask | Decision::Defer)) || outcome.updated_input.is_some();
    let exit = write(&verdict.response);
    // Where silence would let it through as it stands, an answer that went nowhere is a block.
    let unheard = exit == 0 && matters && is_nowhere() && events::spec(&name()).blocks == Blocking::Prevents;
    if unheard {
        let _ = writeln!(
            io::stderr(),
            "hookbox: stdout leads nowhere, so nobody can be asked: blocked"
        );
    }
    if unheard { 2 } else { exit }
}

/// Answers for the host and ends, unless an answer was given.
fn last(fault: &HostFault) {
    if !claim() {
        return;
    }
    let event = name();
    let response = dialects::encode(agent(), &event, &fault.outcome(&event));
    std::process::exit(i32::from(write(&response)));
}

fn panicked(panic: &PanicHookInfo<'_>) {
    let place = panic
        .location()
        .map_or_else(String::new, |at| format!(" ({}:{})", at.file(), at.line()));
    let text = panic.payload_as_str().unwrap_or("no message");
    last(&HostFault::Internal(format!("{text}{place}")));
    // Whoever was answering may be the one that panicked.
    std::process::exit(2);
}

/// A stdout that was closed is opened as `/dev/null` before `main`.
fn is_nowhere() -> bool {
    let null = std::fs::metadata("/dev/null").map(|null| null.rdev());
    std::fs::metadata("/proc/self/fd/1").is_ok_and(|stdout| null.is_ok_and(|null| null == stdout.rdev()))
}

/// Writes a response; the exit code says what was heard.
fn write(response: &Response) -> u8 {
    let mut exit = response.exit;
    if !response.stdout.is_empty() {
        let mut stdout = io::stdout().lock();
        let said = writeln!(stdout, "{}", response.stdout).and_then(|()| stdout.flush());
        if let Err(error) = said {
            let _ = writeln!(io::stderr(), "hookbox: the answer cannot be written: {error}");
            // What the agent cannot hear it must not take for silence, where silence lets something through.
            if events::spec(&name()).blocks == Blocking::Prevents {
                exit = 2;
            }
        }
    }
    if !response.stderr.is_empty() {
        let _ = writeln!(io::stderr(), "{}", response.stderr.trim_end());
    }
    if exit == 0 { 0 } else { 2 }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    /// Panics in a process of its own, as `hookbox run` would on the event.
    fn after_a_panic(event: &str) -> (Option<i32>, String) {
        let test = std::env::current_exe().unwrap();
        let mut command = Command::new(test);
        command
            .args(["last_word::tests::panics", "--exact", "--ignored", "--nocapture"])
            .env("EVENT", event);
        let ran = command.output().unwrap();
        let said = [ran.stdout, ran.stderr].concat();
        (ran.status.code(), String::from_utf8(said).unwrap())
    }

    #[test]
    #[ignore = "run by the other tests, in a process of its own"]
    fn panics() {
        super::keep("claude-code");
        super::event(std::env::var("EVENT").unwrap_or_default().into_bytes());
        std::thread::spawn(|| panic!("something broke")).join().unwrap();
    }

    #[test]
    fn a_panic_is_a_block_where_something_can_be_blocked() {
        for event in [
            r#"{"hook_event_name":"PreToolUse"}"#,
            r#"{"hook_event_name":"Something"}"#,
            "",
            "{",
        ] {
            let (code, said) = after_a_panic(event);
            assert_eq!(code, Some(2), "{event}: {said}");
            assert!(said.contains("internal error: something broke"), "{said}");
        }
    }

    #[test]
    fn a_panic_lets_an_agent_stop_and_says_so() {
        for event in ["Stop", "SubagentStop", "TeammateIdle", "Notification"] {
            let (code, said) = after_a_panic(&format!(r#"{{"hook_event_name":"{event}"}}"#));
            assert_eq!(code, Some(0), "{event}: {said}");
            assert!(said.contains("internal error: something broke"), "{said}");
        }
    }
}
