//! From the words of the tree to the words that a program gets: quotes, braces, variables, substitutions, fields.
//!
//! A word becomes a row of [`Unit`]s, because what a character means depends on whether it was quoted and on what it
//! came from; braces and then fields are made from that row.

mod ansi;
mod arithmetic;
mod braces;
mod edits;
mod fields;
mod glob;
mod parameter;
mod variables;

use shuck_ast::{ArithmeticExprNode, HeredocBody, HeredocBodyPart, WordPart, WordPartNode};

use crate::Word;
use crate::env::Env;
use crate::misread;
use crate::session::{Session, Stdin, Text, Walk};
use crate::unquote::{Context, each_char};
use crate::walk::Walker;

pub(crate) use ansi::{ansi_c, escapes};
pub(crate) use glob::matches as glob_matches;

/// Words that one command line may expand to.
const MAX_WORDS: usize = 4_096;
/// Rounds of looking at one command, each with other values of its variables.
const MAX_ROUNDS: usize = 16;

/// A piece of a word under expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A character of the source: braces, tilde and globs are live in it.
    Plain(char),
    Quoted(char),
    /// What an unquoted expansion gave: split into fields, then globbed.
    Split(String),
    /// What a quoted expansion gave.
    Whole(String),
    /// The source of what cannot be known.
    Unknown(String),
    /// Between the elements of `"$@"`.
    Break,
    /// `""`: there is a field, though nothing is in it.
    Empty,
}

impl Walker<'_> {
    /// The fields that `words` expand to.
    pub(crate) fn words<'t>(&mut self, words: impl IntoIterator<Item = &'t shuck_ast::Word>) -> Walk<Vec<Word>> {
        let mut fields = Vec::new();
        let mut units = Vec::new();
        let mut end = usize::MAX;
        for word in words {
            self.session.step()?;
            if !misread::is_word(word, self.source) {
                self.misread(word.span.slice(self.source))?;
            }
            let start = word.span.start.offset();
            // The parser sometimes cuts one word in two.
            let continues = start == end && start > 0;
            end = word.span.end.offset();
            if !continues {
                self.flush(&mut units, &mut fields)?;
                if let Some(text) = self.plain(word)
                    && self
                        .source
                        .as_bytes()
                        .get(end)
                        .is_none_or(|next| b" \t\n;|&)".contains(next))
                {
                    fields.push(Word {
                        text: text.into(),
                        known: true,
                        glob: false,
                    });
                    end = usize::MAX;
                    continue;
                }
            }
            self.units(&word.parts, Context::Unquoted, &mut units)?;
        }
        self.flush(&mut units, &mut fields)?;
        Ok(fields)
    }

    fn flush(&mut self, units: &mut Vec<Unit>, fields: &mut Vec<Word>) -> Walk {
        if units.is_empty() {
            return Ok(());
        }
        let units = std::mem::take(units);
        let Some(alternatives) = braces::expand(units) else {
            self.session.incomplete();
            fields.push(Word {
                text: "{…}".into(),
                known: false,
                glob: false,
            });
            return Ok(());
        };
        for units in alternatives {
            self.session.fields(units, fields);
        }
        if fields.len() > MAX_WORDS {
            self.session.incomplete();
            fields.truncate(MAX_WORDS);
        }
        Ok(())
    }

    /// A word that is not split: an assignment, a redirection's target, a `case` word.
    pub(crate) fn single(&mut self, word: &shuck_ast::Word) -> Walk<Word> {
        if let Some(text) = self.plain(word) {
            return Ok(Word {
                text: text.into(),
                known: true,
                glob: false,
            });
        }
        let mut units = Vec::new();
        self.units(&word.parts, Context::Unquoted, &mut units)?;
        Ok(self.session.whole(units))
    }

    /// A word that is a pattern: a backslash stands before what was quoted.
    pub(crate) fn pattern_word(&mut self, word: &shuck_ast::Word) -> Walk<Text> {
        let mut units = Vec::new();
        self.units(&word.parts, Context::Unquoted, &mut units)?;
        let mut text = Text::known("");
        for unit in units {
            match unit {
                Unit::Plain(char) => text.text.push(char),
                Unit::Split(value) => text.text.push_str(&value),
                Unit::Quoted(char) => text.text.extend(['\\', char]),
                Unit::Whole(value) => value.chars().for_each(|char| text.text.extend(['\\', char])),
                Unit::Unknown(source) => {
                    text.known = false;
                    text.text.push_str(&source);
                }
                Unit::Break | Unit::Empty => {}
            }
        }
        Ok(text)
    }

    /// The text of a word in which nothing is to be expanded or unquoted.
    fn plain(&self, word: &shuck_ast::Word) -> Option<&str> {
        let [part] = word.parts.as_slice() else { return None };
        let WordPart::Literal(_) = part.kind else { return None };
        let text = part.span.slice(self.source);
        let active = |byte: u8| b"\\{}~*?[]$`'\"<>(".contains(&byte);
        (!text.is_empty() && !text.bytes().any(active)).then_some(text)
    }

    /// Appends what `parts` expand to.
    pub(crate) fn units(&mut self, parts: &[WordPartNode], context: Context, out: &mut Vec<Unit>) -> Walk {
        let source = self.source;
        parts
            .iter()
            .try_for_each(|part| self.part(part, part.span.slice(source), context, out))
    }

    fn part(&mut self, part: &WordPartNode, source: &str, context: Context, out: &mut Vec<Unit>) -> Walk {
        let quoted = context != Context::Unquoted;
        match &part.kind {
            WordPart::Literal(literal) => {
                let text = if source.is_empty() {
                    literal.as_str(self.source, part.span)
                } else {
                    source
                };
                self.session.literal(text, context, out);
            }
            WordPart::SingleQuoted { value, dollar } => {
                let text = value.slice(self.source);
                let text = if *dollar {
                    ansi_c(ansi_body(source).unwrap_or(text))
                } else {
                    text.to_owned()
                };
                out.push(if text.is_empty() {
                    Unit::Empty
                } else {
                    Unit::Whole(text)
                });
            }
            WordPart::DoubleQuoted { parts, .. } => {
                let before = out.len();
                let whole = self.source;
                for (part, source) in misread::tiles(parts, misread::inside(part, whole), whole) {
                    self.part(part, source, Context::Double, out)?;
                }
                if out.len() == before && !is_all_arguments(parts) {
                    out.push(Unit::Empty);
                }
            }
            WordPart::Variable(name) => {
                let value = self.session.variable(name);
                self.session.push_value(value, name, source, quoted, out);
            }
            WordPart::CommandSubstitution { .. } | WordPart::ProcessSubstitution { .. } => {
                let printed = self.substitution(part.span, source, quoted)?;
                if source.starts_with(['<', '>']) {
                    if source.starts_with('<') {
                        self.session.process_substitutions.push((source.into(), printed));
                    }
                    out.push(Unit::Unknown(source.into()));
                } else {
                    push_printed(printed, source, quoted, out);
                }
            }
            WordPart::ArithmeticExpansion {
                expression_ast,
                expression_word_ast,
                ..
            } => {
                let value = self.arithmetic(source, expression_ast.as_deref(), Some(expression_word_ast))?;
                out.push(match value {
                    Some(value) => Unit::Split(value.to_string()),
                    None => Unit::Unknown(source.into()),
                });
            }
            WordPart::Parameter(parameter) => self.parameter(parameter, source, quoted, out)?,
            _ => {
                self.session.incomplete();
                out.push(Unit::Unknown(source.into()));
            }
        }
        Ok(())
    }

    /// The parser cut `source` in the wrong place: what is in it is at least read naively.
    pub(crate) fn misread(&mut self, source: &str) -> Walk {
        self.session.count(source.len())?;
        crate::naive::read(self.session, source)
    }

    /// Walks what a substitution runs, and tells what it prints. Its body is a script of its own.
    fn substitution(&mut self, span: shuck_ast::Span, source: &str, double_quoted: bool) -> Walk<Text> {
        let Some(extent) = self.session.substitutions.at(span) else {
            // Bash does not see it there, or not to that end.
            self.misread(self.source.get(span.start.offset()..).unwrap_or(source))?;
            return Ok(Text::unknown());
        };
        let body = extent.body(self.source);
        let (via, script) = match source.as_bytes() {
            [b'`', ..] => ("$()", unescaped(body, double_quoted)),
            [b'<', ..] => ("<()", body.into()),
            [b'>', ..] => (">()", body.into()),
            _ => ("$()", body.into()),
        };
        // `>(…)` reads what the command writes.
        let fed = (via == ">()").then(|| Stdin::Fed(Text::unknown()));
        let outer = fed.map(|fed| std::mem::replace(&mut self.session.place.stdin, fed));
        let printed = self
            .session
            .enter_substitution(via, |session| session.script(&Text::known(script)));
        if let Some(outer) = outer {
            self.session.place.stdin = outer;
        }
        printed
    }

    /// The body of a heredoc.
    pub(crate) fn heredoc(&mut self, body: &HeredocBody) -> Walk<Word> {
        let mut units = Vec::new();
        for part in &body.parts {
            let source = part.span.slice(self.source);
            match &part.kind {
                HeredocBodyPart::Literal(literal) => {
                    let text = literal.as_str(self.source, part.span);
                    units.push(Unit::Whole(text.into()));
                }
                HeredocBodyPart::Variable(name) => {
                    let value = self.session.variable(name);
                    self.session.push_value(value, name, source, true, &mut units);
                }
                HeredocBodyPart::CommandSubstitution { .. } => {
                    let printed = self.substitution(part.span, source, false)?;
                    push_printed(printed, source, true, &mut units);
                }
                HeredocBodyPart::ArithmeticExpansion {
                    expression_ast,
                    expression_word_ast,
                    ..
                } => {
                    let value = self.arithmetic(source, expression_ast.as_deref(), Some(expression_word_ast))?;
                    units.push(match value {
                        Some(value) => Unit::Whole(value.to_string()),
                        None => Unit::Unknown(source.into()),
                    });
                }
                HeredocBodyPart::Parameter(parameter) => self.parameter(parameter, source, true, &mut units)?,
            }
        }
        Ok(self.session.whole(units))
    }

    /// An arithmetic command or a part of a `for ((…))`.
    pub(crate) fn arithmetic_text(&mut self, span: Option<shuck_ast::Span>, tree: &Option<ArithmeticExprNode>) -> Walk {
        let Some(span) = span else { return Ok(()) };
        let source = span.slice(self.source);
        if source.trim().is_empty() {
            return Ok(());
        }
        self.arithmetic(source, tree.as_ref(), None).map(drop)
    }
}

impl Session {
    /// Appends source text that stands for itself.
    pub(crate) fn literal(&mut self, text: &str, context: Context, out: &mut Vec<Unit>) {
        let mut hidden = false;
        each_char(
            text,
            context,
            |char, quoted| out.push(if quoted { Unit::Quoted(char) } else { Unit::Plain(char) }),
            || hidden = true,
        );
        if hidden {
            self.incomplete();
        }
    }

    pub(crate) fn enter_substitution(&mut self, via: &str, work: impl FnOnce(&mut Session) -> Walk) -> Walk<Text> {
        let place = self.place.clone();
        self.place.piped = false;
        self.place.redirects.clear();
        self.place.assignments.clear();
        let pins = std::mem::take(&mut self.pins);
        let printed = self.under(via, |session| {
            session.deeper(|session| session.capture(|session| session.apart(work)))
        });
        self.pins = pins;
        self.place = place;
        let mut printed = printed?;
        printed.text.retain(|char| char != '\0');
        while printed.text.ends_with('\n') {
            printed.text.pop();
        }
        Ok(printed)
    }

    /// Runs `work` once for each combination of values that the variables in it may have; how often that was.
    pub(crate) fn each_round(&mut self, mut work: impl FnMut(&mut Session) -> Walk) -> Walk<usize> {
        let outer = std::mem::take(&mut self.pins);
        let mut rounds = 0;
        let start = (!self.env.is_plain()).then(|| self.env.branch());
        let mut ends = Vec::new();
        loop {
            work(self)?;
            rounds += 1;
            if !self.pins.is_empty() || rounds > 1 {
                ends.push(self.env.branch());
            }
            while let Some(pin) = self.pins.last_mut() {
                pin.at += 1;
                if pin.at < pin.of {
                    break;
                }
                self.pins.pop();
            }
            if self.pins.is_empty() {
                break;
            }
            if rounds >= MAX_ROUNDS {
                self.incomplete();
                break;
            }
            match &start {
                Some(start) => self.env.restore(start.clone()),
                None => self.env.restore(Env::default().branch()),
            }
        }
        for end in &ends {
            self.env.join(end);
        }
        self.pins = outer;
        Ok(rounds)
    }
}

/// The body of a backtick substitution, which loses a level of backslashes.
pub(crate) fn unescaped(body: &str, double_quoted: bool) -> String {
    let mut script = String::with_capacity(body.len());
    let mut chars = body.chars().peekable();
    while let Some(char) = chars.next() {
        let escaped = |next: &char| matches!(next, '\\' | '`' | '$') || (double_quoted && *next == '"');
        script.push(chars.next_if(|next| char == '\\' && escaped(next)).unwrap_or(char));
    }
    script
}

/// The text between `$'` and `'`, as it stands in the source.
fn ansi_body(source: &str) -> Option<&str> {
    source.strip_prefix("$'")?.strip_suffix('\'')
}

/// `"$@"` is no field at all where there are no arguments.
fn is_all_arguments(parts: &[WordPartNode]) -> bool {
    matches!(parts, [part] if match &part.kind {
        WordPart::Variable(name) => name.as_str() == "@",
        WordPart::Parameter(_) => true,
        _ => false,
    })
}

fn push_printed(printed: Text, source: &str, quoted: bool, out: &mut Vec<Unit>) {
    out.push(match printed {
        Text { known: false, .. } => Unit::Unknown(source.into()),
        Text { text, .. } if quoted => Unit::Whole(text),
        Text { text, .. } => Unit::Split(text),
    });
}
