//! `hookbox run`: answers one event. It exits only with 0 or 2, and always answers.

use crate::last_word;
use clap::Args;
use hookbox::protocol::dialects;
use hookbox::{EVENT_BYTES, Engine, HostFault, Options};
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::ExitCode;

/// Bytes of an event, and one more where there were more: the engine refuses it then.
const STDIN_BYTES: u64 = EVENT_BYTES as u64 + 1;

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

/// The whole of stdin.
pub(crate) fn stdin() -> io::Result<Vec<u8>> {
    let mut payload = Vec::new();
    io::stdin().lock().take(STDIN_BYTES).read_to_end(&mut payload)?;
    Ok(payload)
}

pub(crate) fn run(call: &Call) -> ExitCode {
    last_word::keep(&call.agent);
    let engine = call.engine();
    let verdict = match stdin() {
        Ok(payload) => engine.run(&call.agent, last_word::event(payload)),
        Err(error) => engine.failed(&call.agent, "", &HostFault::Stdin(error.to_string())),
    };
    last_word::answer(&verdict)
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
