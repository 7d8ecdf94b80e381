//! `hookbox run`: answers one event. It exits only with 0 or 2, and always answers.

use crate::last_word;
use crate::os;
use clap::Args;
use hookbox::protocol::dialects;
use hookbox::{EVENT_BYTES, Engine, HostFault, Options};
use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Bytes that are asked for at first: more than most events have.
const CHUNK: usize = 8 << 10;

/// Bytes from which an event is a large one: a pipe of the usual size, so that its writer has still to wait for its reader.
const LARGE: usize = 64 << 10;

/// Bytes more at a time for a large one: an event of 1 MiB grows where it is and is not copied.
const STEP: usize = 128 << 10;

/// Whom to answer, by which configuration.
#[derive(Args, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    /// The agent that calls
    #[arg(long, value_name = "NAME", default_value = "claude-code")]
    pub(crate) agent: String,
    /// This file instead of the user, project and local layers
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

impl Call {
    /// The call of `hookbox run`, where its arguments are the plain ones that `init` writes; anything else is for the
    /// full grammar, with its messages.
    pub(crate) fn from_arguments(arguments: &[OsString]) -> Option<Self> {
        let mut rest = arguments.get(1..)?.iter();
        if rest.next()? != "run" {
            return None;
        }
        let mut call = Call {
            agent: "claude-code".into(),
            config: None,
        };
        while let Some(flag) = rest.next() {
            match flag.to_str()? {
                "--agent" => call.agent = rest.next()?.to_str()?.into(),
                "--config" => call.config = Some(rest.next()?.into()),
                _ => return None,
            }
        }
        Some(call)
    }

    /// The engine of this call.
    pub(crate) fn engine(&self) -> Engine {
        let mut options = Options::from_environment().preparing_with_this_program();
        options.config.clone_from(&self.config);
        options.project = self.project();
        Engine::load(options)
    }
}

impl Call {
    /// The project's root in the variable of this agent. Another agent's variable says nothing: one may have started the other elsewhere.
    fn project(&self) -> Option<PathBuf> {
        let variable = dialects::agent(&self.agent)?.capabilities.project_variable?;
        std::env::var_os(variable)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    }
}

/// Until the whole event has come. The shortest timeout of an event that can be blocked is 30 s.
const STDIN: Duration = Duration::from_secs(20);

/// The whole of stdin; the engine refuses what is longer than an event may be. `meanwhile` is done once while the rest of a large
/// event is on its way.
pub(crate) fn stdin(meanwhile: impl FnOnce()) -> io::Result<Vec<u8>> {
    let (mut payload, begun) = (Vec::with_capacity(CHUNK), Instant::now());
    let stdin = io::stdin();
    let mut meanwhile = Some(meanwhile);
    while payload.len() <= EVENT_BYTES {
        if payload.len() >= LARGE
            && let Some(meanwhile) = meanwhile.take()
        {
            os::widen_stdin();
            meanwhile();
        }
        // Whoever never closes the pipe must not make the agent give up on its hook.
        let left = STDIN.saturating_sub(begun.elapsed());
        let left = Timespec::try_from(left).map_err(io::Error::other)?;
        match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&left)) {
            Ok(0) => {
                let late = format!("it was not complete after {} s", STDIN.as_secs());
                return Err(io::Error::other(late));
            }
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        if payload.len() == payload.capacity() {
            payload.reserve_exact(payload.len().min(STEP));
        }
        match rustix::io::read(&stdin, spare_capacity(&mut payload)) {
            Ok(0) => break,
            Ok(_) | Err(Errno::INTR | Errno::AGAIN) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(payload)
}

pub(crate) fn run(call: &Call) -> u8 {
    last_word::keep(&call.agent);
    let engine = call.engine();
    let verdict = match stdin(|| {
        last_word::within_seconds(STDIN.as_secs() as u32);
        engine.warm();
    }) {
        Ok(payload) => match engine.decode(&call.agent, last_word::event(payload)) {
            Ok(event) => {
                last_word::within(&event);
                engine.answer(event)
            }
            Err(verdict) => *verdict,
        },
        Err(error) => engine.failed(&call.agent, "", &HostFault::Stdin(error.to_string())),
    };
    let exit = last_word::answer(&verdict);
    // The process ends here, and the kernel clears up faster than its parts one by one.
    std::mem::forget((engine, verdict));
    exit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(arguments: &[&str]) -> Option<Call> {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        Call::from_arguments(&arguments)
    }

    #[test]
    fn the_plain_arguments_of_a_hook_entry_are_read_without_the_grammar() {
        let plain = Call {
            agent: "claude-code".into(),
            config: None,
        };
        assert_eq!(call(&["hookbox", "run"]), Some(plain));
        let full = Call {
            agent: "codex".into(),
            config: Some("a.json".into()),
        };
        assert_eq!(
            call(&["hookbox", "run", "--agent", "codex", "--config", "a.json"]),
            Some(full)
        );
    }

    #[test]
    fn everything_else_is_left_to_the_grammar() {
        for arguments in [
            &["hookbox"][..],
            &["hookbox", "explain"],
            &["hookbox", "run", "--help"],
            &["hookbox", "run", "--agent"],
        ] {
            assert_eq!(call(arguments), None, "{arguments:?}");
        }
    }
}
