//! What programs would a shell command run, with which words, on which files. Pure: no I/O.
//!
//! The parser stays behind the types of this file, so that it can be replaced.

mod parse;
mod simple;
mod unquote;

pub use simple::{Simple, simple_commands};

/// A word after quoting and expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The text; where `known` is false it holds the source of the parts that cannot be known.
    pub text: String,
    /// False where a part of the word cannot be known before the command runs.
    pub known: bool,
    /// True where an unquoted `*`, `?` or `[…]` would be expanded to file names.
    pub glob: bool,
}

/// One redirection of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    /// `>`, `>>`, `<`, `<<`, `<<<`, `&>`, …
    pub operator: String,
    /// The file; of a heredoc or here-string, its text.
    pub target: Word,
}

/// One program that the command would run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimpleCommand {
    /// The program and its arguments, after wrappers (`sudo`, `env`, …) are taken off. Never empty.
    pub argv: Vec<Word>,
    /// Variables set for this program alone.
    pub assignments: Vec<(String, Word)>,
    pub redirects: Vec<Redirect>,
    /// How it is reached, outermost first: `sudo`, `sh -c`, `xargs`, `$()`, …
    pub via: Vec<String>,
    /// The directory it runs in, where earlier commands of the same line change it.
    pub cwd: Option<Word>,
    /// Which pipeline of the line it belongs to, and its place in it, both from 0.
    pub pipeline: (u32, u32),
}

/// Everything that a command line would run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Analysis {
    pub commands: Vec<SimpleCommand>,
    /// False where something could not be understood: there may be more than `commands`.
    pub complete: bool,
}

/// What `command` would run. `shell` is `bash`, `powershell` or `cmd`.
pub fn analyze(_command: &str, _shell: &str) -> Analysis {
    Analysis::default()
}
