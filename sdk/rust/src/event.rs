//! What a plugin asks of an event.

use crate::{Action, Event, Host, SimpleCommand, Word};

impl Event {
    /// What the tool call does; nothing on other events.
    pub fn actions(&self) -> &[Action] {
        self.tool.as_ref().map_or(&[], |tool| &tool.actions)
    }

    /// Every program that the event's shell commands would run.
    pub fn commands(&self, host: &impl Host) -> Vec<SimpleCommand> {
        let run = self.actions().iter().filter_map(|action| match action {
            Action::Run(command) => Some(host.analyze(&command.text, &command.shell).commands.clone()),
            _ => None,
        });
        run.flatten().collect()
    }
}

impl SimpleCommand {
    /// The program's name without its folder: `rm` of `/bin/rm`.
    pub fn program(&self) -> &str {
        let text = self.argv.first().map_or("", |word| &word.text);
        text.rsplit('/').next().unwrap_or(text)
    }

    /// The words after the program.
    pub fn args(&self) -> &[Word] {
        self.argv.get(1..).unwrap_or_default()
    }

    /// Whether one argument is exactly `text`.
    pub fn has_arg(&self, text: &str) -> bool {
        self.args().iter().any(|word| word.text == text)
    }

    /// The program and its arguments, joined by blanks: for reasons and logs.
    pub fn text(&self) -> String {
        let words: Vec<&str> = self.argv.iter().map(|word| word.text.as_str()).collect();
        words.join(" ")
    }
}
