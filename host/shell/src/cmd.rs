//! A useful part of cmd.exe: commands, pipes, quotes, carets, variables, and what runs text as a command.

use crate::session::{Session, Text, Walk};
use crate::{Redirect, Word};

/// Reports what `source` runs.
pub(crate) fn read(session: &mut Session, source: &str) -> Walk {
    session.deeper(|session| {
        session.count(source.len())?;
        let outer = session.place.pipeline;
        let mut reader = Reader {
            chars: source.chars().collect(),
            at: 0,
            words: Vec::new(),
            redirects: Vec::new(),
        };
        let result = reader.read(session);
        session.place.pipeline = outer;
        result
    })
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    words: Vec<Word>,
    redirects: Vec<Redirect>,
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn read(&mut self, session: &mut Session) -> Walk {
        next_pipeline(session);
        while let Some(char) = self.peek(0) {
            session.step()?;
            match char {
                '&' | '\n' | '(' | ')' => {
                    self.at += 1;
                    self.end(session)?;
                    next_pipeline(session);
                }
                '|' => {
                    let or = self.peek(1) == Some('|');
                    self.at += if or { 2 } else { 1 };
                    self.end(session)?;
                    if or {
                        next_pipeline(session);
                    } else {
                        session.place.pipeline.1 += 1;
                    }
                }
                '>' | '<' => self.redirect(),
                '0'..='9' if self.peek(1) == Some('>') => {
                    self.at += 1;
                    self.redirect();
                }
                '@' if self.words.is_empty() => self.at += 1,
                _ if char.is_whitespace() || matches!(char, ',' | ';') => self.at += 1,
                _ => {
                    let word = self.word(session);
                    self.words.push(word);
                }
            }
        }
        self.end(session)
    }

    fn redirect(&mut self) {
        let mut operator = String::new();
        while let Some(char) = self.peek(0).filter(|char| matches!(char, '>' | '<')) {
            operator.push(char);
            self.at += 1;
        }
        if self.peek(0) == Some('&') {
            self.at += 2;
            return;
        }
        while self.peek(0).is_some_and(char::is_whitespace) {
            self.at += 1;
        }
        let mut target = Word::literal("");
        self.text(&mut target);
        if !target.text.eq_ignore_ascii_case("nul") {
            self.redirects.push(Redirect { operator, target });
        }
    }

    fn word(&mut self, session: &mut Session) -> Word {
        let from = self.at;
        let mut word = Word::literal("");
        if !self.text(&mut word) {
            session.incomplete();
        }
        if self.at == from {
            self.at += 1;
        }
        word
    }

    /// Appends the text at hand; false where a quote does not end.
    fn text(&mut self, word: &mut Word) -> bool {
        let mut quoted = false;
        while let Some(char) = self.peek(0) {
            match char {
                '"' => {
                    quoted = !quoted;
                    self.at += 1;
                }
                '^' if !quoted => {
                    self.at += 1;
                    if let Some(next) = self.peek(0) {
                        if next != '\n' && next != '\r' {
                            word.text.push(next);
                        }
                        self.at += 1;
                    }
                }
                '%' | '!' => self.variable(char, word),
                '\n' | '\r' => return !quoted,
                _ if !quoted
                    && (char.is_whitespace() || matches!(char, '&' | '|' | '<' | '>' | '(' | ')' | ',' | ';')) =>
                {
                    return true;
                }
                _ => {
                    word.glob |= matches!(char, '*' | '?');
                    word.text.push(char);
                    self.at += 1;
                }
            }
        }
        !quoted
    }

    fn variable(&mut self, sign: char, word: &mut Word) {
        let rest = &self.chars[self.at + 1..];
        let end = rest.iter().position(|char| *char == sign);
        let name: Option<String> = end.map(|end| rest[..end].iter().collect());
        match name.filter(|name| !name.is_empty() && !name.contains([' ', '\\', '"', '\n'])) {
            Some(name) => {
                self.at += name.chars().count() + 2;
                match name.to_ascii_lowercase().as_str() {
                    "userprofile" | "home" | "homedrive%%homepath" => word.text.push('~'),
                    "cd" => word.text.push('.'),
                    _ => {
                        word.text.push_str(&format!("{sign}{name}{sign}"));
                        word.known = false;
                    }
                }
            }
            None => {
                word.known &= sign != '%';
                word.text.push(sign);
                self.at += 1;
            }
        }
    }

    fn end(&mut self, session: &mut Session) -> Walk {
        let words = std::mem::take(&mut self.words);
        let redirects = std::mem::take(&mut self.redirects);
        report(session, words, redirects)
    }
}

fn next_pipeline(session: &mut Session) {
    session.place.pipeline = (session.next_pipeline, 0);
    session.next_pipeline += 1;
}

/// Words of one command that are looked at.
const MAX_WORDS: usize = 512;

/// Reports one command; `if`, `for`, `call` and `start` are taken off it.
fn report(session: &mut Session, mut words: Vec<Word>, redirects: Vec<Redirect>) -> Walk {
    if words.len() > MAX_WORDS {
        session.incomplete();
        words.truncate(MAX_WORDS);
    }
    session.deeper(|session| without_prefix(session, words, redirects))
}

fn without_prefix(session: &mut Session, words: Vec<Word>, redirects: Vec<Redirect>) -> Walk {
    let Some(first) = words.first() else {
        return match redirects.is_empty() {
            true => Ok(()),
            false => session.emit(vec![Word::literal("type")], Vec::new(), redirects),
        };
    };
    let name = first.text.rsplit('\\').next().unwrap_or("").to_ascii_lowercase();
    let name = name.trim_end_matches(".exe").to_owned();
    let rest = |from: usize| words.get(from..).unwrap_or(&[]).to_vec();
    match name.as_str() {
        "rem" => Ok(()),
        _ if name.starts_with("::") => Ok(()),
        "call" | "else" | "do" => report(session, rest(1), redirects),
        "start" => {
            let from = words
                .iter()
                .skip(1)
                .position(|word| !word.text.starts_with('/'))
                .map_or(words.len(), |at| at + 1);
            session.under("start", |session| report(session, rest(from), redirects))
        }
        "if" | "for" => {
            // What follows the condition or the list cannot be told from it: each word may begin the command.
            session.incomplete();
            let at = words.iter().position(|word| word.text.eq_ignore_ascii_case("do"));
            let at = at.map_or_else(
                || {
                    words.len().min(
                        if words.get(1).is_some_and(|word| {
                            word.text.eq_ignore_ascii_case("exist") || word.text.eq_ignore_ascii_case("defined")
                        }) {
                            3
                        } else {
                            2
                        },
                    )
                },
                |at| at + 1,
            );
            report(session, rest(at), redirects)
        }
        "cmd" => {
            let at = words
                .iter()
                .position(|word| matches!(word.text.to_ascii_lowercase().as_str(), "/c" | "/k" | "/r"));
            match at {
                Some(at) => {
                    let script = crate::wrappers::joined(&words[at + 1..]);
                    if !script.known {
                        session.incomplete();
                    }
                    session.under("cmd /c", |session| read(session, &script.text))
                }
                None => session.emit(words, Vec::new(), redirects),
            }
        }
        "powershell" | "pwsh" => {
            session.emit(words.clone(), Vec::new(), redirects)?;
            crate::powershell::launched(session, &words)
        }
        "bash" | "sh" | "wsl" => {
            session.emit(words.clone(), Vec::new(), redirects)?;
            match words
                .iter()
                .position(|word| word.text == "-c")
                .and_then(|at| words.get(at + 1))
            {
                Some(script) => {
                    let script = Text {
                        text: script.text.clone(),
                        known: script.known,
                    };
                    session.under(&format!("{name} -c"), |session| session.script(&script))
                }
                None => Ok(()),
            }
        }
        "cd" | "chdir" | "pushd" => {
            session.env.cwd = words[1..].iter().find(|word| !word.text.starts_with('/')).cloned();
            session.emit(words, Vec::new(), redirects)
        }
        "erase" | "rmdir" => {
            let canonical = if name == "erase" { "del" } else { "rd" };
            let mut words = words.clone();
            words[0].text = canonical.into();
            session.emit(words, Vec::new(), redirects)
        }
        _ => {
            let mut words = words.clone();
            if matches!(
                name.as_str(),
                "del" | "rd" | "format" | "copy" | "move" | "type" | "echo"
            ) {
                words[0].text = name;
            }
            session.emit(words, Vec::new(), redirects)
        }
    }
}

/// Everything that `command` runs, and whether that is all.
pub(crate) fn line(session: &mut Session, command: &str) -> Walk {
    if command.len() > crate::parse::MAX_SOURCE {
        return crate::naive::read(session, command);
    }
    read(session, command)
}
