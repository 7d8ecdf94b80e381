//! The walk over the tree: lists, pipelines and compound commands, and what each does to the state of the shell.

use shuck_ast::{
    BinaryOp, BuiltinCommand, Command, CompoundCommand, ConditionalExpr, FunctionDef, Pattern, PatternPart, Stmt,
    StmtSeq,
};

use crate::env::{Branch, Value};
use crate::misread;
use crate::session::{Session, Stdin, Text, Walk};

/// A tree's source and the session that walks it.
pub(crate) struct Walker<'w> {
    pub(crate) source: &'w str,
    pub(crate) session: &'w mut Session,
}

impl Walker<'_> {
    pub(crate) fn sequence(&mut self, sequence: &StmtSeq) -> Walk {
        sequence.iter().try_for_each(|stmt| self.list(stmt))
    }

    /// `a && b || c`. The parser nests it to the left.
    fn list(&mut self, stmt: &Stmt) -> Walk {
        let (first, rest) = self.chain(stmt, |op| matches!(op, BinaryOp::And | BinaryOp::Or));
        if rest.is_empty() {
            return self.pipeline(first);
        }
        let before = self.session.env.cwd.clone();
        self.pipeline(first)?;
        let conditional = std::mem::replace(&mut self.session.place.conditional, true);
        let mut cwd = before;
        // The states in which the rest of the chain was skipped.
        let mut skipped: Vec<Branch> = Vec::new();
        for (op, stmt) in rest {
            let succeeded = self.session.env.branch();
            if op == BinaryOp::And {
                cwd = self.session.env.cwd.clone();
                self.pipeline(stmt)?;
                skipped.push(succeeded);
                continue;
            }
            for branch in skipped.drain(..) {
                self.session.env.join(&branch);
            }
            // A `cd` that failed changed nothing.
            self.session.env.cwd = cwd.clone();
            self.pipeline(stmt)?;
            if leaves(stmt) {
                self.session.env.restore(succeeded);
            } else if self.session.env.cwd == cwd {
                self.session.env.cwd = succeeded.cwd().cloned();
                self.session.env.join(&succeeded);
                if let Some(word) = self
                    .session
                    .env
                    .cwd
                    .as_mut()
                    .filter(|word| Some(&**word) != cwd.as_ref())
                {
                    word.known = false;
                }
            } else {
                self.session.env.join(&succeeded);
            }
        }
        for branch in skipped {
            self.session.env.join(&branch);
        }
        self.session.place.conditional = conditional;
        Ok(())
    }

    /// The operands of a chain of operators: the first, then each operator with what follows it.
    fn chain<'t>(&self, stmt: &'t Stmt, wanted: impl Fn(BinaryOp) -> bool) -> (&'t Stmt, Vec<(BinaryOp, &'t Stmt)>) {
        let mut rest = Vec::new();
        let mut first = stmt;
        while let Command::Binary(binary) = &first.command {
            if !wanted(binary.op) || !first.redirects.is_empty() {
                break;
            }
            rest.push((binary.op, &*binary.right));
            first = &binary.left;
        }
        rest.reverse();
        (first, rest)
    }

    fn pipeline(&mut self, stmt: &Stmt) -> Walk {
        let (first, rest) = self.chain(stmt, |op| matches!(op, BinaryOp::Pipe | BinaryOp::PipeAll));
        if rest.is_empty() {
            return self.stage(first);
        }
        let place = (
            self.session.place.pipeline,
            self.session.place.piped,
            self.session.place.stdin.clone(),
        );
        if !self.session.place.piped {
            self.session.place.pipeline = (self.session.next_pipeline, 0);
            self.session.next_pipeline += 1;
            self.session.place.piped = true;
        }
        self.session.last_position = self.session.place.pipeline.1;
        let last = rest.len();
        for (index, stage) in std::iter::once(first)
            .chain(rest.into_iter().map(|(_, stage)| stage))
            .enumerate()
        {
            if index == last {
                // The last stage prints what the pipeline prints.
                self.apart(|walker| walker.stage(stage))?;
            } else {
                let outer = self.session.place.conditional;
                self.session.place.conditional = false;
                let printed = std::mem::replace(&mut self.session.printed, Text::known(""));
                self.apart(|walker| walker.stage(stage))?;
                let fed = std::mem::replace(&mut self.session.printed, printed);
                self.session.place.conditional = outer;
                self.session.place.stdin = Stdin::Fed(fed);
                let next = self.session.last_position.max(self.session.place.pipeline.1) + 1;
                self.session.place.pipeline.1 = next;
                self.session.last_position = next;
            }
        }
        (
            self.session.place.pipeline,
            self.session.place.piped,
            self.session.place.stdin,
        ) = place;
        Ok(())
    }

    /// One command of a pipeline.
    fn stage(&mut self, stmt: &Stmt) -> Walk {
        self.session.step()?;
        let compound = match &stmt.command {
            Command::Binary(_) => return self.list(stmt),
            Command::Function(function) => return self.define(function),
            Command::AnonymousFunction(function) => {
                self.session.incomplete();
                return self.list(&function.body);
            }
            Command::Compound(compound) => compound,
            _ => {
                let outer = self.session.place.pipeline;
                if !self.session.place.piped {
                    self.session.place.pipeline = (self.session.next_pipeline, 0);
                    self.session.next_pipeline += 1;
                }
                self.simple(stmt)?;
                if !self.session.place.piped {
                    self.session.place.pipeline = outer;
                }
                return Ok(());
            }
        };
        let (redirects, stdin) = self.redirects(&stmt.redirects, &[])?;
        let before = self.session.out.commands.len();
        let silent = self.silences(&stmt.redirects);
        let conditional = self.session.place.conditional;
        let printed = silent.then(|| {
            self.session.place.conditional = false;
            std::mem::replace(&mut self.session.printed, Text::known(""))
        });
        let inherited = self.session.place.redirects.len();
        let outer_stdin = self.session.place.stdin.clone();
        self.session.place.redirects.extend(redirects.iter().cloned());
        if let Some(stdin) = stdin {
            self.session.place.stdin = stdin;
        }
        self.compound(compound)?;
        self.session.place.redirects.truncate(inherited);
        self.session.place.stdin = outer_stdin;
        if let Some(outer) = printed {
            let printed = std::mem::replace(&mut self.session.printed, outer);
            self.session.place.conditional = conditional;
            if let Some((file, append)) = crate::command::written(&redirects) {
                self.session.write(file, printed, append);
            }
        }
        if self.session.out.commands.len() == before && !redirects.is_empty() {
            self.session
                .emit(vec![crate::Word::literal(":")], Vec::new(), redirects)?;
        }
        Ok(())
    }

    fn compound(&mut self, compound: &CompoundCommand) -> Walk {
        match compound {
            CompoundCommand::Subshell(body) => self.apart(|walker| walker.sequence(body)),
            CompoundCommand::BraceGroup(body) => self.sequence(body),
            CompoundCommand::If(command) => self.branches(command),
            CompoundCommand::For(command) => self.for_loop(command),
            CompoundCommand::While(command) => self.rounds(&[&command.condition, &command.body]),
            CompoundCommand::Until(command) => self.rounds(&[&command.condition, &command.body]),
            CompoundCommand::Case(command) => self.case(command),
            CompoundCommand::Select(command) => {
                let words = self.words(&command.words)?;
                let values = words.iter().map(value_of).collect();
                self.session.env.set_all(&command.variable, values);
                self.rounds(&[&command.body])
            }
            CompoundCommand::Arithmetic(command) => self.arithmetic_text(command.expr_span, &command.expr_ast),
            CompoundCommand::ArithmeticFor(command) => {
                self.arithmetic_text(command.init_span, &command.init_ast)?;
                self.arithmetic_text(command.condition_span, &command.condition_ast)?;
                self.arithmetic_text(command.step_span, &command.step_ast)?;
                self.rounds(&[&command.body])
            }
            CompoundCommand::Time(command) => match &command.command {
                Some(stmt) => {
                    self.session.place.via.push("time".into());
                    let result = self.list(stmt);
                    self.session.place.via.pop();
                    result
                }
                None => Ok(()),
            },
            CompoundCommand::Coproc(command) => {
                self.session.place.via.push("coproc".into());
                let result = self.apart(|walker| walker.list(&command.body));
                self.session.place.via.pop();
                result
            }
            CompoundCommand::Conditional(command) => self.conditional(&command.expression, false),
            CompoundCommand::Repeat(command) => {
                self.session.incomplete();
                self.rounds(&[&command.body])
            }
            CompoundCommand::Foreach(command) => {
                self.session.incomplete();
                self.session.env.set(&command.variable, Value::Unknown);
                self.rounds(&[&command.body])
            }
            CompoundCommand::Always(command) => {
                self.session.incomplete();
                self.sequence(&command.body)?;
                self.sequence(&command.always_body)
            }
        }
    }

    /// `[[ … ]]`: its words run nothing but the substitutions in them, and what arithmetic evaluates.
    fn conditional(&mut self, expression: &ConditionalExpr, arithmetic: bool) -> Walk {
        match expression {
            ConditionalExpr::Binary(binary) => {
                let op = binary.op.as_str();
                let arithmetic = op.len() == 3 && op.starts_with('-') && !matches!(op, "-nt" | "-ot" | "-ef");
                self.conditional(&binary.left, arithmetic)?;
                self.conditional(&binary.right, arithmetic)
            }
            ConditionalExpr::Unary(unary) => self.conditional(&unary.expr, matches!(unary.op.as_str(), "-v" | "-R")),
            ConditionalExpr::Parenthesized(inner) => self.conditional(&inner.expr, false),
            ConditionalExpr::Word(word) | ConditionalExpr::Regex(word) => {
                let word = self.single(word)?;
                if arithmetic {
                    self.session.evaluate(&word.text)
                } else {
                    Ok(())
                }
            }
            ConditionalExpr::Pattern(pattern) => self.pattern(pattern).map(drop),
            ConditionalExpr::VarRef(reference) => {
                self.subscript(reference)?;
                self.session.substitutions.pass(reference.span);
                self.session.evaluate(reference.span.slice(self.source))
            }
        }
    }

    /// A pattern's text, with a backslash before what is quoted in it.
    pub(crate) fn pattern(&mut self, pattern: &Pattern) -> Walk<Text> {
        let mut text = Text::known("");
        for part in &pattern.parts {
            let source = part.span.slice(self.source);
            match &part.kind {
                PatternPart::Literal(literal) => text.text.push_str(literal.syntax_str(self.source, part.span)),
                PatternPart::AnyString => text.text.push('*'),
                PatternPart::AnyChar => text.text.push('?'),
                PatternPart::CharClass(_) => {
                    text.text.push_str(source);
                    if source.contains(['$', '`']) {
                        self.session.incomplete();
                    }
                }
                PatternPart::Group { patterns, .. } => {
                    text.known = false;
                    for pattern in patterns {
                        self.pattern(pattern)?;
                    }
                }
                PatternPart::Word(word) => {
                    let word = self.pattern_word(word)?;
                    text.known &= word.known;
                    text.text.push_str(&word.text);
                }
            }
        }
        Ok(text)
    }

    /// The body of the function that a file begins with.
    pub(crate) fn bodies(&mut self, file: &shuck_ast::File) -> Walk {
        match file.body.iter().next().map(|stmt| &stmt.command) {
            Some(Command::Function(function)) => self.list(&function.body),
            _ => Ok(()),
        }
    }

    /// The source of a function and, where it ends before its heredocs begin, what follows its line.
    fn definition(&mut self, function: &FunctionDef) -> std::rc::Rc<str> {
        let own = function.span.slice(self.source);
        let last = own.rsplit('\n').next().unwrap_or(own);
        if !misread::opens_heredoc(last) {
            return own.into();
        }
        let before = self.source.get(..function.span.start.offset()).unwrap_or("");
        let after = self.source.get(function.span.end.offset()..).unwrap_or("");
        let (line, bodies) = after.split_once('\n').unwrap_or((after, ""));
        // Other heredocs of the line: whose body comes first is the parser's to say.
        if misread::opens_heredoc(before.rsplit('\n').next().unwrap_or("")) || misread::opens_heredoc(line) {
            self.session.incomplete();
        }
        format!("{own}\n{bodies}").into()
    }

    fn define(&mut self, function: &FunctionDef) -> Walk {
        let source = self.definition(function);
        self.session.substitutions.pass(function.span);
        for name in function.static_names() {
            let definition = (name.to_string(), source.clone());
            if !self.session.env.functions.contains(&definition) {
                self.session.env.functions.push(definition);
            }
        }
        if function.static_names().next().is_none() {
            self.session.incomplete();
        }
        // The text of a heredoc stands outside the definition's own source.
        if function
            .body
            .redirects
            .iter()
            .any(|redirect| redirect.heredoc().is_some())
        {
            self.session.place.via.push("()".into());
            let result = self.redirects(&function.body.redirects, &[]);
            self.session.place.via.pop();
            result?;
            self.session.incomplete();
        }
        Ok(())
    }

    /// Runs `work` on a copy of the shell's state.
    pub(crate) fn apart(&mut self, work: impl FnOnce(&mut Walker<'_>) -> Walk) -> Walk {
        let source = self.source;
        self.session.apart(|session| work(&mut Walker { source, session }))
    }

    /// Of the commands since `first`, each only once.
    pub(crate) fn drop_repeated(&mut self, first: usize) {
        let commands = &mut self.session.out.commands;
        let repeated = commands.split_off(first.min(commands.len()));
        for command in repeated {
            let again = commands[first..].iter().any(|earlier| {
                earlier.argv == command.argv
                    && earlier.redirects == command.redirects
                    && earlier.via == command.via
                    && earlier.cwd == command.cwd
                    && earlier.assignments == command.assignments
                    && earlier.pipeline.1 == command.pipeline.1
            });
            if !again {
                commands.push(command);
            }
        }
    }
}

/// Whether what follows in the list runs only if this did not.
fn leaves(stmt: &Stmt) -> bool {
    match &stmt.command {
        Command::Builtin(_) => true,
        Command::Compound(CompoundCommand::BraceGroup(body)) => body.last().is_some_and(leaves),
        _ => false,
    }
}

/// What a loop sets its variable to.
pub(crate) fn value_of(word: &crate::Word) -> Value {
    if word.known {
        Value::Text(word.text.clone())
    } else {
        Value::Unknown
    }
}

/// The words of `break`, `continue`, `return` and `exit`, which the parser keeps apart.
pub(crate) fn builtin_words(builtin: &BuiltinCommand) -> (&'static str, Vec<&shuck_ast::Word>) {
    let (name, first, rest) = match builtin {
        BuiltinCommand::Break(command) => ("break", &command.depth, &command.extra_args),
        BuiltinCommand::Continue(command) => ("continue", &command.depth, &command.extra_args),
        BuiltinCommand::Return(command) => ("return", &command.code, &command.extra_args),
        BuiltinCommand::Exit(command) => ("exit", &command.code, &command.extra_args),
    };
    (name, first.iter().chain(rest).collect())
}
