//! Calls of known functions among the tokens, and the commands that they amount to.

use super::Language;
use super::arguments::{Argument, is_keyword, split};
use super::effects::{Effect, effect};
use super::tokens::Token;
use crate::session::{Session, Stdin, Text, Walk};

/// Calls that are reported.
const MAX_CALLS: usize = 200;

pub(super) struct Reader<'s, 't> {
    pub(super) session: &'s mut Session,
    pub(super) language: Language,
    pub(super) tokens: &'t [Token],
    /// What names were set to.
    pub(super) values: Vec<(String, Argument)>,
    /// Other names of functions and modules.
    aliases: Vec<(String, String)>,
    pub(super) calls: usize,
}

/// Reports what the calls in `tokens` amount to.
pub(super) fn report(session: &mut Session, language: Language, tokens: &[Token]) -> Walk {
    let mut reader = Reader {
        session,
        language,
        tokens,
        values: Vec::new(),
        aliases: Vec::new(),
        calls: 0,
    };
    reader.read()?;
    let named = |wanted: &str| {
        tokens.iter().any(|token| match token {
            Token::Name(name) => name.split('.').any(|part| part == wanted),
            Token::String(text) => text.text == wanted || text.text.strip_prefix("node:") == Some(wanted),
            _ => false,
        })
    };
    // A module that runs programs, and no call that we know of.
    let suspicious = [
        "child_process",
        "subprocess",
        "pty",
        "ctypes",
        "Open3",
        "__import__",
        "importlib",
    ];
    if reader.calls == 0 && suspicious.iter().any(|module| named(module)) {
        reader.session.incomplete();
    }
    Ok(())
}

impl Reader<'_, '_> {
    fn read(&mut self) -> Walk {
        for at in 0..self.tokens.len() {
            match &self.tokens[at] {
                Token::Shell(text) => {
                    self.calls += 1;
                    self.session.script(text)?;
                }
                Token::Name(name) => {
                    self.alias(at, name);
                    self.assignment(at, name);
                    let name = self.by_its_own_name(name);
                    if effect(self.language, &name) == Some(Effect::Dynamic) {
                        self.session.incomplete();
                    }
                    self.call(at, &name)?;
                    self.handed_on(at, &name)?;
                }
                Token::Sign(']') => {
                    if let Some(name) = self.computed(at) {
                        self.call(at, &name)?;
                    }
                }
                // `os.__dict__["system"](…)`, `cp["exec"](…)`.
                Token::String(text)
                    if self.tokens.get(at + 1) == Some(&Token::Sign(']'))
                        && self.tokens.get(at + 2) == Some(&Token::Sign('(')) =>
                {
                    let name = text.text.clone();
                    self.call(at + 1, &name)?;
                }
                // `print | "sh"`, `"cmd" | getline`.
                Token::String(text) if self.language == Language::Awk && self.is_awk_pipe(at) => {
                    self.calls += 1;
                    let outer = std::mem::replace(&mut self.session.place.stdin, Stdin::Fed(Text::unknown()));
                    self.session.script(text)?;
                    self.session.place.stdin = outer;
                }
                // AppleScript: `do shell script "…"`.
                Token::String(text) if at > 1 && self.is_name(at - 1, "script") && self.is_name(at - 2, "shell") => {
                    self.calls += 1;
                    self.session.script(text)?;
                }
                _ => {}
            }
            if self.calls > MAX_CALLS {
                self.session.incomplete();
                return Ok(());
            }
        }
        Ok(())
    }

    fn is_name(&self, at: usize, wanted: &str) -> bool {
        matches!(self.tokens.get(at), Some(Token::Name(name)) if name == wanted)
    }

    fn is_awk_pipe(&self, at: usize) -> bool {
        let bar = |at: Option<usize>| at.is_some_and(|at| self.tokens.get(at) == Some(&Token::Sign('|')));
        let double = |at: Option<usize>| at.is_some_and(|at| self.tokens.get(at) == Some(&Token::Sign('|')));
        (bar(at.checked_sub(1)) && !double(at.checked_sub(2))) || (bar(Some(at + 1)) && !double(Some(at + 2)))
    }

    /// `import x as y`, `from x import f as g`, `g = x.f`, `{f: g}`.
    fn alias(&mut self, at: usize, name: &str) {
        let name_at = |at: usize| match self.tokens.get(at) {
            Some(Token::Name(name)) => Some(name.as_str()),
            _ => None,
        };
        let other = match (self.tokens.get(at + 1), name_at(at + 2)) {
            (Some(Token::Name(word)), Some(other)) if word == "as" => Some((other, name)),
            (Some(Token::Sign(':')), Some(other)) if self.language == Language::JavaScript => Some((other, name)),
            (Some(Token::Sign('=')), Some(_)) => {
                // The last name before the end, where nothing is called.
                let end = self.statement_end(at + 2);
                name_at(end.saturating_sub(1)).map(|function| (name, function))
            }
            _ => None,
        };
        if let Some((alias, function)) = other
            && (effect(self.language, function).is_some()
                || matches!(function, "subprocess" | "os" | "shutil" | "child_process" | "fs"))
        {
            self.aliases.push((alias.into(), function.into()));
        }
    }

    /// A name with what its first part stands for.
    fn by_its_own_name(&self, name: &str) -> String {
        let (first, rest) = name
            .split_once('.')
            .map_or((name, None), |(first, rest)| (first, Some(rest)));
        match self.aliases.iter().rev().find(|(alias, _)| alias == first) {
            Some((_, original)) => rest.map_or_else(|| original.clone(), |rest| format!("{original}.{rest}")),
            None => name.into(),
        }
    }

    /// `name = "text"`, to the end of the statement; `name += "text"`, `.=` and `<<` add to it.
    fn assignment(&mut self, at: usize, name: &str) {
        let sign = |ahead: usize| match self.tokens.get(at + ahead) {
            Some(Token::Sign(sign)) => *sign,
            _ => ' ',
        };
        if matches!((sign(1), sign(2)), ('+' | '.', '=') | ('<', '<')) {
            let end = self.statement_end(at + 3);
            let more = self.text(&self.tokens[at + 3..end.max(at + 3)]);
            if let Some((_, Argument::One(text))) = self.values.iter_mut().find(|(known, _)| known == name) {
                text.known &= more.known;
                text.text.push_str(&more.text);
                if text.text.len() > crate::parse::MAX_SOURCE {
                    *text = Text::unknown();
                }
            }
            return;
        }
        if self.tokens.get(at + 1) != Some(&Token::Sign('='))
            || matches!(self.tokens.get(at + 2), Some(Token::Sign('=' | '~' | '>')))
        {
            return;
        }
        let end = self.statement_end(at + 2);
        let value = self.argument(&self.tokens[at + 2..end]);
        self.values.retain(|(known, _)| known != name);
        if !matches!(value, Argument::One(Text { known: false, .. })) {
            self.values.push((name.into(), value));
        }
    }

    /// Where the statement that goes on at `from` ends: at its end, or at a bracket that closes before it opens.
    fn statement_end(&self, from: usize) -> usize {
        let mut depth = 0usize;
        for (at, token) in self.tokens.iter().enumerate().skip(from) {
            match token {
                Token::End if depth == 0 => return at,
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Sign(')' | ']' | '}') if depth == 0 => return at,
                Token::Sign(')' | ']' | '}') => depth -= 1,
                Token::Name(name)
                    if depth == 0
                        && at > from
                        && matches!(name.as_str(), "if" | "unless" | "or" | "and" | "do" | "rescue") =>
                {
                    return at;
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    fn call(&mut self, at: usize, name: &str) -> Walk {
        let Some(effect) = effect(self.language, name) else {
            return Ok(());
        };
        // A method of a string or a pattern: not the function of that name.
        if at > 1 && self.tokens[at - 1] == Token::Sign('.') && matches!(self.tokens[at - 2], Token::String(_)) {
            return Ok(());
        }
        if matches!(self.tokens.get(at.wrapping_sub(1)), Some(Token::Name(before)) if matches!(before.as_str(), "def" | "function" | "sub" | "import" | "class"))
        {
            return Ok(());
        }
        let end;
        let from = match self.tokens.get(at + 1) {
            Some(Token::Sign('(')) => {
                end = self.statement_end(at + 2);
                at + 2
            }
            // Ruby and Perl call without brackets.
            Some(Token::String(_) | Token::Name(_) | Token::Sign('[' | '*'))
                if matches!(self.language, Language::Ruby | Language::Perl) =>
            {
                end = self.statement_end(at + 1);
                at + 1
            }
            _ => return Ok(()),
        };
        self.calls += 1;
        self.session.step()?;
        self.session.count(end.saturating_sub(from))?;
        let tokens = &self.tokens[from..end.max(from)];
        let recursive = tokens
            .iter()
            .any(|token| matches!(token, Token::Name(name) if matches!(name.as_str(), "recursive" | "TRUE")));
        let mut arguments: Vec<Argument> = split(tokens)
            .into_iter()
            .filter(|part| !is_keyword(part))
            .map(|part| self.argument(part))
            .collect();
        // Of a method the object is the first argument: `Path("x").unlink()`.
        if matches!(
            effect,
            Effect::Delete
                | Effect::DeleteAll
                | Effect::RemoveFolder
                | Effect::Read
                | Effect::Write
                | Effect::Open
                | Effect::Shell
        ) && let Some(object) = self.object(at, name)
        {
            arguments.insert(0, object);
        }
        self.act(effect, arguments, recursive)
    }
}
