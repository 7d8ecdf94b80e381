//! What programs would a shell command run, with which words, on which files. Pure: no I/O.
//!
//! The parser stays behind the types of this file, so that it can be replaced.

mod builtins;
mod cmd;
mod code;
mod command;
mod containers;
mod env;
mod expand;
mod extent;
mod handed;
mod loops;
mod misread;
mod naive;
mod parse;
mod powershell;
mod prints;
mod run;
mod session;
mod shells;
mod simple;
mod unquote;
mod walk;
mod wrappers;

pub use simple::{Simple, simple_commands};

/// A word after quoting and expansion.
///
/// The home folder has one spelling, whatever the command wrote (`~`, `$HOME`, `"${HOME}"`): `~`. So has the current
/// directory (`$PWD`, `$(pwd)`, `~+`): `.`, or what the line has changed it to. Both are `known`.
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

impl Word {
    /// A word that is known and stands for itself.
    pub(crate) fn literal(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            known: true,
            glob: false,
        }
    }
}

/// What `command` would run. `shell` is `bash`, `powershell` or `cmd`.
///
/// Any text gives an answer, in bounded time and size. What bash would run is among [`Analysis::commands`], or
/// [`Analysis::complete`] is false.
#[must_use]
pub fn analyze(command: &str, shell: &str) -> Analysis {
    let work = |stack| {
        let mut session = session::Session::new(stack);
        let end = match shell {
            "powershell" | "pwsh" => powershell::line(&mut session, command),
            "cmd" => cmd::line(&mut session, command),
            _ => session.line(command),
        };
        match end {
            Err(parse::Refusal::NeedsStack) => Err(parse::Refusal::NeedsStack),
            Err(_) => {
                // A budget ended the walk: what is behind that point is at least read naively.
                let mut rest = session::Session::new(stack);
                let mut out = session.out;
                let _ = naive::read(&mut rest, command);
                out.commands.append(&mut rest.out.commands);
                out.complete = false;
                Ok(out)
            }
            Ok(()) => Ok(session.out),
        }
    };
    parse::with_enough_stack(work).unwrap_or_default()
}
