//! The host's side of every import that needs no grant or a simple one.

use crate::bindings::hookbox::hook as wit;
use crate::limits::ANALYSIS;
use crate::state::State;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use wit::log::Level;

impl wit::types::Host for State {}

impl wit::log::Host for State {
    fn log(&mut self, level: Level, message: String) -> wasmtime::Result<()> {
        let level = match level {
            Level::Debug => "debug",
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Error => "error",
        };
        self.work(message.len(), 1)?;
        self.log.push(level, &message);
        Ok(())
    }
}

impl State {
    /// The JSON text at a pointer into the event.
    pub(crate) fn payload(&mut self, pointer: &str) -> wasmtime::Result<Option<String>> {
        self.work(pointer.len(), 1)?;
        let text = self.event.payload_text(pointer);
        self.work(text.as_ref().map_or(0, String::len), 1)?;
        Ok(text)
    }

    /// What the write with this number would write.
    pub(crate) fn content(&mut self, number: u32) -> wasmtime::Result<Option<Arc<str>>> {
        let content = self.event.content(number);
        self.work(content.as_ref().map_or(0, |text| text.len()), 1)?;
        Ok(content)
    }
}

impl wit::shell::Host for State {
    fn analyze(&mut self, command: String, shell: String) -> wasmtime::Result<wit::shell::Analysis> {
        self.work(command.len(), ANALYSIS)?;
        let analysis = self.event.analyze(&command, &shell);
        self.work(analysis.commands.iter().map(size).sum(), 1)?;
        Ok(wit::shell::Analysis {
            commands: analysis.commands.iter().map(simple_command).collect(),
            complete: analysis.complete,
        })
    }
}

/// Bytes that handing it over costs, more or less: a short text may stand for many commands.
fn size(command: &hookbox_shell::SimpleCommand) -> usize {
    let words = command
        .argv
        .iter()
        .chain(command.redirects.iter().map(|redirect| &redirect.target));
    let words = words.chain(command.assignments.iter().map(|(_, word)| word));
    let texts = words
        .map(|word| word.text.len())
        .chain(command.via.iter().map(String::len));
    texts.map(|bytes| bytes + 32).sum::<usize>() + 128
}

fn word(word: &hookbox_shell::Word) -> wit::shell::Word {
    wit::shell::Word {
        text: word.text.clone(),
        known: word.known,
        glob: word.glob,
    }
}

fn simple_command(command: &hookbox_shell::SimpleCommand) -> wit::shell::SimpleCommand {
    let redirect = |redirect: &hookbox_shell::Redirect| wit::shell::Redirect {
        operator: redirect.operator.clone(),
        target: word(&redirect.target),
    };
    wit::shell::SimpleCommand {
        argv: command.argv.iter().map(word).collect(),
        assignments: command
            .assignments
            .iter()
            .map(|(name, value)| (name.clone(), word(value)))
            .collect(),
        redirects: command.redirects.iter().map(redirect).collect(),
        via: command.via.clone(),
        cwd: command.cwd.as_ref().map(word),
        pipeline: command.pipeline,
    }
}

impl wit::clock::Host for State {
    fn now(&mut self) -> wasmtime::Result<u64> {
        self.work(0, 1)?;
        if !self.grants.clock {
            return Err(wasmtime::Error::msg("the clock was not granted"));
        }
        // What `configure` leaves is kept for every event: it must not rest on when it was called.
        if self.event.is_none() {
            return Ok(0);
        }
        if let Some(now) = self.event.world().now {
            return Ok(now);
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(u64::try_from(now.as_millis()).unwrap_or(u64::MAX))
    }
}
