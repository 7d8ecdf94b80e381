//! The allow list: command lines that the user has decided about.

use crate::words::wild;
use hookbox_sdk::SimpleCommand;

/// Command lines that pass. `rm -rf ./build` means exactly these words; `git push --force *` these words and any that
/// follow; a `*` inside a word any text. Words that cannot be known before the command runs never match, nor does a
/// command that the line runs in another directory than the session's.
#[derive(Clone, Debug, Default)]
pub struct AllowList(Vec<Vec<String>>);

impl AllowList {
    /// # Errors
    /// An entry that would allow everything.
    pub fn new(entries: &[String]) -> Result<Self, String> {
        let mut lines = Vec::new();
        for (index, entry) in entries.iter().enumerate() {
            let words: Vec<String> = entry.split_ascii_whitespace().map(str::to_string).collect();
            if words.iter().all(|word| word == "*") {
                return Err(format!(
                    "settings.allow[{index}]: {entry:?} would allow every command: begin with a program"
                ));
            }
            lines.push(words);
        }
        Ok(AllowList(lines))
    }

    pub fn allows(&self, command: &SimpleCommand) -> bool {
        if self.0.is_empty() || command.cwd.is_some() || command.argv.iter().any(|word| !word.known) {
            return false;
        }
        self.0.iter().any(|line| {
            let (line, open) = match line.split_last() {
                Some((last, rest)) if last == "*" => (rest, true),
                _ => (line.as_slice(), false),
            };
            let long_enough = if open {
                command.argv.len() >= line.len()
            } else {
                command.argv.len() == line.len()
            };
            long_enough
                && line
                    .iter()
                    .zip(&command.argv)
                    .all(|(pattern, word)| wild_exact(pattern, &word.text))
        })
    }
}

/// As [`wild`], but the case counts: an allow list says what it says.
fn wild_exact(pattern: &str, text: &str) -> bool {
    if pattern.contains('*') {
        wild(pattern, text)
    } else {
        pattern == text
    }
}
