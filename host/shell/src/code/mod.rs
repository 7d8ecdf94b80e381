//! Code that an interpreter is given on the command line or on its input: what it deletes, reads, writes and runs, where
//! that stands there in literal strings.
//!
//! No language is parsed here. Strings, names and brackets are told apart, calls of known functions are looked for, and
//! code that could do more than was found makes the analysis incomplete.

mod acts;
mod arguments;
mod calls;
mod effects;
mod tokens;
mod values;

use crate::run::Call;
use crate::session::{Session, Stdin, Text, Walk};
use crate::shells::is_stdin;
use crate::wrappers::option_of;

/// A family of languages, as far as strings, comments and calls go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Python,
    JavaScript,
    Ruby,
    Perl,
    Php,
    Awk,
    Lua,
    /// R, Julia, Groovy, AppleScript: double-quoted strings and calls.
    Other,
}

/// How an interpreter is told its code.
struct Interpreter {
    name: &'static str,
    language: Language,
    /// Short options that are followed by code; they may end a cluster (`perl -pe`).
    code: &'static str,
    long: &'static [&'static str],
    /// Short options that take another value.
    valued: &'static str,
}

const INTERPRETERS: &[Interpreter] = &[
    Interpreter {
        name: "python",
        language: Language::Python,
        code: "c",
        long: &[],
        valued: "WXmQ",
    },
    Interpreter {
        name: "pypy",
        language: Language::Python,
        code: "c",
        long: &[],
        valued: "WXmQ",
    },
    Interpreter {
        name: "ipython",
        language: Language::Python,
        code: "c",
        long: &[],
        valued: "m",
    },
    Interpreter {
        name: "node",
        language: Language::JavaScript,
        code: "ep",
        long: &["--eval", "--print"],
        valued: "rC",
    },
    Interpreter {
        name: "nodejs",
        language: Language::JavaScript,
        code: "ep",
        long: &["--eval", "--print"],
        valued: "rC",
    },
    Interpreter {
        name: "bun",
        language: Language::JavaScript,
        code: "ep",
        long: &["--eval", "--print"],
        valued: "r",
    },
    Interpreter {
        name: "tsx",
        language: Language::JavaScript,
        code: "ep",
        long: &["--eval", "--print"],
        valued: "r",
    },
    Interpreter {
        name: "ts-node",
        language: Language::JavaScript,
        code: "ep",
        long: &["--eval", "--print"],
        valued: "rOP",
    },
    Interpreter {
        name: "ruby",
        language: Language::Ruby,
        code: "e",
        long: &[],
        valued: "IrCEFKW",
    },
    Interpreter {
        name: "jruby",
        language: Language::Ruby,
        code: "e",
        long: &[],
        valued: "IrCEFKW",
    },
    Interpreter {
        name: "perl",
        language: Language::Perl,
        code: "eE",
        long: &[],
        valued: "IMmFCD",
    },
    Interpreter {
        name: "php",
        language: Language::Php,
        code: "rBRE",
        long: &["--run"],
        valued: "dcfzt",
    },
    Interpreter {
        name: "lua",
        language: Language::Lua,
        code: "e",
        long: &[],
        valued: "l",
    },
    Interpreter {
        name: "luajit",
        language: Language::Lua,
        code: "e",
        long: &[],
        valued: "lj",
    },
    Interpreter {
        name: "Rscript",
        language: Language::Other,
        code: "e",
        long: &[],
        valued: "",
    },
    Interpreter {
        name: "julia",
        language: Language::Other,
        code: "eE",
        long: &["--eval", "--print"],
        valued: "JCpLit",
    },
    Interpreter {
        name: "groovy",
        language: Language::Other,
        code: "e",
        long: &[],
        valued: "cDp",
    },
    Interpreter {
        name: "osascript",
        language: Language::Other,
        code: "e",
        long: &[],
        valued: "ls",
    },
];

/// Looks into the code that `name` is given; false where it is no interpreter, or given none.
pub(crate) fn run(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    if matches!(name, "awk" | "gawk" | "mawk" | "nawk" | "original-awk") {
        return awk(session, name, call);
    }
    if name == "deno" && call.argv.get(1).is_some_and(|word| word.text == "eval") {
        session.report(call.clone())?;
        if let Some(code) = call.argv[2..].iter().find(|word| !word.text.starts_with('-')) {
            let code = Text {
                text: code.text.clone(),
                known: code.known,
            };
            session.code(Language::JavaScript, "deno eval", &code, call)?;
        }
        return Ok(true);
    }
    let bare = name.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
    let Some(interpreter) = INTERPRETERS.iter().find(|interpreter| interpreter.name == bare) else {
        return Ok(false);
    };
    let argv = &call.argv;
    session.report(call.clone())?;
    let mut at = 1;
    let mut given = false;
    while let Some(word) = argv
        .get(at)
        .filter(|word| word.text.starts_with('-') && word.text.len() > 1)
    {
        let text = word.text.as_str();
        at += 1;
        if text == "--" {
            break;
        }
        let (option, attached) = match text.split_once('=') {
            Some((option, value)) if text.starts_with("--") => (option, Some(value)),
            _ => (text, None),
        };
        let (is_code, attached) = if text.starts_with("--") {
            (interpreter.long.contains(&option), attached)
        } else {
            cluster(interpreter, text)
        };
        if !is_code {
            if !text.starts_with("--") {
                at += option_of(argv, at - 1, interpreter.valued, &[]).0 - 1;
            }
            continue;
        }
        given = true;
        let code = match attached {
            Some(code) => Text {
                text: code.into(),
                known: word.known,
            },
            None => {
                at += 1;
                argv.get(at - 1).map_or_else(Text::unknown, |word| Text {
                    text: word.text.clone(),
                    known: word.known,
                })
            }
        };
        session.code(
            interpreter.language,
            &format!("{bare} -{}", &interpreter.code[..1]),
            &code,
            call,
        )?;
        if interpreter.language == Language::Python {
            return Ok(true);
        }
    }
    if given {
        return Ok(true);
    }
    let operand = argv.get(at);
    let code = match operand {
        Some(word) if crate::shells::is_descriptor(&word.text) => Some(Text::unknown()),
        Some(word) if !is_stdin(&word.text) => session
            .process_substitution(&word.text)
            .or_else(|| session.written(&word.text)),
        // `python -m json.tool` reads data.
        _ if argv
            .iter()
            .any(|word| word.text == "-m" || word.text == "--version" || word.text == "-V") =>
        {
            None
        }
        _ => match &session.place.stdin {
            Stdin::Fed(text) => Some(text.clone()),
            _ => None,
        },
    };
    if let Some(code) = code {
        session.code(interpreter.language, &format!("{bare} -"), &code, call)?;
    }
    Ok(true)
}

/// Whether a cluster of short options ends in one that takes code, and the code that is written right behind it.
fn cluster<'t>(interpreter: &Interpreter, text: &'t str) -> (bool, Option<&'t str>) {
    for (index, letter) in text.char_indices().skip(1) {
        if interpreter.code.contains(letter) {
            let rest = &text[index + letter.len_utf8()..];
            // `node -pe`: both take the same code.
            if rest.is_empty() || rest.chars().all(|letter| interpreter.code.contains(letter)) {
                return (true, None);
            }
            return (true, Some(rest));
        }
        if interpreter.valued.contains(letter) {
            return (false, None);
        }
    }
    (false, None)
}

fn awk(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    session.report(call.clone())?;
    let argv = &call.argv;
    let mut at = 1;
    let mut found = false;
    while let Some(word) = argv
        .get(at)
        .filter(|word| word.text.starts_with('-') && word.text.len() > 1)
    {
        let text = word.text.as_str();
        let (takes, value) = option_of(
            argv,
            at,
            "Fvfeil",
            &["--source", "--field-separator", "--assign", "--file"],
        );
        if let Some(code) = value.filter(|_| matches!(text, "-e" | "--source")) {
            found = true;
            let code = Text {
                text: code.text.clone(),
                known: code.known,
            };
            session.code(Language::Awk, name, &code, call)?;
        }
        let attached = text.strip_prefix("-f").filter(|file| !file.is_empty());
        let file = match text {
            "-f" | "--file" => value.map(|file| file.text.as_str()),
            _ => attached,
        };
        if let Some(code) = file.and_then(|file| session.written(file)) {
            session.code(Language::Awk, name, &code, call)?;
        }
        found |= text.starts_with("-f") || text.starts_with("--file");
        at += takes;
        if text == "--" {
            break;
        }
    }
    if let Some(code) = argv.get(at).filter(|_| !found) {
        // What the shell puts into a program is most often a number or a name.
        let code = Text {
            text: code.text.clone(),
            known: true,
        };
        session.code(Language::Awk, name, &code, call)?;
    }
    Ok(true)
}

impl Session {
    /// Reports what `code` does, as reached by `via`.
    pub(crate) fn code(&mut self, language: Language, via: &str, code: &Text, call: &Call) -> Walk {
        if !code.known {
            self.incomplete();
        }
        self.count(code.text.len())?;
        let (tokens, whole) = tokens::tokens(language, &code.text);
        if !whole {
            self.incomplete();
        }
        let outer = self.place.redirects.len();
        self.place.redirects.extend(call.redirects.iter().cloned());
        self.apart(|session| {
            session.env.args = Some(Vec::new().into());
            session.deeper(|session| session.under(via, |session| calls::report(session, language, &tokens)))
        })?;
        self.place.redirects.truncate(outer);
        Ok(())
    }
}
