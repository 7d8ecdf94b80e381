//! Words: quotes, here-strings and variables.

use super::Reader;
use crate::Word;
use crate::session::Walk;

impl Reader<'_> {
    pub(super) fn word(&mut self) -> Walk<Word> {
        let mut word = Word {
            text: String::new(),
            known: true,
            glob: false,
        };
        let from = self.at;
        while let Some(char) = self.peek(0) {
            match char {
                '\'' => self.single_quoted(&mut word),
                '"' => self.double_quoted(&mut word)?,
                '@' if matches!(self.peek(1), Some('\'' | '"'))
                    && self.peek(2).is_some_and(|char| matches!(char, '\n' | '\r')) =>
                {
                    self.here_string(&mut word)?;
                }
                '`' => {
                    self.at += 2;
                    word.text.extend(self.chars.get(self.at - 1));
                }
                '$' => self.variable(&mut word)?,
                ' ' | '\t' | '\n' | '\r' | ';' | '|' | '&' | '(' | ')' | '{' | '}' | '>' | ',' => break,
                '=' if word.text.starts_with('$') => break,
                _ => {
                    word.glob |= matches!(char, '*' | '?' | '[') && !word.text.is_empty() || char == '*';
                    word.text.push(char);
                    self.at += 1;
                }
            }
        }
        if self.at == from {
            self.at += 1;
        }
        Ok(word)
    }

    fn single_quoted(&mut self, word: &mut Word) {
        self.at += 1;
        while let Some(char) = self.peek(0) {
            self.at += 1;
            if char == '\'' {
                if self.peek(0) != Some('\'') {
                    return;
                }
                self.at += 1;
            }
            word.text.push(char);
        }
        self.session.incomplete();
    }

    fn double_quoted(&mut self, word: &mut Word) -> Walk {
        self.at += 1;
        while let Some(char) = self.peek(0) {
            match char {
                '"' if self.peek(1) == Some('"') => {
                    word.text.push('"');
                    self.at += 2;
                }
                '"' => {
                    self.at += 1;
                    return Ok(());
                }
                '`' => {
                    let escaped = match self.peek(1) {
                        Some('n') => Some('\n'),
                        Some('t') => Some('\t'),
                        Some('r') => Some('\r'),
                        other => other,
                    };
                    word.text.extend(escaped);
                    self.at += 2;
                }
                '$' => self.variable(word)?,
                _ => {
                    word.text.push(char);
                    self.at += 1;
                }
            }
        }
        self.session.incomplete();
        Ok(())
    }

    fn here_string(&mut self, word: &mut Word) -> Walk {
        let quote = self.peek(1).unwrap_or('\'');
        self.at += 2;
        while self.peek(0).is_some_and(|char| char != '\n') {
            self.at += 1;
        }
        self.at += 1;
        let from = self.at;
        while self.at < self.chars.len() {
            if self.chars[self.at] == quote
                && self.peek(1) == Some('@')
                && (self.at == from || self.chars[self.at - 1] == '\n')
            {
                let text: String = self.chars[from..self.at].iter().collect();
                word.known &= quote == '\'' || !text.contains('$');
                word.text.push_str(text.trim_end_matches(['\n', '\r']));
                self.at += 2;
                return Ok(());
            }
            self.at += 1;
        }
        self.session.incomplete();
        Ok(())
    }

    /// `$x`, `${x}`, `$env:X`, `$(…)`.
    pub(super) fn variable(&mut self, word: &mut Word) -> Walk {
        let from = self.at;
        self.at += 1;
        if self.peek(0) == Some('(') {
            let words = std::mem::take(&mut self.words);
            self.bracket(')')?;
            self.words = words;
        } else if self.peek(0) == Some('{') {
            while self.peek(0).is_some_and(|char| char != '}') {
                self.at += 1;
            }
            self.at += 1;
        } else {
            while self.peek(0).is_some_and(|char| {
                char.is_alphanumeric() || matches!(char, '_' | '?') || (char == ':' && self.peek(1) != Some(':'))
            }) {
                self.at += 1;
            }
        }
        let source: String = self.chars[from..self.at.min(self.chars.len())].iter().collect();
        let name = source
            .trim_start_matches(['$', '{'])
            .trim_end_matches('}')
            .to_ascii_lowercase();
        match name.as_str() {
            "home" | "env:userprofile" | "env:home" | "env:homepath" => word.text.push('~'),
            "pwd" => word.text.push('.'),
            "null" | "true" | "false" => word.text.push_str(&source),
            _ => {
                word.text.push_str(&source);
                word.known = false;
            }
        }
        Ok(())
    }
}
