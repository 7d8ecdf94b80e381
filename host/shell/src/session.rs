//! What one analysis carries with it: the commands found, the place they are found at, and the budgets.

use crate::env::Env;
use crate::extent::Substitutions;
use crate::parse::{Refusal, Stack, parse};
use crate::walk::Walker;
use crate::{Analysis, Redirect, SimpleCommand, Word};

/// Commands that one analysis reports.
const MAX_COMMANDS: usize = 2_000;
/// Scripts inside scripts: `sh -c "sh -c '…'"`, substitutions, functions.
const MAX_DEPTH: u32 = 24;
/// Of these, how many are walked on the caller's stack.
const SHALLOW: u32 = 8;
/// Bytes parsed in all, the command itself included: a script that multiplies itself ends here.
const MAX_PARSED: usize = 256 * 1024;
/// Commands, words and loop rounds that are looked at.
const MAX_STEPS: u32 = 10_000;
/// Files whose text is kept in mind.
const MAX_FILES: usize = 32;
/// Bytes of text in all reported commands.
const MAX_OUTPUT: usize = 1024 * 1024;

/// Ends the walk early: only where the stack or a budget is used up.
pub(crate) type Walk<T = ()> = Result<T, Refusal>;

/// Text that a command prints or is fed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) known: bool,
}

impl Text {
    pub(crate) fn known(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            known: true,
        }
    }

    pub(crate) fn unknown() -> Self {
        Self {
            text: String::new(),
            known: false,
        }
    }
}

/// What a command reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stdin {
    /// What the line itself is given.
    Inherited,
    /// A file: like a script, a program of its own.
    File,
    /// A pipe, a heredoc or a here-string.
    Fed(Text),
}

/// Where in the line the walk is.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) via: Vec<String>,
    /// Of the groups, functions and wrappers around the command.
    pub(crate) redirects: Vec<Redirect>,
    pub(crate) assignments: Vec<(String, Word)>,
    pub(crate) stdin: Stdin,
    pub(crate) pipeline: (u32, u32),
    /// Whether there is more than one command in the pipeline.
    pub(crate) piped: bool,
    /// What a wrapper replaces before it runs the command: the `{}` of `xargs -I {}`.
    pub(crate) placeholder: Option<String>,
    /// Whether the command may be skipped: in a branch, or after `&&`.
    pub(crate) conditional: bool,
}

/// A choice between the values of a variable, while one command is looked at once for each.
#[derive(Clone, Debug)]
pub(crate) struct Pin {
    pub(crate) key: String,
    pub(crate) at: usize,
    pub(crate) of: usize,
}

pub(crate) struct Session {
    pub(crate) out: Analysis,
    pub(crate) env: Env,
    pub(crate) place: Place,
    pub(crate) stack: Stack,
    pub(crate) pins: Vec<Pin>,
    /// What the commands of the innermost substitution or pipeline stage print.
    pub(crate) printed: Text,
    /// What each process substitution prints, by its source.
    pub(crate) process_substitutions: Vec<(String, Text)>,
    /// What the line has written to files, where that is known.
    pub(crate) files: Vec<(String, String)>,
    pub(crate) next_pipeline: u32,
    pub(crate) last_position: u32,
    /// What other descriptors than the standard ones read: those of the command at hand, and those that stay open.
    pub(crate) opened: Vec<(String, Text)>,
    pub(crate) descriptors: Vec<(String, Text)>,
    /// The file that the shell's own output goes to: `exec > file`.
    pub(crate) output: Option<String>,
    /// Programs under another name: `cp /bin/rm x`.
    pub(crate) copies: Vec<(String, String)>,
    /// Variables whose values the shell itself changes: `declare -l`, `-u`, `-i`.
    pub(crate) odd: Vec<String>,
    /// The functions whose bodies are being walked, each with its arguments.
    pub(crate) calls: Vec<(std::rc::Rc<str>, Vec<Word>)>,
    /// Function names that are called or handed on.
    pub(crate) called: Vec<String>,
    /// The substitutions of the source at hand.
    pub(crate) substitutions: Substitutions,
    depth: u32,
    parsed: usize,
    steps: u32,
    bytes: usize,
}

impl Session {
    pub(crate) fn new(stack: Stack) -> Self {
        Self {
            out: Analysis {
                commands: Vec::new(),
                complete: true,
            },
            env: Env::default(),
            place: Place {
                via: Vec::new(),
                redirects: Vec::new(),
                assignments: Vec::new(),
                stdin: Stdin::Inherited,
                pipeline: (0, 0),
                piped: false,
                placeholder: None,
                conditional: false,
            },
            stack,
            pins: Vec::new(),
            printed: Text::known(""),
            process_substitutions: Vec::new(),
            files: Vec::new(),
            opened: Vec::new(),
            descriptors: Vec::new(),
            output: None,
            copies: Vec::new(),
            odd: Vec::new(),
            next_pipeline: 0,
            last_position: 0,
            calls: Vec::new(),
            called: Vec::new(),
            substitutions: Substitutions::default(),
            depth: 0,
            parsed: 0,
            steps: 0,
            bytes: 0,
        }
    }

    /// The whole command line.
    pub(crate) fn line(&mut self, command: &str) -> Walk {
        self.with_tree(command, |walker, file| walker.sequence(&file.body))?;
        self.uncalled_functions(command)
    }

    /// A function that is not called here but named elsewhere in the line may be called by what is not in sight.
    fn uncalled_functions(&mut self, command: &str) -> Walk {
        let functions = std::mem::take(&mut self.env.functions);
        for (name, source) in functions {
            let named = || command.matches(name.as_str()).count();
            let by_itself = name == "command_not_found_handle";
            if self.called.contains(&name) || (self.out.complete && !by_itself && named() < 2) {
                continue;
            }
            self.called.push(name.clone());
            self.under(&format!("{name}()"), |session| {
                session.with_tree(&source, |walker, file| walker.bodies(file))
            })?;
        }
        Ok(())
    }

    /// There may be more than what is reported.
    pub(crate) fn incomplete(&mut self) {
        self.out.complete = false;
    }

    pub(crate) fn step(&mut self) -> Walk {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            self.incomplete();
            return Err(Refusal::TooLong);
        }
        Ok(())
    }

    /// Reports a command that runs here.
    pub(crate) fn emit(&mut self, argv: Vec<Word>, assignments: Vec<(String, Word)>, redirects: Vec<Redirect>) -> Walk {
        if argv.is_empty() {
            return Ok(());
        }
        let mut command = SimpleCommand {
            argv,
            assignments: [self.place.assignments.clone(), assignments].concat(),
            redirects: [redirects, self.place.redirects.clone()].concat(),
            via: self.place.via.clone(),
            cwd: self.env.cwd.clone(),
            pipeline: self.place.pipeline,
        };
        if let Some(placeholder) = &self.place.placeholder {
            for word in &mut command.argv {
                word.known &= !word.text.contains(placeholder.as_str());
            }
        }
        if !command.argv[0].known || command.argv[0].text.is_empty() {
            self.incomplete();
        }
        self.bytes += command.argv.iter().map(|word| word.text.len()).sum::<usize>()
            + command
                .redirects
                .iter()
                .map(|redirect| redirect.target.text.len())
                .sum::<usize>();
        if self.out.commands.len() >= MAX_COMMANDS || self.bytes > MAX_OUTPUT {
            self.incomplete();
            return Err(Refusal::TooLong);
        }
        self.out.commands.push(command);
        Ok(())
    }

    /// Runs `work` as reached by `via`.
    pub(crate) fn under<T>(&mut self, via: &str, work: impl FnOnce(&mut Self) -> Walk<T>) -> Walk<T> {
        self.place.via.push(via.into());
        let result = work(self);
        self.place.via.pop();
        result
    }

    /// Runs `work` where it can change nothing of the shell around it, as a subshell or another process.
    pub(crate) fn apart<T>(&mut self, work: impl FnOnce(&mut Self) -> Walk<T>) -> Walk<T> {
        let (branch, functions, aliases, name) = (
            self.env.branch(),
            self.env.functions.len(),
            self.env.aliases.len(),
            self.env.name.clone(),
        );
        let result = work(self);
        self.env.restore(branch);
        self.env.functions.truncate(functions);
        self.env.aliases.truncate(aliases);
        self.env.name = name;
        result
    }

    /// The line writes `text` to `file`.
    pub(crate) fn write(&mut self, file: String, text: Text, append: bool) {
        let before = match append {
            true => self.written(&file).unwrap_or(Text::known("")),
            false => Text::known(""),
        };
        let text = Text {
            text: before.text + &text.text,
            known: before.known && text.known,
        };
        self.files.retain(|(name, _)| *name != file);
        if text.known && text.text.len() <= crate::parse::MAX_SOURCE && self.files.len() < MAX_FILES {
            self.files.push((file, text.text));
        }
    }

    /// What `work` prints, if that can be told.
    pub(crate) fn capture(&mut self, work: impl FnOnce(&mut Self) -> Walk) -> Walk<Text> {
        let outer = std::mem::replace(&mut self.printed, Text::known(""));
        let conditional = std::mem::replace(&mut self.place.conditional, false);
        let result = work(self);
        self.place.conditional = conditional;
        let printed = std::mem::replace(&mut self.printed, outer);
        result.map(|()| printed)
    }

    /// The command at hand prints `text`.
    pub(crate) fn print(&mut self, text: &Text) {
        if let Some(file) = self.output.clone() {
            self.write(file, text.clone(), true);
        }
        self.printed.known &= text.known && !self.place.conditional;
        if self.printed.text.len() + text.text.len() > crate::parse::MAX_SOURCE {
            self.printed.known = false;
        } else {
            self.printed.text.push_str(&text.text);
        }
    }

    /// Analyses the text of a script that runs here.
    pub(crate) fn script(&mut self, script: &Text) -> Walk {
        if !script.known {
            self.incomplete();
        }
        self.with_tree(&script.text, |walker, file| walker.sequence(&file.body))
    }

    /// Reads text as the body of a heredoc whose delimiter is not quoted.
    pub(crate) fn reread(&mut self, body: &str) -> Walk<Word> {
        let mut word = Word {
            text: body.into(),
            known: !body.contains(['$', '`']),
            glob: false,
        };
        if word.known {
            return Ok(word);
        }
        let end = "\n" == &body[body.len().saturating_sub(1)..];
        let source = format!(
            "cat <<HEREDOC_AGAIN\n{body}{}HEREDOC_AGAIN\n",
            if end { "" } else { "\n" }
        );
        self.with_tree(&source, |walker, file| {
            for redirect in file.body.iter().flat_map(|stmt| stmt.redirects.iter()) {
                if let shuck_ast::RedirectTarget::Heredoc(heredoc) = &redirect.target {
                    word = walker.heredoc(&heredoc.body)?;
                }
            }
            Ok(())
        })?;
        Ok(word)
    }

    /// Counts text that is read by other means than the parser.
    pub(crate) fn count(&mut self, bytes: usize) -> Walk {
        self.parsed += bytes + 16;
        if self.parsed > MAX_PARSED {
            self.incomplete();
            return Err(Refusal::TooLong);
        }
        Ok(())
    }

    /// Parses `source` and hands the tree to `work`; what cannot be parsed is read naively and marked.
    pub(crate) fn with_tree(
        &mut self,
        source: &str,
        work: impl FnOnce(&mut Walker<'_>, &shuck_ast::File) -> Walk,
    ) -> Walk {
        self.parsed += source.len() + 16;
        if self.depth >= MAX_DEPTH || self.parsed > MAX_PARSED {
            self.incomplete();
            return Ok(());
        }
        let read = match Substitutions::of(source) {
            Some((substitutions, blank)) => parse(&blank, self.stack).map(|file| (substitutions, file)),
            None => Err(Refusal::NotClean),
        };
        let (substitutions, file) = match read {
            Ok(read) => read,
            Err(Refusal::NeedsStack) => return Err(Refusal::NeedsStack),
            Err(_) => match crate::naive::repaired(source) {
                Some(source) => return self.with_tree(&source, work),
                None => {
                    self.incomplete();
                    return crate::naive::read(self, source);
                }
            },
        };
        if self.stack == Stack::Callers && self.depth >= SHALLOW {
            return Err(Refusal::NeedsStack);
        }
        let outer = std::mem::replace(&mut self.substitutions, substitutions);
        self.depth += 1;
        let result = work(&mut Walker { source, session: self }, &file);
        self.depth -= 1;
        let substitutions = std::mem::replace(&mut self.substitutions, outer);
        result?;
        for lost in substitutions.lost() {
            self.count(source.len())?;
            crate::naive::read(self, lost.body(source))?;
        }
        Ok(())
    }

    /// A walk on a small stack that has gone this deep starts again on a large one.
    pub(crate) fn deeper<T>(&mut self, work: impl FnOnce(&mut Self) -> Walk<T>) -> Walk<T> {
        if self.stack == Stack::Callers && self.depth >= SHALLOW {
            return Err(Refusal::NeedsStack);
        }
        if self.depth >= MAX_DEPTH * 2 {
            self.incomplete();
            return Err(Refusal::TooLong);
        }
        self.depth += 1;
        let result = work(self);
        self.depth -= 1;
        result
    }
}
