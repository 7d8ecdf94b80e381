//! One simple command: its words, assignments and redirections, before anything is said about the program.

use shuck_ast::{Assignment, AssignmentValue, Command, DeclOperand, RedirectKind, RedirectTarget, Stmt};

use crate::env::Value;
use crate::misread;
use crate::run::Call;
use crate::session::{Stdin, Text, Walk};
use crate::walk::{Walker, builtin_words, value_of};
use crate::{Redirect, Word};

impl Walker<'_> {
    pub(crate) fn simple(&mut self, stmt: &Stmt) -> Walk {
        let source = self.source;
        let first = self.session.out.commands.len();
        let rounds = self
            .session
            .each_round(|session| Walker { source, session }.round(stmt))?;
        if rounds > 1 {
            self.drop_repeated(first);
        }
        Ok(())
    }

    /// One look at a command, with one value of each variable.
    fn round(&mut self, stmt: &Stmt) -> Walk {
        let mut numbers = Vec::new();
        let (prefix, argv) = match &stmt.command {
            Command::Simple(simple) => {
                let named = !simple.name.span.slice(self.source).is_empty();
                if !named
                    && simple
                        .name
                        .try_static_text(self.source)
                        .is_none_or(|text| !text.is_empty())
                {
                    self.session.incomplete();
                }
                if named {
                    self.alias(stmt, &simple.name)?;
                }
                if !misread::is_whole(stmt, simple, self.source) {
                    self.misread(simple.span.slice(self.source))?;
                }
                numbers = misread::descriptors(simple, &stmt.redirects, self.source);
                let args = simple.args.iter().enumerate();
                let args = args.filter(|(at, _)| numbers.iter().flatten().all(|(number, _)| number != at));
                let args = args.map(|(_, word)| word);
                let words = named.then_some(&simple.name).into_iter().chain(args);
                (&simple.assignments, self.words(words)?)
            }
            Command::Builtin(builtin) => {
                let (name, words) = builtin_words(builtin);
                let mut argv = vec![Word::literal(name)];
                argv.extend(self.words(words)?);
                use shuck_ast::BuiltinCommand as Kind;
                let prefix = match builtin {
                    Kind::Break(command) => &command.assignments,
                    Kind::Continue(command) => &command.assignments,
                    Kind::Return(command) => &command.assignments,
                    Kind::Exit(command) => &command.assignments,
                };
                (prefix, argv)
            }
            Command::Decl(declaration) => {
                let mut argv = vec![Word::literal(declaration.variant.as_str())];
                for operand in &declaration.operands {
                    match operand {
                        DeclOperand::Flag(word) | DeclOperand::Dynamic(word) => argv.extend(self.words([word])?),
                        DeclOperand::Name(name) => {
                            self.subscript(name)?;
                            argv.push(Word::literal(name.span.slice(self.source)));
                        }
                        DeclOperand::Assignment(assignment) => {
                            let (name, value) = self.assignment(assignment, true)?;
                            argv.push(Word {
                                text: format!("{name}={}", value.text),
                                ..value
                            });
                        }
                    }
                }
                (&declaration.assignments, argv)
            }
            _ => return Ok(()),
        };
        // `! ! cmd`: the parser takes the second one for a program.
        let mut argv = argv;
        while argv.first().is_some_and(|word| word.text == "!") {
            argv.remove(0);
        }
        let (redirects, stdin) = self.redirects(&stmt.redirects, &numbers)?;
        if argv.is_empty() {
            if let Some(read) = redirects.iter().find(|redirect| redirect.operator == "<") {
                // `$(< file)` prints the file.
                let text = self.session.process_substitution(&read.target.text);
                let text = text
                    .or_else(|| self.session.written(&read.target.text))
                    .unwrap_or_else(Text::unknown);
                self.session.print(&text);
            }
            for assignment in prefix {
                self.assignment(assignment, true)?;
            }
            return match redirects.is_empty() {
                true => Ok(()),
                // A redirection alone: nothing runs, and the file is opened.
                false => self.session.emit(vec![Word::literal(":")], Vec::new(), redirects),
            };
        }
        let mut assignments = Vec::new();
        for assignment in prefix {
            assignments.push(self.assignment(assignment, false)?);
        }
        // `exec < file` without a command: from here on the shell reads it.
        let stays = matches!(argv.as_slice(), [only] if only.text == "exec");
        if stays {
            self.session.descriptors.clone_from(&self.session.opened);
        }
        if stays && let Some((file, append)) = written(&redirects) {
            self.session.write(file.clone(), Text::known(""), append);
            self.session.output = Some(file);
        }
        let call = Call {
            argv,
            assignments,
            redirects,
            in_shell: true,
        };
        let outer = self.session.place.stdin.clone();
        if let Some(stdin) = stdin {
            self.session.place.stdin = stdin;
        }
        let result = if self.silences(&stmt.redirects) {
            let file = written(&call.redirects);
            let printed = self.session.capture(|session| session.run(call));
            printed.map(|printed| {
                if let Some((file, append)) = file {
                    self.session.write(file, printed, append);
                }
            })
        } else {
            self.session.run(call)
        };
        if !stays {
            self.session.place.stdin = outer;
        }
        result
    }

    /// Reads the command as its alias has it, beside what it is without: bash expands aliases only in some shells.
    fn alias(&mut self, stmt: &Stmt, name: &shuck_ast::Word) -> Walk {
        if self.session.env.aliases.is_empty() {
            return Ok(());
        }
        let text = name.span.slice(self.source);
        let Some(index) = self.session.env.aliases.iter().rposition(|(alias, _)| alias == text) else {
            return Ok(());
        };
        let Command::Simple(simple) = &stmt.command else {
            return Ok(());
        };
        let end = simple
            .args
            .last()
            .map_or(name.span.end.offset(), |word| word.span.end.offset());
        let rest = self.source.get(name.span.end.offset()..end).unwrap_or("");
        let (alias, value) = self.session.env.aliases.remove(index);
        let script = Text::known(format!("{value}{rest}"));
        let result = self
            .session
            .under(&format!("alias {alias}"), |session| session.script(&script));
        self.session.env.aliases.push((alias, value));
        result
    }

    /// A name and its value; `keep` where the shell itself keeps it.
    fn assignment(&mut self, assignment: &Assignment, keep: bool) -> Walk<(String, Word)> {
        let name = assignment.target.name.to_string();
        let index = self.subscript(&assignment.target)?;
        let (word, value) = match &assignment.value {
            AssignmentValue::Scalar(word) => {
                if !misread::is_word(word, self.source) {
                    self.misread(word.span.slice(self.source))?;
                }
                let word = self.single(word)?;
                let value = value_of(&word);
                (word, value)
            }
            AssignmentValue::Compound(array) => {
                if !array.span.slice(self.source).ends_with(')') {
                    self.misread(self.source.get(array.span.start.offset()..).unwrap_or(""))?;
                }
                let mut items = Vec::new();
                let mut keyed = false;
                for element in &array.elements {
                    if let shuck_ast::ArrayElem::Keyed { key, .. } | shuck_ast::ArrayElem::KeyedAppend { key, .. } =
                        element
                    {
                        keyed = true;
                        self.arithmetic("", key.arithmetic_ast.as_ref(), key.word_ast())?;
                    }
                    items.extend(self.words([&element.value().word])?);
                }
                let known = !keyed && items.iter().all(|word| word.known);
                let texts: Vec<String> = items.into_iter().map(|word| word.text).collect();
                let text = format!("({})", texts.join(" "));
                let value = if known { Value::List(texts) } else { Value::Unknown };
                (
                    Word {
                        text,
                        known,
                        glob: false,
                    },
                    value,
                )
            }
        };
        // A prompt is expanded when it is shown, a trace prompt with every command.
        if matches!(name.as_str(), "PS4" | "PS0" | "PS1" | "PS2") {
            self.session.evaluate(&word.text)?;
        }
        if self.session.odd.contains(&name) {
            self.session.env.set(&name, Value::Unknown);
        } else if keep {
            let value = match (assignment.append, assignment.target.subscript.is_some(), value) {
                (false, false, value) => value,
                (true, false, value) => append(self.session.variable(&name), value),
                (false, true, Value::Text(text)) => match (self.session.env.values(&name), index) {
                    ([] | [Value::Unset], Some(0)) => Value::List(vec![text]),
                    ([Value::List(items)], Some(index)) if usize::try_from(index).is_ok_and(|at| at <= items.len()) => {
                        let mut items = items.clone();
                        match items.get_mut(index as usize) {
                            Some(item) => *item = text,
                            None => items.push(text),
                        }
                        Value::List(items)
                    }
                    _ => Value::Unknown,
                },
                _ => Value::Unknown,
            };
            self.session.env.set(&name, value);
        }
        Ok((name, word))
    }

    /// What a command's redirections open, and what it then reads. `numbers` are the descriptors that the parser did not see.
    pub(crate) fn redirects(
        &mut self,
        redirects: &[shuck_ast::Redirect],
        numbers: &[Option<(usize, i32)>],
    ) -> Walk<(Vec<Redirect>, Option<Stdin>)> {
        let mut opened = Vec::new();
        let mut stdin = None;
        let mut others = self.session.descriptors.clone();
        for (index, redirect) in redirects.iter().enumerate() {
            let seen = numbers.get(index).copied().flatten().map(|(_, number)| number);
            let descriptor = seen.or(redirect.fd).unwrap_or(0);
            let word = match &redirect.target {
                RedirectTarget::Word(word) => word,
                RedirectTarget::Heredoc(heredoc) => {
                    let raw = heredoc.delimiter.raw.span.slice(self.source);
                    let mut body = if heredoc.delimiter.quoted && !raw.contains(['\\', '\'', '"']) {
                        // The parser takes a second heredoc of a line for quoted.
                        self.session.substitutions.pass(heredoc.body.span);
                        self.session.reread(heredoc.body.span.slice(self.source))?
                    } else {
                        self.heredoc(&heredoc.body)?
                    };
                    if misread::ends_early(heredoc, self.source) {
                        self.session.incomplete();
                        body.known = false;
                    }
                    let text = Text {
                        text: body.text.clone(),
                        known: body.known,
                    };
                    match descriptor {
                        0 => stdin = Some(Stdin::Fed(text)),
                        other => others.push((other.to_string(), text)),
                    }
                    opened.push(Redirect {
                        operator: "<<".into(),
                        target: body,
                    });
                    continue;
                }
            };
            let target = match redirect.kind {
                RedirectKind::HereString => self.single(word)?,
                _ => self
                    .words([word])?
                    .into_iter()
                    .next()
                    .unwrap_or_else(|| Word::literal("")),
            };
            let number = target.text.trim_end_matches('-');
            let duplicates = number.bytes().all(|byte| byte.is_ascii_digit());
            let operator = match redirect.kind {
                RedirectKind::DupOutput | RedirectKind::DupInput if duplicates => {
                    // Whatever another descriptor was opened on.
                    if redirect.kind == RedirectKind::DupInput && descriptor == 0 && number != "0" {
                        let found = others.iter().rev().find(|(other, _)| other == number);
                        stdin = Some(Stdin::Fed(found.map_or_else(Text::unknown, |(_, text)| text.clone())));
                    }
                    continue;
                }
                RedirectKind::Output => ">",
                RedirectKind::Clobber => ">|",
                RedirectKind::Append => ">>",
                RedirectKind::Input | RedirectKind::DupInput => "<",
                RedirectKind::ReadWrite => "<>",
                RedirectKind::HereString => "<<<",
                RedirectKind::DupOutput | RedirectKind::OutputBoth => "&>",
                RedirectKind::HereDoc | RedirectKind::HereDocStrip => "<<",
            };
            let read = match operator {
                "<<<" => Some(Stdin::Fed(Text {
                    text: format!("{}\n", target.text),
                    known: target.known,
                })),
                "<" | "<>" => {
                    let fed = self.session.process_substitution(&target.text);
                    Some(match fed.or_else(|| self.session.written(&target.text)) {
                        Some(text) => Stdin::Fed(text),
                        None if !target.known || crate::shells::is_descriptor(&target.text) => {
                            Stdin::Fed(Text::unknown())
                        }
                        None => Stdin::File,
                    })
                }
                _ => None,
            };
            match (descriptor, read) {
                (0, Some(read)) => stdin = Some(read),
                (other, Some(Stdin::Fed(text))) => others.push((other.to_string(), text)),
                _ => {}
            }
            opened.push(Redirect {
                operator: operator.into(),
                target,
            });
        }
        self.session.opened = others;
        Ok((opened, stdin))
    }

    /// Whether what the command prints goes somewhere else.
    pub(crate) fn silences(&self, redirects: &[shuck_ast::Redirect]) -> bool {
        use RedirectKind::{Append, Clobber, DupOutput, Output, OutputBoth};
        redirects.iter().any(|redirect| {
            matches!(redirect.kind, Output | Append | Clobber | OutputBoth | DupOutput)
                && matches!(redirect.fd, None | Some(1))
        })
    }
}

/// The file that a command's output goes to.
pub(crate) fn written(redirects: &[Redirect]) -> Option<(String, bool)> {
    let redirect = redirects
        .iter()
        .rev()
        .find(|redirect| redirect.operator.contains('>'))?;
    let known = redirect.target.known && !redirect.target.glob;
    known.then(|| (redirect.target.text.clone(), redirect.operator == ">>"))
}

fn append(old: Value, new: Value) -> Value {
    match (old, new) {
        (Value::Text(old), Value::Text(new)) => Value::Text(old + &new),
        (Value::Unset, new) => new,
        (Value::List(mut old), Value::List(new)) => {
            old.extend(new);
            Value::List(old)
        }
        _ => Value::Unknown,
    }
}
