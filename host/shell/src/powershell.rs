//! A useful part of PowerShell: statements, pipes, quotes, script blocks, aliases, and what runs text as a command.
//!
//! What is left out makes the analysis incomplete.

use crate::session::{Session, Text, Walk};
use crate::{Redirect, Word};

/// Aliases and cmdlets in their one spelling; the language does not tell case apart.
const CMDLETS: &[(&str, &[&str])] = &[
    ("Remove-Item", &["rm", "del", "erase", "rd", "ri", "rmdir"]),
    ("Get-Content", &["cat", "gc", "type"]),
    ("Get-ChildItem", &["ls", "dir", "gci"]),
    ("Copy-Item", &["cp", "copy", "cpi"]),
    ("Move-Item", &["mv", "move", "mi"]),
    ("Rename-Item", &["ren", "rni"]),
    ("New-Item", &["ni"]),
    ("Set-Content", &["sc"]),
    ("Add-Content", &["ac"]),
    ("Clear-Content", &["clc"]),
    ("Clear-Item", &["cli"]),
    ("Out-File", &[]),
    ("Tee-Object", &["tee"]),
    ("Invoke-WebRequest", &["iwr", "curl", "wget"]),
    ("Invoke-RestMethod", &["irm"]),
    ("Invoke-Expression", &["iex"]),
    ("Invoke-Command", &["icm"]),
    ("Start-Process", &["saps", "start"]),
    ("Stop-Process", &["kill", "spps"]),
    ("Get-Process", &["ps", "gps"]),
    ("Stop-Service", &["spsv"]),
    ("Set-Location", &["cd", "sl", "chdir"]),
    ("Push-Location", &["pushd"]),
    ("Pop-Location", &["popd"]),
    ("Get-Location", &["pwd", "gl"]),
    ("Write-Output", &["echo", "write"]),
    ("Select-String", &["sls"]),
    ("ForEach-Object", &["%", "foreach"]),
    ("Where-Object", &["?", "where"]),
    ("Format-Volume", &[]),
    ("Clear-Disk", &[]),
    ("Initialize-Disk", &[]),
    ("Remove-Partition", &[]),
    ("Stop-Computer", &[]),
    ("Restart-Computer", &[]),
    ("Set-ExecutionPolicy", &[]),
    ("Remove-ItemProperty", &["rp"]),
    ("Set-ItemProperty", &["sp"]),
    ("Get-Item", &["gi"]),
];

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

/// The one spelling of a command's name.
pub(crate) fn canonical(name: &str) -> Option<&'static str> {
    let bare = name.rsplit('\\').next().unwrap_or(name);
    let same = |other: &str| other.eq_ignore_ascii_case(bare);
    CMDLETS
        .iter()
        .find(|(cmdlet, aliases)| same(cmdlet) || aliases.iter().any(|alias| same(alias)))
        .map(|(cmdlet, _)| *cmdlet)
}

/// Verbs of cmdlets, as PowerShell approves them; those that change something, and the commonest of the others.
const VERBS: &[&str] = &[
    "add",
    "clear",
    "complete",
    "convert",
    "copy",
    "disable",
    "dismount",
    "enable",
    "export",
    "format",
    "get",
    "grant",
    "import",
    "initialize",
    "install",
    "invoke",
    "lock",
    "mount",
    "move",
    "new",
    "optimize",
    "out",
    "publish",
    "read",
    "register",
    "remove",
    "rename",
    "repair",
    "reset",
    "resize",
    "restart",
    "restore",
    "resume",
    "revoke",
    "save",
    "send",
    "set",
    "start",
    "stop",
    "submit",
    "suspend",
    "test",
    "unblock",
    "uninstall",
    "unlock",
    "unprotect",
    "unpublish",
    "unregister",
    "update",
    "wait",
    "write",
];

/// `Verb-Noun` of a cmdlet that was written in another case.
fn cased(name: &str) -> Option<String> {
    let (verb, noun) = name.split_once('-')?;
    let verb = verb.to_ascii_lowercase();
    if !VERBS.contains(&verb.as_str()) || noun.is_empty() || !noun.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let upper = |text: &str| text[..1].to_ascii_uppercase() + &text[1..];
    Some(format!("{}-{}", upper(&verb), upper(noun)))
}

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

    fn word(&mut self) -> Walk<Word> {
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
    fn variable(&mut self, word: &mut Word) -> Walk {
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

/// What a command runs that was given to it as text.
fn runs(session: &mut Session, name: &str, argv: &[Word]) -> Walk {
    let operands = || argv[1..].iter().filter(|word| !word.text.starts_with('-'));
    let lower = name.rsplit(['\\', '/']).next().unwrap_or(name).to_ascii_lowercase();
    match lower.trim_end_matches(".exe") {
        "invoke-expression" => {
            let text = operands().next().map_or_else(Text::unknown, |word| Text {
                text: word.text.clone(),
                known: word.known,
            });
            inner(session, "Invoke-Expression", &text)
        }
        "set-location" | "push-location" => {
            session.env.cwd = operands().next().cloned();
            Ok(())
        }
        "start-process" => {
            let argv: Vec<Word> = operands().cloned().collect();
            let mut words = Vec::new();
            for word in argv {
                words.extend(word.text.split_whitespace().map(|text| Word {
                    text: text.into(),
                    ..word.clone()
                }));
            }
            match words.is_empty() {
                true => Ok(()),
                false => session.under("Start-Process", |session| session.emit(words, Vec::new(), Vec::new())),
            }
        }
        "powershell" | "pwsh" => launched(session, argv),
        "cmd" => {
            let Some(at) = argv
                .iter()
                .position(|word| word.text.eq_ignore_ascii_case("/c") || word.text.eq_ignore_ascii_case("/k"))
            else {
                return Ok(());
            };
            let text = crate::wrappers::joined(&argv[at + 1..]);
            if !text.known {
                session.incomplete();
            }
            session.under("cmd /c", |session| crate::cmd::read(session, &text.text))
        }
        "bash" | "sh" | "wsl" => {
            let at = argv
                .iter()
                .position(|word| word.text.starts_with('-') && word.text.ends_with('c'));
            match at.and_then(|at| argv.get(at + 1)) {
                Some(script) => {
                    let script = Text {
                        text: script.text.clone(),
                        known: script.known,
                    };
                    session.under(&format!("{lower} -c"), |session| session.script(&script))
                }
                None => Ok(()),
            }
        }
        _ => Ok(()),
    }
}

/// `powershell -Command …`, `-EncodedCommand …`: options may be shortened as far as they stay clear.
pub(crate) fn launched(session: &mut Session, argv: &[Word]) -> Walk {
    let mut at = 1;
    while let Some(word) = argv.get(at) {
        let option = word.text.trim_start_matches(['-', '/']).to_ascii_lowercase();
        let is_option = word.text.starts_with(['-', '/']) && !option.is_empty();
        at += 1;
        if !is_option {
            at -= 1;
            break;
        }
        if "encodedcommand".starts_with(&option) || option == "ec" {
            let decoded = argv.get(at).and_then(|word| decode_utf16(&word.text));
            return inner(
                session,
                "powershell -EncodedCommand",
                &decoded.map_or_else(Text::unknown, Text::known),
            );
        }
        if "command".starts_with(&option) {
            break;
        }
        if "file".starts_with(&option) {
            return Ok(());
        }
        let valued = [
            "executionpolicy",
            "ep",
            "windowstyle",
            "version",
            "inputformat",
            "outputformat",
            "workingdirectory",
            "configurationname",
        ];
        at += usize::from(valued.iter().any(|name| name.starts_with(&option)) && option != "noninteractive");
    }
    match argv.get(at..) {
        Some(words) if !words.is_empty() => inner(session, "powershell -Command", &crate::wrappers::joined(words)),
        _ => Ok(()),
    }
}

fn inner(session: &mut Session, via: &str, script: &Text) -> Walk {
    if !script.known {
        session.incomplete();
    }
    session.under(via, |session| read(session, &script.text))
}

fn decode_utf16(text: &str) -> Option<String> {
    let bytes = crate::prints::decode_base64(text)?;
    let units: Vec<u16> = bytes
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    String::from_utf16(&units).ok()
}

/// Everything that `command` runs, and whether that is all.
pub(crate) fn line(session: &mut Session, command: &str) -> Walk {
    if command.len() > crate::parse::MAX_SOURCE {
        return crate::naive::read(session, command);
    }
    read(session, command)
}
