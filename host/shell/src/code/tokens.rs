//! Code cut into names, strings and signs. Comments are left out.

use super::Language;
use crate::session::Text;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A name with its dots: `os.path.join`, `FileUtils::rm_rf`, `.unlink` behind a bracket.
    Name(String),
    /// A string; unknown where something is put into it.
    String(Text),
    /// A string that is run: backticks, `qx(…)`, `%x(…)`.
    Shell(Text),
    Sign(char),
    /// The end of a statement.
    End,
}

/// Tokens that are looked at.
const MAX_TOKENS: usize = 8_000;

/// The tokens of `code`, and whether all of it could be read.
pub(super) fn tokens(language: Language, code: &str) -> (Vec<Token>, bool) {
    let mut reader = Reader {
        language,
        chars: code.chars().collect(),
        at: 0,
        out: Vec::new(),
    };
    let whole = reader.read();
    (reader.out, whole)
}

struct Reader {
    language: Language,
    chars: Vec<char>,
    at: usize,
    out: Vec<Token>,
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn read(&mut self) -> bool {
        use Language::{JavaScript, Lua, Perl, Php, Ruby};
        let mut whole = true;
        while let Some(char) = self.peek(0) {
            if self.out.len() >= MAX_TOKENS {
                return false;
            }
            match char {
                '#' if !matches!(self.language, JavaScript | Lua) => self.skip_line(),
                '/' if self.peek(1) == Some('/') && matches!(self.language, JavaScript | Php) => self.skip_line(),
                '-' if self.peek(1) == Some('-') && self.language == Lua => self.skip_line(),
                '/' if self.peek(1) == Some('*') && matches!(self.language, JavaScript | Php) => {
                    while self.at < self.chars.len() && !(self.peek(0) == Some('*') && self.peek(1) == Some('/')) {
                        self.at += 1;
                    }
                    self.at += 2;
                }
                '/' if matches!(self.language, JavaScript | Ruby | Perl | Language::Awk) && self.operand_expected() => {
                    // A regular expression.
                    whole &= self.delimited('/').is_some();
                    self.out.push(Token::String(Text::unknown()));
                }
                '\'' | '"' => whole &= self.string(char, ""),
                '`' => whole &= self.backticks(),
                '\n' | ';' => {
                    self.at += 1;
                    self.out.push(Token::End);
                }
                '%' if self.language == Ruby && self.operand_expected() => {
                    let kind = self.peek(1).filter(|char| char.is_ascii_alphabetic());
                    let open = self.at + 1 + usize::from(kind.is_some());
                    match self.chars.get(open) {
                        Some(open_char) if open_char.is_ascii_punctuation() => {
                            self.at = open;
                            whole &= self.quoted_like(if kind == Some('x') { "qx" } else { "q" });
                        }
                        _ => self.sign(),
                    }
                }
                _ if char.is_alphanumeric() || matches!(char, '_' | '$' | '@') => whole &= self.name(),
                '.' | ':'
                    if self.out.last() == Some(&Token::Sign(')')) || self.out.last() == Some(&Token::Sign(']')) =>
                {
                    whole &= self.name();
                }
                '-' if self.peek(1) == Some('>') => {
                    // A method, in Perl and PHP.
                    self.at += 2;
                    if self.peek(0).is_some_and(|char| char.is_alphabetic() || char == '_') {
                        let mut name = String::from(".");
                        self.name_into(&mut name);
                        self.out.push(Token::Name(name));
                    }
                }
                _ if char.is_whitespace() => self.at += 1,
                _ => self.sign(),
            }
        }
        whole
    }

    fn sign(&mut self) {
        if let Some(char) = self.peek(0) {
            self.out.push(Token::Sign(char));
        }
        self.at += 1;
    }

    fn skip_line(&mut self) {
        while self.peek(0).is_some_and(|char| char != '\n') {
            self.at += 1;
        }
    }

    /// Whether a value may stand here, so that `/` begins an expression and `%` a string.
    fn operand_expected(&self) -> bool {
        match self.out.last() {
            None | Some(Token::End) => true,
            Some(Token::Sign(sign)) => !matches!(sign, ')' | ']' | '}'),
            Some(Token::Name(name)) => matches!(
                name.as_str(),
                "return" | "and" | "or" | "not" | "if" | "unless" | "puts" | "print" | "split"
            ),
            _ => false,
        }
    }

    fn name_into(&mut self, name: &mut String) {
        while let Some(char) = self.peek(0) {
            let part = char.is_alphanumeric() || matches!(char, '_' | '$' | '@');
            let joins = match char {
                '.' => !matches!(self.language, Language::Perl | Language::Php),
                ':' => self.peek(1) == Some(':') || name.ends_with('.'),
                '\\' => self.language == Language::Php,
                _ => false,
            };
            let follows = |next: char| next.is_alphabetic() || matches!(next, '_' | '$' | ':');
            let dot = joins && self.peek(1).is_some_and(follows);
            if !part && !dot {
                break;
            }
            // `::` and `.` are the same to us.
            let char = if char == ':' || char == '\\' { '.' } else { char };
            if !(char == '.' && name.ends_with('.')) {
                name.push(char);
            }
            self.at += 1;
        }
    }

    fn name(&mut self) -> bool {
        let mut name = String::new();
        self.name_into(&mut name);
        if name.is_empty() {
            self.sign();
            return true;
        }
        let quote = self.peek(0).filter(|char| matches!(char, '\'' | '"'));
        let prefix = name.to_lowercase();
        if let (Language::Python, Some(quote)) = (self.language, quote)
            && matches!(prefix.as_str(), "r" | "b" | "f" | "u" | "rb" | "br" | "fr" | "rf")
        {
            return self.string(quote, &prefix);
        }
        if self.language == Language::Perl {
            let delimiter = self.chars[self.at..].iter().find(|char| !char.is_whitespace()).copied();
            let opens =
                delimiter.is_some_and(|char| char.is_ascii_punctuation() && !matches!(char, ',' | ';' | ')' | '='));
            if matches!(name.as_str(), "q" | "qq" | "qx" | "qw") && opens {
                while self.peek(0).is_some_and(char::is_whitespace) {
                    self.at += 1;
                }
                return self.quoted_like(&name);
            }
            if matches!(name.as_str(), "m" | "qr" | "s" | "tr" | "y") && delimiter == self.peek(0) && opens {
                let open = delimiter.unwrap_or('/');
                let twice = !matches!(name.as_str(), "m" | "qr");
                let mut read = self.delimited(open).is_some();
                if twice && read {
                    // The second part shares a delimiter that is no bracket.
                    if closing(open) == open {
                        self.at -= 1;
                    }
                    let with = self.delimited(self.peek(0).unwrap_or('/'));
                    let flags: String = self.chars[self.at..]
                        .iter()
                        .take_while(|char| char.is_alphabetic())
                        .collect();
                    self.at += flags.len();
                    read = with.is_some() && !flags.contains('e');
                }
                return read;
            }
        }
        self.out.push(Token::Name(name));
        true
    }

    /// The text between delimiters, of which the first is at hand.
    fn delimited(&mut self, open: char) -> Option<String> {
        let close = closing(open);
        let mut text = String::new();
        let mut depth = 1;
        self.at += 1;
        while let Some(char) = self.peek(0) {
            self.at += 1;
            if char == '\\' {
                text.push(char);
                text.extend(self.peek(0));
                self.at += 1;
                continue;
            }
            if char == close && (close == open || depth == 1) {
                return Some(text);
            }
            depth += i32::from(char == open) - i32::from(char == close);
            text.push(char);
        }
        None
    }

    /// `q(…)`, `qq(…)`, `qx(…)`, `%w[…]` from their delimiter on.
    fn quoted_like(&mut self, kind: &str) -> bool {
        let Some(text) = self.peek(0).and_then(|open| self.delimited(open)) else {
            return false;
        };
        let known = kind == "q" || !self.interpolates(&text);
        if kind == "qw" {
            self.out.push(Token::Sign('['));
            for word in text.split_whitespace() {
                self.out.push(Token::String(Text::known(word)));
                self.out.push(Token::Sign(','));
            }
            self.out.push(Token::Sign(']'));
            return true;
        }
        let text = Text { text, known };
        self.out.push(if kind == "qx" {
            Token::Shell(text)
        } else {
            Token::String(text)
        });
        true
    }

    fn string(&mut self, quote: char, prefix: &str) -> bool {
        let triple = self.language == Language::Python && self.peek(1) == Some(quote) && self.peek(2) == Some(quote);
        self.at += if triple { 3 } else { 1 };
        let mut text = String::new();
        loop {
            let Some(char) = self.peek(0) else {
                self.out.push(Token::String(Text { text, known: false }));
                return false;
            };
            let ends = char == quote && (!triple || (self.peek(1) == Some(quote) && self.peek(2) == Some(quote)));
            if ends {
                self.at += if triple { 3 } else { 1 };
                break;
            }
            text.push(char);
            self.at += 1;
            if char == '\\' {
                text.extend(self.peek(0));
                self.at += 1;
            }
        }
        let plain = quote == '\'' && matches!(self.language, Language::Ruby | Language::Perl | Language::Php);
        let known = if self.language == Language::Python {
            !prefix.contains('f') || !text.contains('{')
        } else {
            plain || !self.interpolates(&text)
        };
        let text = if prefix.contains('r') {
            text
        } else if plain {
            text.replace("\\'", "'").replace("\\\\", "\\")
        } else {
            crate::expand::ansi_c(&text)
        };
        self.out.push(Token::String(Text { text, known }));
        true
    }

    fn backticks(&mut self) -> bool {
        let Some(text) = self.delimited('`') else { return false };
        let known = !self.interpolates(&text);
        let tagged = matches!(self.out.last(), Some(Token::Name(name)) if name == "$" || name.ends_with(".$"));
        let runs = self.language != Language::JavaScript || tagged;
        let text = Text {
            text: crate::expand::ansi_c(&text),
            known,
        };
        self.out
            .push(if runs { Token::Shell(text) } else { Token::String(text) });
        true
    }

    fn interpolates(&self, text: &str) -> bool {
        match self.language {
            Language::JavaScript => text.contains("${"),
            Language::Ruby => text.contains("#{"),
            Language::Perl => text.contains(['$', '@']),
            Language::Php => text.contains('$'),
            Language::Other => text.contains('$'),
            Language::Python | Language::Awk | Language::Lua => false,
        }
    }
}

fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => other,
    }
}
