//! From an argument vector to the programs behind it: who is called, and what does that one run in turn?

use crate::env::Value;
use crate::session::{Session, Text, Walk};
use crate::{Redirect, Word, builtins, handed, wrappers};

/// How often a function is looked at inside itself.
const MAX_RECURSION: usize = 2;

/// A command with everything expanded.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) argv: Vec<Word>,
    pub(crate) assignments: Vec<(String, Word)>,
    pub(crate) redirects: Vec<Redirect>,
    /// Whether the shell itself looks the name up, so that functions and builtins count.
    pub(crate) in_shell: bool,
}

impl Call {
    /// The same command without its first `count` words, run by another program.
    pub(crate) fn tail(&self, count: usize) -> Call {
        Call {
            argv: self.argv[count.min(self.argv.len())..].to_vec(),
            in_shell: false,
            ..self.clone()
        }
    }

    pub(crate) fn with(&self, argv: Vec<Word>) -> Call {
        Call {
            argv,
            in_shell: false,
            ..self.clone()
        }
    }
}

/// The last part of a path.
pub(crate) fn base_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

impl Session {
    pub(crate) fn run(&mut self, call: Call) -> Walk {
        self.step()?;
        let Some(program) = call.argv.first() else {
            if call.redirects.is_empty() && call.assignments.is_empty() {
                return Ok(());
            }
            return self.emit(vec![Word::literal(":")], call.assignments, call.redirects);
        };
        let saved: Vec<(String, Vec<Value>)> = call
            .assignments
            .iter()
            .map(|(name, _)| (name.clone(), self.env.values(name).to_vec()))
            .collect();
        for (name, word) in &call.assignments {
            self.env.set(name, crate::walk::value_of(word));
        }
        handed::variables(self, &call.assignments)?;
        let result = if program.known && (!program.glob || program.text == "[") {
            let program = program.text.clone();
            self.deeper(|session| session.dispatch(&program, call))
        } else {
            self.unknown_program(call)
        };
        for (name, values) in saved {
            match values.is_empty() {
                true => self.env.unset(&name),
                false => self.env.set_all(&name, values),
            }
        }
        result
    }

    fn dispatch(&mut self, program: &str, call: Call) -> Walk {
        // `time -o f cmd`: no option of bash's keyword, but one of the program that a plain `sh` runs.
        if program.starts_with('-') && self.place.via.last().is_some_and(|via| via == "time") {
            let argv = [vec![Word::literal("time")], call.argv.clone()].concat();
            return self.run(call.with(argv));
        }
        if call.in_shell {
            if self.call_functions(program, &call)? {
                return Ok(());
            }
            if !program.contains('/') && builtins::run(self, program, &call)? {
                return Ok(());
            }
        }
        let plain = |path: &str| path.trim_start_matches("./").to_owned();
        let copied = self.copies.iter().rev().find(|(copy, _)| plain(copy) == plain(program));
        if let Some((copy, original)) = copied.filter(|(_, original)| original != program).cloned() {
            self.report(call.clone())?;
            let mut inner = call.with(call.argv.clone());
            inner.argv[0] = Word::literal(original);
            return self.under(&copy, |session| session.run(inner));
        }
        if let Some(text) = self.written(program).filter(|_| program.contains('/')) {
            return self.file_script(program, &text, call);
        }
        if wrappers::run(self, base_name(program), &call)? {
            return Ok(());
        }
        self.remember(base_name(program), &call.argv);
        handed::report(self, base_name(program), call)
    }

    /// Keeps in mind what a command does to files that may be run later in the line.
    fn remember(&mut self, name: &str, argv: &[Word]) {
        let operands: Vec<&Word> = argv[1..].iter().filter(|word| !word.text.starts_with('-')).collect();
        match (name, operands.as_slice()) {
            ("cp" | "ln" | "mv" | "install" | "link", [from, .., to]) if to.known => match self
                .process_substitution(&from.text)
                .or_else(|| self.written(&from.text))
            {
                Some(written) => self.write(to.text.clone(), written, false),
                // Programs live in folders of their own; a plain file is no program that we know.
                None if crate::shells::is_stdin(&from.text) => {
                    if let crate::session::Stdin::Fed(text) = self.place.stdin.clone() {
                        self.write(to.text.clone(), text, false);
                    }
                }
                None if from.known
                    && (from.text.contains("bin/")
                        || wrappers::known_programs().any(|name| name == base_name(&from.text))) =>
                {
                    self.copies.push((to.text.clone(), from.text.clone()));
                }
                None => {}
            },
            ("dd", operands) => {
                let file = operands.iter().find_map(|word| word.text.strip_prefix("of="));
                if let (Some(file), crate::session::Stdin::Fed(text)) = (file, self.place.stdin.clone()) {
                    self.write(file.into(), text, false);
                }
            }
            ("tee" | "sponge", files) => {
                let append = argv.iter().any(|word| matches!(word.text.as_str(), "-a" | "--append"));
                if let crate::session::Stdin::Fed(text) = self.place.stdin.clone() {
                    for file in files.iter().filter(|file| file.known) {
                        self.write(file.text.clone(), text.clone(), append);
                    }
                }
            }
            _ => {}
        }
    }

    /// Reports a call as it stands.
    pub(crate) fn report(&mut self, call: Call) -> Walk {
        let printed = crate::prints::printed(self, &call);
        self.print(&printed);
        self.emit(call.argv, call.assignments, call.redirects)
    }

    /// A program that the same line has written.
    pub(crate) fn file_script(&mut self, program: &str, text: &Text, call: Call) -> Walk {
        let args = call.argv.get(1..).unwrap_or(&[]).into();
        let via = program.to_owned();
        self.report(call)?;
        self.apart(|session| {
            session.env.args = Some(args);
            session.under(&via, |session| session.script(text))
        })
    }

    /// Calls every definition of a function; they may hold each other back.
    fn call_functions(&mut self, name: &str, call: &Call) -> Walk<bool> {
        let definitions: Vec<_> = self
            .env
            .functions
            .iter()
            .filter(|(function, _)| function == name)
            .map(|(_, body)| body.clone())
            .collect();
        if definitions.is_empty() {
            return Ok(false);
        }
        self.called.push(name.into());
        let via = format!("{name}()");
        let args = &call.argv[1..];
        let outer_args = self.env.args.replace(args.into());
        let outer = self.place.redirects.len();
        self.place.redirects.extend(call.redirects.iter().cloned());
        for source in definitions {
            let running = || self.calls.iter().filter(|(body, _)| *body == source);
            if running().count() >= MAX_RECURSION {
                // With the same arguments it does the same once more.
                if running().any(|(_, before)| **before != *args) {
                    self.incomplete();
                }
                continue;
            }
            self.calls.push((source.clone(), args.into()));
            self.under(&via, |session| {
                session.with_tree(&source, |walker, file| walker.bodies(file))
            })?;
            self.calls.pop();
        }
        self.place.redirects.truncate(outer);
        self.env.args = outer_args;
        Ok(true)
    }

    /// A program whose name cannot be told. Where it may be nothing at all (`$SUDO rm`), the next word is one too.
    fn unknown_program(&mut self, call: Call) -> Walk {
        let program = call.argv[0].clone();
        self.incomplete();
        self.print(&Text::unknown());
        if program.glob && program.known {
            for name in wrappers::known_programs() {
                if crate::expand::glob_matches(base_name(&program.text), name) {
                    let mut guessed = call.clone();
                    guessed.argv[0] = Word::literal(name);
                    self.dispatch(name, guessed)?;
                }
            }
        }
        self.emit(call.argv.clone(), call.assignments.clone(), call.redirects.clone())?;
        let vanishes = program.text.starts_with('$') || program.text.starts_with('`');
        match call.argv.get(1) {
            Some(next) if vanishes && next.known && !next.text.starts_with('-') => {
                let tail = call.tail(1);
                self.deeper(|session| session.under(&program.text, |session| session.run(tail)))
            }
            _ => Ok(()),
        }
    }

    /// What a process substitution prints, by the word that stands for it.
    pub(crate) fn process_substitution(&self, word: &str) -> Option<Text> {
        word.starts_with("<(").then(|| {
            let found = self
                .process_substitutions
                .iter()
                .rev()
                .find(|(source, _)| source == word);
            found.map_or_else(Text::unknown, |(_, text)| text.clone())
        })
    }

    /// What the same line has written to a file.
    pub(crate) fn written(&self, path: &str) -> Option<Text> {
        let plain = |path: &str| path.trim_start_matches("./").to_owned();
        let found = self.files.iter().rev().find(|(file, _)| plain(file) == plain(path));
        found.map(|(_, text)| Text::known(text.clone()))
    }
}
