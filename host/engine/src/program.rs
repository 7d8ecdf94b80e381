//! A `wasm` handler that is a plain program: the event on its stdin, its answer through the codec of shell hooks.

use crate::handler::{Shared, Told, all_printable, failed_in_sandbox, printable};
use hookbox_protocol::Output;
use hookbox_protocol::codec::{self, Exit, Run};
use hookbox_protocol::config::Entry;
use hookbox_sandbox::{Loaded, Program};

/// Lines of stderr that `explain` and the audit keep; all of it that a block needs is in the reason.
const LINES: usize = 64;
/// Lines of stderr in the message of a program that did not come to its end.
const LAST_LINES: usize = 4;
/// Characters of one of these lines.
const LINE: usize = 400;

/// Runs the program on the event.
pub(crate) fn run(program: &Program, entry: &Entry, shared: &Shared<'_>, told: &mut Told) -> Output {
    let event = &shared.event().name;
    let finished = program.call(&shared.event, shared.stdin().to_vec());
    told.fuel = Some(finished.fuel);
    let stderr = String::from_utf8_lossy(&finished.stderr);
    told.log = stderr
        .lines()
        .take(LINES)
        .map(|line| printable(&codec::text::capped(line, LINE)))
        .collect();
    let code = match finished.exit {
        Ok(code) => code,
        Err(fault) => {
            let mut failure = fault.failure();
            failure.message.push_str(&last_words(&stderr));
            return failed_in_sandbox(failure, entry, event, &told.label);
        }
    };
    let run = Run {
        label: &told.label,
        exit: Exit::Code(code),
        stdout: &finished.stdout,
        stderr: &finished.stderr,
    };
    all_printable(codec::program(shared.dialect, event, &run, entry.on_failure))
}

/// What it said before it failed tells more than how.
fn last_words(stderr: &str) -> String {
    let lines: Vec<&str> = stderr.trim().lines().collect();
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    last.iter()
        .map(|line| format!("\n{}", codec::text::capped(line, LINE)))
        .collect()
}

/// What `hookbox check` tells of a plugin that is a plain program.
pub(crate) fn notes(loaded: &Loaded) -> Vec<String> {
    let Loaded::Program(program) = loaded else {
        return Vec::new();
    };
    let mut notes = Vec::new();
    if program.is_component() {
        notes.push(
            "a plain program, as a component: most toolchains turn its exit code 2 into 1, which is a failure and no block \
             of its own\nhint: let it say no by JSON on stdout, or build it for wasm32-wasip1"
                .into(),
        );
    }
    let unused = program.unused_grants();
    if !unused.is_empty() {
        notes.push(format!(
            "a plain program, to which the grants `{}` give nothing",
            unused.join("`, `")
        ));
    }
    notes
}
