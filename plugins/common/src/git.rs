//! git's command line: global options, the subcommand, aliases set with `-c`.

use crate::words::{dashed, program};
use hookbox_sdk::{SimpleCommand, Word};

/// A call of git, taken apart.
#[derive(Clone, Debug, Default)]
pub struct Git {
    /// The subcommand in lower case: `push`. Empty where there is none.
    pub subcommand: String,
    /// The words after it.
    pub args: Vec<Word>,
    /// `-C`, in order.
    pub directories: Vec<Word>,
    /// `--git-dir`.
    pub git_dir: Option<Word>,
    /// `-c name=value`, names in lower case.
    pub config: Vec<(String, String)>,
}

/// Global options whose value is the next word, unless it follows `=`.
const VALUED: [&str; 9] = [
    "-C",
    "-c",
    "--git-dir",
    "--work-tree",
    "--namespace",
    "--exec-path",
    "--super-prefix",
    "--config-env",
    "--attr-source",
];

impl Git {
    /// None where the command is not git.
    pub fn parse(command: &SimpleCommand) -> Option<Self> {
        let name = program(&command.argv.first()?.text);
        if name != "git" {
            // `git-push` in git's own folder is the same program.
            let subcommand = name.strip_prefix("git-").filter(|name| PLUMBED.contains(name))?;
            return Some(Git {
                subcommand: subcommand.into(),
                args: command.args().to_vec(),
                ..Git::default()
            });
        }
        let mut git = Git::default();
        let mut words = command.args().iter();
        while let Some(word) = words.next() {
            let text = dashed(&word.text);
            if !text.starts_with('-') {
                git.subcommand = text.to_ascii_lowercase();
                git.args = words.cloned().collect();
                break;
            }
            let (option, value) = match text.split_once('=') {
                Some((option, value)) => (
                    option,
                    Some(Word {
                        text: value.into(),
                        ..word.clone()
                    }),
                ),
                None if VALUED.contains(&&*text) => (&*text, words.next().cloned()),
                None => (&*text, None),
            };
            match (option, value) {
                ("-C", Some(value)) => git.directories.push(value),
                ("--git-dir", Some(value)) => git.git_dir = Some(value),
                ("-c", Some(value)) => {
                    let (name, value) = value.text.split_once('=').unwrap_or((&value.text, "true"));
                    git.config.push((name.to_ascii_lowercase(), value.into()));
                }
                _ => {}
            }
        }
        Some(git)
    }

    /// The value of `-c name=…`, the last one given.
    pub fn config(&self, name: &str) -> Option<&str> {
        self.config
            .iter()
            .rev()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// Whether an option is given, before `--`.
    pub fn has(&self, names: &[&str]) -> bool {
        self.options()
            .any(|word| names.iter().any(|name| crate::words::sets(&dashed(&word.text), name)))
    }

    /// The options, before `--`.
    pub fn options(&self) -> impl Iterator<Item = &Word> {
        self.args
            .iter()
            .take_while(|word| word.text != "--")
            .filter(|word| crate::words::is_option(&dashed(&word.text)))
    }

    /// What `alias` stands for, once: the call with the alias's words in its place. A shell alias (`!…`) is given as its
    /// text.
    pub fn expand(&self, alias: &str) -> Alias {
        if let Some(shell) = alias.trim_start().strip_prefix('!') {
            return Alias::Shell(shell.trim().into());
        }
        let mut words = alias.split_ascii_whitespace().map(|text| Word {
            text: text.trim_matches(['"', '\'']).into(),
            known: true,
            glob: false,
        });
        let Some(subcommand) = words.next() else {
            return Alias::Git(self.clone());
        };
        let args = words.chain(self.args.iter().cloned()).collect();
        Alias::Git(Git {
            subcommand: subcommand.text.to_ascii_lowercase(),
            args,
            ..self.clone()
        })
    }
}

/// What an alias stands for.
#[derive(Clone, Debug)]
pub enum Alias {
    Git(Git),
    /// A command line for a shell.
    Shell(String),
}

/// Subcommands that also exist as programs `git-NAME`.
const PLUMBED: [&str; 14] = [
    "push",
    "reset",
    "clean",
    "checkout",
    "restore",
    "stash",
    "branch",
    "filter-branch",
    "filter-repo",
    "reflog",
    "gc",
    "update-ref",
    "commit",
    "worktree",
];
