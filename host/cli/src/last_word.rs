//! The last word of `hookbox run`: whatever happens to hookbox itself, the agent hears an answer, once, in its own time.
//!
//! A panic and the total deadline end in the answer that a fault of the host has on the event: a block where a block prevents
//! something; on Stop and its like, and where nothing can be prevented, a message.

use crate::init::patience;
use crate::os::{self, Words};
use hookbox::protocol::dialects::{self, Response};
use hookbox::protocol::events::{self, Blocking};
use hookbox::protocol::{Decision, Event};
use hookbox::{HostFault, Verdict, event_name};
use std::borrow::Cow;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::panic::PanicHookInfo;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

/// Part of the agent's own timeout that hookbox takes at most.
const PART: f64 = 0.9;

static BEGUN: OnceLock<Instant> = OnceLock::new();
static AGENT: OnceLock<String> = OnceLock::new();
/// The event, as it came; not of a large one.
static PAYLOAD: OnceLock<Vec<u8>> = OnceLock::new();
/// The event's canonical name, when it is known.
static NAME: OnceLock<String> = OnceLock::new();
/// Bytes from which an event is not kept: its memory is needed, and a panic while it is read is a block of any event.
const LARGE: usize = 64 << 10;
/// Somebody answers, or has answered.
static ANSWERS: AtomicBool = AtomicBool::new(false);

/// From here on a panic, in whatever thread, is an answer.
pub(crate) fn keep(agent: &str) {
    let _ = BEGUN.set(Instant::now());
    let _ = AGENT.set(agent.to_string());
    std::panic::set_hook(Box::new(panicked));
}

/// The event has come: it decides what a panic means.
pub(crate) fn event(payload: Vec<u8>) -> Cow<'static, [u8]> {
    if payload.len() >= LARGE {
        return Cow::Owned(payload);
    }
    Cow::Borrowed(PAYLOAD.get_or_init(|| payload))
}

/// From here on the total deadline is an answer, too: a part of the time that the agent waits, where waiting longer would
/// let something through.
pub(crate) fn within(event: &Event) {
    let _ = NAME.set(event.name.clone());
    match time(agent(), &event.name) {
        Some(time) => {
            let gone = BEGUN.get().map_or(0.0, |begun| begun.elapsed().as_secs_f64());
            // The fraction of a second goes.
            end_in((time - gone) as u32, &event.name);
        }
        // What was to end while the event came does not end its handlers.
        None => os::no_alarm(),
    }
}

/// Seconds for an event of this canonical name, all in all; none where more time lets nothing through.
pub(crate) fn time(agent: &str, event: &str) -> Option<f64> {
    let spec = events::spec(event);
    // The entry that `init` writes may give less time than the agent would.
    let time = spec.timeout.min(f64::from(patience(agent))) * PART;
    (spec.blocks == Blocking::Prevents).then_some(time)
}

/// From here on whatever is done while the event is still coming has an end, too, though nobody knows yet what is to be answered.
pub(crate) fn within_seconds(seconds: u32) {
    end_in(seconds, "");
}

/// In so many seconds the event is blocked, unless somebody has answered.
fn end_in(seconds: u32, event: &str) {
    let seconds = seconds.max(1);
    let outcome = HostFault::Deadline(seconds.into()).outcome(event);
    os::alarm(seconds, words(&dialects::encode(agent(), event, &outcome)));
}

/// A response as it is written.
fn words(response: &Response) -> Words {
    let line = |text: &str| match text {
        "" => Vec::new(),
        text => format!("{text}\n").into_bytes(),
    };
    Words {
        stdout: line(&response.stdout),
        stderr: line(response.stderr.trim_end()),
        exit: if response.exit == 0 { 0 } else { 2 },
    }
}

/// Whether the caller is the one that answers: nobody did before.
pub(crate) fn claim() -> bool {
    !ANSWERS.swap(true, Ordering::SeqCst)
}

/// The event's canonical name; empty where it cannot be told.
fn name() -> String {
    let told = || event_name(agent(), PAYLOAD.get().map_or(&[], Vec::as_slice));
    NAME.get().cloned().unwrap_or_else(told)
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

/// Writes to stdout. The standard library takes a stdout that cannot be written for one that was.
fn tell(mut text: &[u8]) -> io::Result<()> {
    while !text.is_empty() {
        match rustix::io::write(io::stdout(), text) {
            Ok(written) => text = text.get(written..).unwrap_or_default(),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Writes a response; the exit code says what was heard.
fn write(response: &Response) -> u8 {
    let Words {
        stdout,
        stderr,
        mut exit,
    } = words(response);
    if let Err(error) = tell(&stdout) {
        let _ = writeln!(io::stderr(), "hookbox: the answer cannot be written: {error}");
        // What the agent cannot hear it must not take for silence, where silence lets something through.
        if events::spec(&name()).blocks == Blocking::Prevents {
            exit = 2;
        }
    }
    let _ = io::stderr().write_all(&stderr);
    exit
}

#[cfg(test)]
mod tests {
    use hookbox::protocol::dialects;
    use serde_json::json;
    use std::fs::File;
    use std::process::Command;
    use std::time::Duration;

    /// A test that ends its process, in a process of its own, behind a command that starts it.
    fn ending(test: &str, starter: &[&str], event: &str) -> (Option<i32>, String) {
        let mut command = Command::new("env");
        command
            .args(starter)
            .arg(std::env::current_exe().unwrap())
            .args([
                &format!("last_word::tests::{test}"),
                "--exact",
                "--ignored",
                "--nocapture",
            ])
            .env("EVENT", event);
        let ran = command.output().unwrap();
        let said = [ran.stdout, ran.stderr].concat();
        (ran.status.code(), String::from_utf8(said).unwrap())
    }

    /// Panics as `hookbox run` would on the event.
    fn after_a_panic(event: &str) -> (Option<i32>, String) {
        ending("panics", &[], event)
    }

    #[test]
    #[ignore = "run by the other tests, in a process of its own"]
    fn waits() {
        super::keep(&std::env::var("EVENT").unwrap_or_default());
        if std::env::var_os("STDOUT_IS_FULL").is_some() {
            crate::os::stdout_into(&File::options().write(true).open("/dev/full").unwrap());
        }
        super::end_in(1, "PreToolUse");
        std::thread::sleep(Duration::from_secs(120));
    }

    #[test]
    fn an_event_that_takes_too_long_is_blocked() {
        let (code, said) = ending("waits", &[], "claude-code");
        assert!(said.contains("no answer after 1 s"), "{said}");
        assert_eq!(code, Some(2), "{said}");
    }

    #[test]
    #[ignore = "run by the other tests, in a process of its own"]
    fn comes_slowly_and_prevents_nothing() {
        super::keep("claude-code");
        super::within_seconds(1);
        let event = json!({ "hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": { "command": "ls" } });
        super::within(&dialects::decode("claude-code", event).unwrap());
        std::thread::sleep(Duration::from_secs(2));
        println!("its handlers had their time");
    }

    #[test]
    fn the_end_of_waiting_for_a_large_event_is_not_the_end_of_its_handlers() {
        let (code, said) = ending("comes_slowly_and_prevents_nothing", &[], "");
        assert!(said.contains("its handlers had their time"), "{said}");
        assert_eq!(code, Some(0), "{said}");
    }

    #[test]
    fn an_alarm_rings_though_whoever_started_hookbox_blocks_or_ignores_the_signal() {
        for starter in ["--block-signal=ALRM", "--ignore-signal=ALRM"] {
            let (code, said) = ending("waits", &[starter], "claude-code");
            assert_eq!(code, Some(2), "{starter}: {said}");
        }
    }

    #[test]
    fn a_block_that_nobody_hears_is_told_by_the_exit_code() {
        // This agent hears a block on stdout, with exit code 0.
        let (code, said) = ending("waits", &[], "copilot");
        assert_eq!(code, Some(0), "{said}");
        let (code, said) = ending("waits", &["STDOUT_IS_FULL=1"], "copilot");
        assert_eq!(code, Some(2), "{said}");
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
