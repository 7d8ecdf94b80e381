//! Calls of known functions among the tokens, and the commands that they amount to.

use super::Language;
use super::effects::{Effect, effect};
use super::tokens::{Token, tokens};
use crate::run::Call;
use crate::session::{Session, Stdin, Text, Walk};
use crate::{Redirect, Word};

/// Calls that are reported.
const MAX_CALLS: usize = 200;

/// An argument: one text, or a list of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Argument {
    One(Text),
    List(Vec<Text>),
}

pub(super) struct Reader<'s, 't> {
    pub(super) session: &'s mut Session,
    pub(super) language: Language,
    pub(super) tokens: &'t [Token],
    /// What names were set to.
    values: Vec<(String, Argument)>,
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

    /// What the method `name` is called on, where that is a text.
    fn object(&self, at: usize, name: &str) -> Option<Argument> {
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

    fn argument(&self, tokens: &[Token]) -> Argument {
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

    pub(super) fn act(&mut self, effect: Effect, arguments: Vec<Argument>, recursive: bool) -> Walk {
        let first = match arguments.first() {
            Some(Argument::One(text)) => text.clone(),
            Some(Argument::List(items)) => items.first().cloned().unwrap_or_else(Text::unknown),
            None => Text::unknown(),
        };
        let flat: Vec<Text> = arguments
            .iter()
            .flat_map(|argument| match argument {
                Argument::One(text) => std::slice::from_ref(text),
                Argument::List(items) => items,
            })
            .cloned()
            .collect();
        let mut words: Vec<Word> = flat.iter().map(word).collect();
        match effect {
            Effect::Shell => match arguments.as_slice() {
                [] => {
                    self.session.incomplete();
                    Ok(())
                }
                // `system("rm", "-rf", "x")` in Ruby and Perl.
                [Argument::One(_), Argument::One(_), ..]
                    if matches!(self.language, Language::Ruby | Language::Perl) =>
                {
                    self.program(words)
                }
                [Argument::List(_), ..] => {
                    let Some(Argument::List(items)) = arguments.first() else {
                        return Ok(());
                    };
                    self.program(items.iter().map(word).collect())
                }
                _ => self.session.script(&first),
            },
            Effect::Program => self.program(words),
            Effect::ProgramAfter(count) => {
                // The path, then the vector with a name of the program's own choosing in front.
                let at = count.min(words.len());
                let program = words.get(at.wrapping_sub(1)).cloned();
                let mut argv = words.split_off(at);
                if let (Some(program), Some(name)) = (program, argv.first_mut()) {
                    *name = program;
                }
                self.program(argv)
            }
            Effect::DeleteAll => self.command(&["rm", "-rf"], words),
            Effect::Delete => self.command(if recursive { &["rm", "-rf"] } else { &["rm"] }, words),
            Effect::RemoveFolder => self.command(&["rmdir"], words),
            Effect::Read => self.command(&["cat"], words.into_iter().take(1).collect()),
            Effect::Write => self.write(word(&first)),
            Effect::Open => {
                let mode = flat.get(1).map_or("r", |mode| mode.text.as_str());
                // Perl opens commands: `open(F, "rm x|")`, `open(F, "-|", "rm x")`.
                if mode.contains('|') && self.language == Language::Perl {
                    let command = flat.get(2).cloned().unwrap_or_else(|| Text {
                        text: mode.trim_matches(['|', '-', ' ']).into(),
                        known: true,
                    });
                    return self.session.script(&command);
                }
                let file = if self.language == Language::Perl && flat.len() > 2 {
                    &flat[2]
                } else {
                    &first
                };
                let file = if self.language == Language::Perl && flat.len() == 2 {
                    &flat[1]
                } else {
                    file
                };
                let bare = Text {
                    text: file.text.trim_start_matches(['<', '>', '+', ' ']).into(),
                    known: file.known,
                };
                if mode.contains(['w', 'a', 'x', '+', '>']) && !mode.starts_with('<') {
                    self.write(word(&bare))
                } else {
                    self.command(&["cat"], vec![word(&bare)])
                }
            }
            Effect::Move => self.command(&["mv"], words),
            Effect::Duplicate => self.command(&["cp", "-r"], words),
            Effect::Mode => self.command(&["chmod"], words.into_iter().rev().collect()),
            Effect::Truncate => self.write(word(&first)),
            Effect::Fetch => self.command(&["curl"], words.into_iter().take(1).collect()),
            Effect::Code => {
                if !first.known || arguments.is_empty() {
                    self.session.incomplete();
                }
                self.session.count(first.text.len())?;
                let (inner, whole) = tokens(self.language, &first.text);
                if !whole {
                    self.session.incomplete();
                }
                let language = self.language;
                self.session.deeper(|session| report(session, language, &inner))
            }
            Effect::Dynamic => {
                self.session.incomplete();
                Ok(())
            }
        }
    }

    fn program(&mut self, argv: Vec<Word>) -> Walk {
        if argv.is_empty() {
            self.session.incomplete();
            return Ok(());
        }
        // A single string may be a whole command line, with a shell or without.
        if let [only] = argv.as_slice()
            && only.text.contains(' ')
        {
            return self.session.script(&Text {
                text: only.text.clone(),
                known: only.known,
            });
        }
        self.session.run(Call {
            argv,
            assignments: Vec::new(),
            redirects: Vec::new(),
            in_shell: false,
        })
    }

    fn command(&mut self, name: &[&str], words: Vec<Word>) -> Walk {
        if words.is_empty() {
            return Ok(());
        }
        let argv = name.iter().map(|name| Word::literal(*name)).chain(words).collect();
        self.session.emit(argv, Vec::new(), Vec::new())
    }

    fn write(&mut self, target: Word) -> Walk {
        let redirect = Redirect {
            operator: ">".into(),
            target,
        };
        self.session.emit(vec![Word::literal(":")], Vec::new(), vec![redirect])
    }
}

fn word(text: &Text) -> Word {
    Word {
        text: text.text.clone(),
        known: text.known,
        glob: false,
    }
}

/// The parts between the commas that stand in no bracket.
fn split(tokens: &[Token]) -> Vec<&[Token]> {
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
fn is_keyword(part: &[Token]) -> bool {
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
