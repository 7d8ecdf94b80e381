//! Functions that are handed on instead of called: `map(os.system, […])`, `[os.system][0](…)`, and names that are put
//! together where they are called: `fs["rm" + "Sync"](…)`.

use super::arguments::Argument;
use super::calls::Reader;
use super::effects::{Effect, effect};
use super::tokens::Token;
use crate::session::Walk;

/// Strings that a function which is handed on is tried with.
const MAX_TRIED: usize = 32;

impl Reader<'_, '_> {
    /// `name` stands where a value stands: whatever text follows may be what it is called with.
    pub(super) fn handed_on(&mut self, at: usize, name: &str) -> Walk {
        let Some(effect) = effect(self.language, name).filter(|effect| {
            matches!(
                effect,
                Effect::Shell | Effect::Program | Effect::DeleteAll | Effect::Delete | Effect::Code
            )
        }) else {
            return Ok(());
        };
        let from = self.statement_start(at);
        let imports = matches!(self.tokens.get(from), Some(Token::Name(word)) if matches!(word.as_str(), "from" | "import" | "use" | "const" | "let" | "var" | "require"));
        if !self.is_value(at, name) || (imports && !name.contains('.')) {
            return Ok(());
        }
        let is_text = |at: &usize| {
            let follows = matches!(self.tokens.get(at + 1), Some(Token::Sign('.' | ':' | ']')));
            let module = *at > 1 && matches!(&self.tokens[at - 2], Token::Name(name) if name == "require");
            // Not the string of a method, a key, an index.
            !module && (!follows || self.is_item(*at))
        };
        let tried = (from..self.tokens.len())
            .filter(is_text)
            .filter_map(|at| match &self.tokens[at] {
                Token::String(text) => Some(text.clone()),
                _ => None,
            });
        let tried: Vec<_> = tried.take(MAX_TRIED).collect();
        if tried.is_empty() {
            self.session.incomplete();
        }
        self.calls += 1;
        tried
            .into_iter()
            .try_for_each(|text| self.act(effect, vec![Argument::One(text)], true))
    }

    /// The last item of a list: `["rm x"]`, not the `["x"]` behind a value.
    fn is_item(&self, at: usize) -> bool {
        let mut open = at;
        while open > 0 && !matches!(self.tokens[open], Token::Sign('[')) {
            open -= 1;
        }
        self.tokens.get(at + 1) == Some(&Token::Sign(']'))
            && !matches!(
                open.checked_sub(1).and_then(|before| self.tokens.get(before)),
                Some(Token::Name(_) | Token::String(_) | Token::Sign(')' | ']'))
            )
    }

    fn statement_start(&self, at: usize) -> usize {
        self.tokens[..at]
            .iter()
            .rposition(|token| *token == Token::End)
            .map_or(0, |end| end + 1)
    }

    fn is_value(&self, at: usize, name: &str) -> bool {
        let before = match at.checked_sub(1).map(|before| &self.tokens[before]) {
            Some(Token::Sign('(' | '[' | ',' | ':')) => true,
            // `require("fs").rmSync`
            Some(Token::Sign(')' | ']')) => name.starts_with('.'),
            _ => false,
        };
        before && matches!(self.tokens.get(at + 1), Some(Token::Sign(',' | ')' | ']' | '}')))
    }

    /// The name that is put together in the brackets which end at `close`, before a call.
    pub(super) fn computed(&self, close: usize) -> Option<String> {
        if self.tokens.get(close + 1) != Some(&Token::Sign('(')) {
            return None;
        }
        let open = self.tokens[..close]
            .iter()
            .rposition(|token| matches!(token, Token::Sign('[' | ']')))
            .filter(|open| self.tokens[*open] == Token::Sign('['))?;
        let inside = &self.tokens[open + 1..close];
        if inside.len() < 2 && !matches!(inside, [Token::Name(_)]) {
            // A single string is read where it stands.
            return None;
        }
        let name = self.text(inside);
        (name.known && !name.text.is_empty()).then_some(name.text)
    }
}
