//! The view of a command that `if` rules are tested against: each simple command as one line of text.
//!
//! Unlike [`crate::analyze`] nothing is expanded and no wrapper is taken off, because the agent's own matching does
//! neither; what its parser gives up on is `too_complex`, and then every rule runs.

use shuck_ast::{
    Assignment, AssignmentValue, BuiltinCommand, Command, CompoundCommand, ConditionalExpr, DeclOperand, Pattern,
    PatternPart, Redirect, RedirectTarget, Stmt, StmtSeq, WordPart, WordPartNode,
};

use crate::extent::Substitutions;
use crate::misread;
use crate::parse::{Refusal, Stack, parse, with_enough_stack};
use crate::unquote::{Context, unquote};

/// Characters of a command beyond which the agent does not look at it.
const MAX_CHARS: usize = 10_000;
/// Substitutions inside each other that are read on the caller's stack.
const SHALLOW: u32 = 8;

/// What `if` rules see of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simple {
    /// The words of each simple command joined by one space: leading assignments and redirections removed, quotes
    /// taken off, nothing expanded. Commands inside `$(…)` and backticks stand beside the one that holds them; a
    /// bare `xargs` is taken off in a further entry.
    pub commands: Vec<String>,
    /// True where an argument holds a command substitution, or is an unquoted variable whose value is not known.
    pub has_substitution_or_unknown_var: bool,
    /// True where the command is outside the small grammar in which `commands` can be relied on.
    pub too_complex: bool,
}

/// The simple commands of a bash command line, as the agent's `if` rules are tested against them.
pub fn simple_commands(command: &str) -> Simple {
    let too_complex = || Simple {
        too_complex: true,
        ..Simple::default()
    };
    if command.chars().count() > MAX_CHARS {
        return too_complex();
    }
    let read = |text: &str| {
        with_enough_stack(|stack| {
            let mut out = Simple::default();
            read_script(text, stack, 0, &mut out)?;
            Ok(out)
        })
    };
    match read(command) {
        Ok(simple) => simple,
        // An unterminated quote is read as if it ended with the command.
        Err(Refusal::NotClean) => ['\'', '"']
            .iter()
            .find_map(|quote| read(&format!("{command}{quote}")).ok())
            .unwrap_or_else(too_complex),
        Err(_) => too_complex(),
    }
}

/// The commands of a command line, or of the body of a substitution `depth` levels down.
fn read_script(source: &str, stack: Stack, depth: u32, out: &mut Simple) -> Walk {
    if stack == Stack::Callers && depth >= SHALLOW {
        return Err(Refusal::NeedsStack);
    }
    let (substitutions, blank) = Substitutions::of(source).ok_or(Refusal::NotClean)?;
    let file = parse(&blank, stack)?;
    let mut reader = Reader {
        source,
        stack,
        depth,
        substitutions,
        out,
    };
    reader.sequence(&file.body)?;
    let lost = reader.substitutions.lost().next().is_some();
    out.too_complex |= lost;
    Ok(())
}

struct Reader<'s> {
    source: &'s str,
    stack: Stack,
    depth: u32,
    substitutions: Substitutions,
    out: &'s mut Simple,
}

type Walk = Result<(), Refusal>;

impl Reader<'_> {
    fn sequence(&mut self, sequence: &StmtSeq) -> Walk {
        sequence.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Walk {
        self.redirects(&stmt.redirects)?;
        match &stmt.command {
            Command::Binary(binary) => {
                self.stmt(&binary.left)?;
                self.stmt(&binary.right)
            }
            Command::Compound(compound) => self.compound(compound),
            Command::Function(_) | Command::AnonymousFunction(_) => self.complex(),
            command => {
                if let Some(words) = self.words(command)? {
                    self.emit(&words);
                }
                Ok(())
            }
        }
    }

    fn compound(&mut self, compound: &CompoundCommand) -> Walk {
        match compound {
            CompoundCommand::If(command) => {
                self.sequence(&command.condition)?;
                self.sequence(&command.then_branch)?;
                for (condition, body) in &command.elif_branches {
                    self.sequence(condition)?;
                    self.sequence(body)?;
                }
                command.else_branch.iter().try_for_each(|body| self.sequence(body))
            }
            CompoundCommand::For(command) => {
                for word in command.words.iter().flatten() {
                    self.word(word)?;
                }
                self.sequence(&command.body)
            }
            CompoundCommand::While(command) => {
                self.sequence(&command.condition)?;
                self.sequence(&command.body)
            }
            CompoundCommand::Until(command) => {
                self.sequence(&command.condition)?;
                self.sequence(&command.body)
            }
            CompoundCommand::Subshell(body) => {
                let first = self.out.commands.len();
                self.sequence(body)?;
                // Where the folder is absolute it is known, and so are the commands that run in it.
                let moves = |command: &String| {
                    matches!(command.split(' ').next(), Some("cd" | "pushd" | "popd")) && !command.starts_with("cd /")
                };
                if self.out.commands[first..].iter().any(moves) {
                    self.complex()?;
                }
                Ok(())
            }
            CompoundCommand::Time(command) => {
                let Some(stmt) = &command.command else {
                    return self.complex();
                };
                self.redirects(&stmt.redirects)?;
                match self.words(&stmt.command)? {
                    Some(mut words) if !matches!(stmt.command, Command::Binary(_) | Command::Compound(_)) => {
                        words.insert(
                            0,
                            if command.posix_format {
                                "time -p".into()
                            } else {
                                "time".into()
                            },
                        );
                        self.emit(&words);
                        Ok(())
                    }
                    _ => self.complex(),
                }
            }
            CompoundCommand::Conditional(command) => self.conditional(&command.expression),
            _ => self.complex(),
        }
    }

    /// The words of a command without assignments; none where it has no words.
    fn words(&mut self, command: &Command) -> Result<Option<Vec<String>>, Refusal> {
        let (assignments, mut words, args): (_, Vec<String>, Vec<&shuck_ast::Word>) = match command {
            Command::Simple(simple) => {
                let mut words = Vec::new();
                if !simple.name.span.slice(self.source).is_empty() {
                    if has_expansion(&simple.name.parts) {
                        self.complex()?;
                    }
                    words.push(self.word(&simple.name)?);
                }
                (&simple.assignments, words, simple.args.iter().collect())
            }
            Command::Builtin(builtin) => {
                let (name, assignments, first, rest) = match builtin {
                    BuiltinCommand::Break(command) => {
                        ("break", &command.assignments, &command.depth, &command.extra_args)
                    }
                    BuiltinCommand::Continue(command) => {
                        ("continue", &command.assignments, &command.depth, &command.extra_args)
                    }
                    BuiltinCommand::Return(command) => {
                        ("return", &command.assignments, &command.code, &command.extra_args)
                    }
                    BuiltinCommand::Exit(command) => ("exit", &command.assignments, &command.code, &command.extra_args),
                };
                (assignments, vec![name.into()], first.iter().chain(rest).collect())
            }
            Command::Decl(decl) => {
                self.assignments(&decl.assignments, true)?;
                let mut words = vec![decl.variant.to_string()];
                for operand in &decl.operands {
                    match operand {
                        DeclOperand::Flag(word) | DeclOperand::Dynamic(word) => {
                            words.push(self.word(word)?);
                        }
                        DeclOperand::Name(name) => words.push(name.span.slice(self.source).into()),
                        DeclOperand::Assignment(assignment) => {
                            let AssignmentValue::Scalar(value) = &assignment.value else {
                                return self.complex().map(|()| None);
                            };
                            let value = self.word(value)?;
                            words.push(format!("{}={value}", assignment.target.name));
                        }
                    }
                }
                return Ok(Some(words));
            }
            _ => return Ok(None),
        };
        self.assignments(assignments, !words.is_empty())?;
        for word in args {
            words.push(self.word(word)?);
        }
        Ok((!words.is_empty()).then_some(words))
    }

    /// A substitution in a leading assignment is extracted, and counts as no argument.
    fn assignments(&mut self, assignments: &[Assignment], before_command: bool) -> Walk {
        let had = self.out.has_substitution_or_unknown_var;
        for assignment in assignments {
            let AssignmentValue::Scalar(value) = &assignment.value else {
                return self.complex();
            };
            if assignment.target.subscript.is_some() {
                return self.complex();
            }
            if before_command && has_unknown_variable(&value.parts) {
                self.complex()?;
            }
            self.word(value)?;
        }
        self.out.has_substitution_or_unknown_var = had;
        Ok(())
    }

    fn redirects(&mut self, redirects: &[Redirect]) -> Walk {
        for redirect in redirects {
            match &redirect.target {
                RedirectTarget::Heredoc(heredoc) if !heredoc.delimiter.raw.has_quoted_parts() => {
                    let raw = heredoc.delimiter.raw.span.slice(self.source);
                    if !raw.contains(['\\', '\'', '"']) {
                        self.complex()?;
                    }
                }
                RedirectTarget::Heredoc(_) => {}
                RedirectTarget::Word(word) => {
                    if has_unknown_variable(&word.parts) {
                        self.complex()?;
                    }
                    self.word(word)?;
                }
            }
        }
        Ok(())
    }

    fn conditional(&mut self, expression: &ConditionalExpr) -> Walk {
        match expression {
            ConditionalExpr::Binary(binary) => {
                self.conditional(&binary.left)?;
                self.conditional(&binary.right)
            }
            ConditionalExpr::Unary(unary) => self.conditional(&unary.expr),
            ConditionalExpr::Parenthesized(inner) => self.conditional(&inner.expr),
            ConditionalExpr::Word(word) | ConditionalExpr::Regex(word) => self.word(word).map(drop),
            ConditionalExpr::Pattern(pattern) => self.pattern(pattern),
            ConditionalExpr::VarRef(reference) if reference.subscript.is_some() => self.complex(),
            ConditionalExpr::VarRef(_) => Ok(()),
        }
    }

    fn pattern(&mut self, pattern: &Pattern) -> Walk {
        for part in &pattern.parts {
            match &part.kind {
                PatternPart::Group { patterns, .. } => {
                    patterns.iter().try_for_each(|pattern| self.pattern(pattern))?;
                }
                PatternPart::Word(word) => {
                    self.word(word)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A word without its quotes.
    fn word(&mut self, word: &shuck_ast::Word) -> Result<String, Refusal> {
        if word.brace_syntax.iter().any(|brace| brace.expands()) || !misread::is_word(word, self.source) {
            self.complex()?;
        }
        let (mut text, alone) = (String::new(), word.parts.len() == 1);
        for part in &word.parts {
            self.part(part, part.span.slice(self.source), alone, Context::Unquoted, &mut text)?;
        }
        Ok(text)
    }

    fn part(&mut self, part: &WordPartNode, source: &str, alone: bool, context: Context, text: &mut String) -> Walk {
        match &part.kind {
            WordPart::Literal(literal) => {
                let syntax = if source.is_empty() {
                    literal.as_str(self.source, part.span)
                } else {
                    source
                };
                if unquote(syntax, context, text).is_err() {
                    self.complex()?;
                }
            }
            WordPart::SingleQuoted { value, dollar: false } => text.push_str(value.slice(self.source)),
            WordPart::DoubleQuoted { parts, dollar: false } => {
                for (part, source) in misread::tiles(parts, misread::inside(part, self.source), self.source) {
                    self.part(part, source, false, Context::Double, text)?;
                }
            }
            WordPart::CommandSubstitution { .. } => {
                self.out.has_substitution_or_unknown_var = true;
                match self.substitutions.at(part.span) {
                    Some(extent) => {
                        let body = extent.body(self.source);
                        // Backticks lose a level of backslashes.
                        if source.starts_with('`') && body.contains('\\') {
                            self.complex()?;
                        }
                        read_script(body, self.stack, self.depth + 1, self.out)?;
                    }
                    None => self.complex()?,
                }
                text.push_str(source);
            }
            WordPart::ArithmeticExpansion { .. }
                if source
                    .strip_prefix("$((")
                    .and_then(|rest| rest.strip_suffix("))"))
                    .is_some_and(plain_arithmetic) =>
            {
                text.push_str(source);
            }
            WordPart::Variable(_) | WordPart::Parameter(_) if matches!(source, "$HOME" | "${HOME}") => {
                text.push_str(source);
            }
            WordPart::Variable(_) if alone => {
                self.out.has_substitution_or_unknown_var = true;
                text.push_str(source);
            }
            WordPart::Parameter(parameter) if alone && is_plain(parameter) => {
                self.out.has_substitution_or_unknown_var = true;
                text.push_str(source);
            }
            _ => self.complex()?,
        }
        Ok(())
    }

    fn emit(&mut self, words: &[String]) {
        if let [xargs, rest @ ..] = words
            && xargs == "xargs"
            && rest.first().is_some_and(|word| !word.starts_with('-'))
        {
            self.out.commands.push(rest.join(" "));
        }
        self.out.commands.push(words.join(" "));
    }

    fn complex(&mut self) -> Walk {
        self.out.too_complex = true;
        Ok(())
    }
}

fn plain_arithmetic(expression: &str) -> bool {
    !expression.contains(['$', '`', '[', '\'', '"'])
}

fn is_plain(parameter: &shuck_ast::ParameterExpansion) -> bool {
    use shuck_ast::BourneParameterExpansion::Access;
    matches!(parameter.bourne(), Some(Access { reference }) if reference.subscript.is_none())
}

fn has_expansion(parts: &[WordPartNode]) -> bool {
    parts.iter().any(|part| match &part.kind {
        WordPart::Literal(_) | WordPart::SingleQuoted { .. } => false,
        WordPart::DoubleQuoted { parts, .. } => has_expansion(parts),
        _ => true,
    })
}

fn has_unknown_variable(parts: &[WordPartNode]) -> bool {
    parts.iter().any(|part| match &part.kind {
        WordPart::Literal(_) | WordPart::SingleQuoted { .. } | WordPart::CommandSubstitution { .. } => false,
        WordPart::DoubleQuoted { parts, .. } => has_unknown_variable(parts),
        WordPart::Variable(name) => name.as_str() != "HOME",
        _ => true,
    })
}
