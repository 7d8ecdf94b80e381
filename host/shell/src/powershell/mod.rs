//! A useful part of PowerShell: statements, pipes, quotes, script blocks, aliases, and what runs text as a command.
//!
//! What is left out makes the analysis incomplete.

mod launched;
mod names;
mod words;

use crate::session::{Session, Walk};
use crate::{Redirect, Word};
use launched::runs;
use names::{canonical, cased};

pub(crate) use launched::launched;

/// Words after which a statement goes on inside brackets and blocks, each looked at for itself.
const CONTROL: &[&str] = &[
    "if", "elseif", "else", "while", "do", "until", "foreach", "for", "try", "catch", "finally", "return",
];
/// Words that begin what is not followed.
const OTHER: &[&str] = &[
    "function",
    "filter",
    "class",
    "switch",
    "trap",
    "workflow",
    "param",
    "enum",
    "using",
    "data",
    "configuration",
];

/// Reports what `source` runs.
pub(crate) fn read(session: &mut Session, source: &str) -> Walk {
    session.deeper(|session| {
        session.count(source.len())?;
        let mut reader = Reader {
            chars: source.chars().collect(),
            at: 0,
            session,
            words: Vec::new(),
            redirects: Vec::new(),
            assigned: false,
        };
        reader.block(None)
    })
}

struct Reader<'s> {
    chars: Vec<char>,
    at: usize,
    session: &'s mut Session,
    words: Vec<Word>,
    redirects: Vec<Redirect>,
    /// Whether the statement's value goes into a variable.
    assigned: bool,
}

impl Reader<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    /// Statements up to `close`, which is passed over.
    fn block(&mut self, close: Option<char>) -> Walk {
        let outer = self.session.place.pipeline;
        let words = std::mem::take(&mut self.words);
        let redirects = std::mem::take(&mut self.redirects);
        self.next_pipeline();
        while let Some(char) = self.peek(0) {
            self.session.step()?;
            if Some(char) == close {
                break;
            }
            match char {
                ' ' | '\t' | '\r' => self.at += 1,
                '`' if matches!(self.peek(1), Some('\n')) => self.at += 2,
                '`' if self.peek(1) == Some('\r') && self.peek(2) == Some('\n') => self.at += 3,
                '\n' | ';' => {
                    self.at += 1;
                    self.end()?;
                    self.next_pipeline();
                }
                '#' => {
                    while self.peek(0).is_some_and(|char| char != '\n') {
                        self.at += 1;
                    }
                }
                '<' if self.peek(1) == Some('#') => {
                    while self.at < self.chars.len() && !(self.peek(0) == Some('#') && self.peek(1) == Some('>')) {
                        self.at += 1;
                    }
                    self.at += 2;
                }
                '|' | '&' if self.peek(1) == Some(char) => {
                    self.at += 2;
                    self.end()?;
                    self.next_pipeline();
                }
                '|' => {
                    self.at += 1;
                    self.end()?;
                    self.session.place.pipeline.1 += 1;
                }
                '&' if self.words.is_empty() => self.at += 1,
                '&' => {
                    self.at += 1;
                    self.end()?;
                    self.next_pipeline();
                }
                '(' => self.bracket(')')?,
                '@' if self.peek(1) == Some('(') => {
                    self.at += 1;
                    self.bracket(')')?;
                }
                '{' => self.bracket('}')?,
                ')' | '}' => {
                    self.session.incomplete();
                    self.at += 1;
                }
                '>' => self.redirect()?,
                '1'..='6' | '*' if self.peek(1) == Some('>') => {
                    self.at += 1;
                    self.redirect()?;
                }
                ',' => self.at += 1,
                '=' if self.words.len() == 1 && self.words[0].text.starts_with('$') => {
                    self.at += 1;
                    self.words.clear();
                    self.assigned = true;
                }
                _ => {
                    let word = self.word()?;
                    self.keyword(word);
                }
            }
        }
        if close.is_some() {
            match self.peek(0) {
                Some(_) => self.at += 1,
                None => self.session.incomplete(),
            }
        }
        self.end()?;
        self.words = words;
        self.redirects = redirects;
        self.session.place.pipeline = outer;
        Ok(())
    }

    fn next_pipeline(&mut self) {
        self.session.place.pipeline = (self.session.next_pipeline, 0);
        self.session.next_pipeline += 1;
    }

    fn keyword(&mut self, word: Word) {
        let lower = word.text.to_ascii_lowercase();
        if self.words.is_empty() && word.known {
            if CONTROL.contains(&lower.as_str())
                && (lower != "foreach" || self.chars[self.at..].iter().find(|char| !char.is_whitespace()) == Some(&'('))
            {
                return;
            }
            if OTHER.contains(&lower.as_str()) {
                self.session.incomplete();
            }
        }
        self.words.push(word);
    }

    /// A bracket or a block: its statements, and a word that stands for its value.
    fn bracket(&mut self, close: char) -> Walk {
        let start = self.at;
        self.at += 1;
        let assigned = std::mem::replace(&mut self.assigned, false);
        let via = if close == '}' { "{}" } else { "()" };
        self.session.place.via.push(via.into());
        let inner = self.nested(close);
        self.session.place.via.pop();
        inner?;
        self.assigned = assigned;
        if !self.words.is_empty() {
            let text: String = self.chars[start..self.at.min(self.chars.len())].iter().collect();
            self.words.push(Word {
                text,
                known: false,
                glob: false,
            });
        }
        Ok(())
    }

    fn nested(&mut self, close: char) -> Walk {
        let (session, chars, at) = (&mut *self.session, std::mem::take(&mut self.chars), self.at);
        let mut end = at;
        let result = session.deeper(|session| {
            let mut reader = Reader {
                chars,
                at,
                session,
                words: Vec::new(),
                redirects: Vec::new(),
                assigned: false,
            };
            let result = reader.block(Some(close));
            end = reader.at;
            self.chars = reader.chars;
            result
        });
        self.at = end;
        result
    }

    fn redirect(&mut self) -> Walk {
        self.at += 1;
        let append = self.peek(0) == Some('>');
        self.at += usize::from(append);
        if self.peek(0) == Some('&') {
            self.at += 2;
            return Ok(());
        }
        while self.peek(0).is_some_and(|char| matches!(char, ' ' | '\t')) {
            self.at += 1;
        }
        let target = self.word()?;
        if !target.text.eq_ignore_ascii_case("$null") {
            self.redirects.push(Redirect {
                operator: if append { ">>".into() } else { ">".into() },
                target,
            });
        }
        Ok(())
    }

    /// Reports the statement that ends here.
    fn end(&mut self) -> Walk {
        let mut argv = std::mem::take(&mut self.words);
        let redirects = std::mem::take(&mut self.redirects);
        let assigned = std::mem::replace(&mut self.assigned, false);
        if argv.first().is_some_and(|word| word.text == ".") {
            argv.remove(0);
        }
        let Some(program) = argv.first().cloned() else {
            return match redirects.is_empty() {
                true => Ok(()),
                false => self
                    .session
                    .emit(vec![Word::literal("Set-Content")], Vec::new(), redirects),
            };
        };
        // A value, not a command: `$x`, `'text'`, `5`.
        if !program.known && program.text.starts_with('$') && argv.len() == 1 && !program.text.contains('(') {
            return Ok(());
        }
        if assigned && (argv.len() == 1 && !program.text.contains('-') && canonical(&program.text).is_none()) {
            return Ok(());
        }
        if program.text.starts_with('[') {
            self.session.incomplete();
            let lower = program.text.to_ascii_lowercase();
            if lower.contains("::delete") {
                argv[0] = Word::literal("Remove-Item");
                return self.session.emit(argv, Vec::new(), redirects);
            }
            return self.session.emit(argv, Vec::new(), redirects);
        }
        if let Some(name) = canonical(&program.text)
            .map(str::to_owned)
            .or_else(|| cased(&program.text))
        {
            argv[0] = Word { text: name, ..program };
        }
        let name = argv[0].text.clone();
        self.session.emit(argv.clone(), Vec::new(), redirects)?;
        runs(self.session, &name, &argv)
    }
}

/// Everything that `command` runs, and whether that is all.
pub(crate) fn line(session: &mut Session, command: &str) -> Walk {
    if command.len() > crate::parse::MAX_SOURCE {
        return crate::naive::read(session, command);
    }
    read(session, command)
}
