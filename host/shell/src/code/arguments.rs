//! What a call is given: texts and lists, as far as strings, joins and the home folder go.

use super::calls::Reader;
use super::tokens::Token;
use crate::session::Text;

/// An argument: one text, or a list of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Argument {
    One(Text),
    List(Vec<Text>),
}

impl Reader<'_, '_> {
    /// What the method `name` is called on, where that is a text.
    pub(super) fn object(&self, at: usize, name: &str) -> Option<Argument> {
        if name.starts_with('.') {
            let mut depth = 0usize;
            for open in (0..at).rev() {
                match &self.tokens[open] {
                    Token::Sign(')' | ']') => depth += 1,
                    Token::Sign('(' | '[') => depth = depth.saturating_sub(1),
                    _ => {}
                }
                if depth == 0 {
                    let inside = &self.tokens[open..at];
                    let of_path = matches!(
                        self.tokens.get(open.wrapping_sub(1)),
                        None | Some(Token::Sign(_) | Token::End)
                    ) || matches!(self.tokens.get(open.wrapping_sub(1)), Some(Token::Name(name)) if name.to_lowercase().contains("path") && !name.starts_with('.'));
                    return of_path.then(|| self.argument(inside));
                }
            }
            return None;
        }
        let (object, _) = name.rsplit_once('.')?;
        self.values
            .iter()
            .find(|(known, _)| known == object)
            .map(|(_, value)| value.clone())
    }

    pub(super) fn argument(&self, tokens: &[Token]) -> Argument {
        let bracket = matches!(tokens.first(), Some(Token::Sign('[')))
            || (matches!(tokens.first(), Some(Token::Sign('(' | '{' | '*'))) && tokens.contains(&Token::Sign(',')))
            || (matches!(tokens.first(), Some(Token::Name(name)) if name == "list" || name == "array" || name == "args"));
        if bracket {
            let open = tokens
                .iter()
                .position(|token| matches!(token, Token::Sign('[' | '(' | '{')))
                .map_or(0, |at| at + 1);
            let close = tokens
                .iter()
                .rposition(|token| matches!(token, Token::Sign(']' | ')' | '}')))
                .unwrap_or(tokens.len());
            let items = split(&tokens[open..close.max(open)]);
            return Argument::List(items.into_iter().map(|item| self.text(item)).collect());
        }
        if let [Token::Name(name)] = tokens
            && let Some((_, value)) = self.values.iter().find(|(known, _)| known == name)
        {
            return value.clone();
        }
        // `"rm -rf x".split()`.
        if let [Token::String(text), Token::Sign('.'), Token::Name(split), ..] = tokens
            && split == "split"
        {
            return Argument::List(text.text.split_whitespace().map(Text::known).collect());
        }
        Argument::One(self.text(tokens))
    }

    /// The text of an expression, as far as strings, joins and the home folder go.
    pub(super) fn text(&self, tokens: &[Token]) -> Text {
        let mut out = Text::known("");
        let mut path = false;
        for token in tokens {
            match token {
                Token::String(text) => {
                    out.text.push_str(&text.text);
                    out.known &= text.known;
                }
                Token::Name(name) if is_home(name) => out.text.push('~'),
                Token::Name(name) if is_globbing(name) => {}
                Token::Name(name) if is_joining(name) => path |= !matches!(name.as_str(), "str" | "String"),
                Token::Name(name) => match self.values.iter().find(|(known, _)| known == name) {
                    Some((_, Argument::One(text))) => {
                        out.text.push_str(&text.text);
                        out.known &= text.known;
                    }
                    _ if name.bytes().all(|byte| byte.is_ascii_digit()) => out.text.push_str(name),
                    _ => {
                        out.text
                            .push_str(&format!("${{{}}}", name.trim_start_matches(['$', '.'])));
                        out.known = false;
                    }
                },
                Token::Sign('/') => out.text.push('/'),
                Token::Sign(',') if path => out.text.push('/'),
                Token::Sign('(' | ')' | '[' | ']' | '+' | '.' | '*' | ',') => {}
                Token::Sign(_) | Token::Shell(_) => out.known = false,
                Token::End => {}
            }
        }
        if path {
            out.text = out.text.replace("//", "/");
        }
        out
    }
}

/// The parts between the commas that stand in no bracket.
pub(super) fn split(tokens: &[Token]) -> Vec<&[Token]> {
    let mut parts = Vec::new();
    let mut depth = 0usize;
    let mut from = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.saturating_sub(1),
            Token::Sign(',') if depth == 0 => {
                parts.push(&tokens[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&tokens[from..]);
    parts.retain(|part| part.iter().any(|token| *token != Token::End));
    parts
}

/// `shell=True`, `:secure => true`, `{recursive: true}`, `&1`: says how, not what.
pub(super) fn is_keyword(part: &[Token]) -> bool {
    match part {
        [Token::Name(_), Token::Sign('='), rest @ ..] => rest.first() != Some(&Token::Sign('=')),
        [Token::Sign('{'), Token::Name(name), ..] if name.starts_with("args") => false,
        [Token::Sign('{'), ..] => !matches!(part.get(1), Some(Token::String(_))),
        [Token::Sign('&' | ':'), ..] => true,
        [Token::Name(name), Token::Sign(':'), ..] => name != "args",
        [Token::Name(name)] => matches!(
            name.as_str(),
            "true" | "false" | "True" | "False" | "None" | "null" | "TRUE" | "FALSE"
        ),
        _ => false,
    }
}

fn is_home(name: &str) -> bool {
    matches!(
        name,
        "Path.home" | "pathlib.Path.home" | "os.homedir" | "homedir" | "Dir.home" | "process.env.HOME" | "os.path.home"
    )
}

/// Functions that give the files which a pattern names: the pattern stands for them.
fn is_globbing(name: &str) -> bool {
    matches!(
        name,
        "glob" | "bsd_glob" | "glob.glob" | "glob.iglob" | "iglob" | "Dir.glob" | "globSync" | "fs.globSync"
    )
}

fn is_joining(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name);
    matches!(
        last,
        "join"
            | "Path"
            | "PurePath"
            | "Pathname"
            | "new"
            | "expanduser"
            | "expandvars"
            | "resolve"
            | "abspath"
            | "realpath"
            | "normalize"
            | "absolute"
            | "str"
            | "String"
            | "home"
            | "environ"
            | "getenv"
            | "env"
            | "ENV"
            | "expand_path"
            | "format"
            | "File"
            | "encode"
            | "decode"
            | "strip"
    ) || matches!(name, "$ENV")
}
