//! What the shell itself does: `cd`, `eval`, `exec`, `trap`, `source`, `read`, `set`, `alias` and their kind.

use crate::Word;
use crate::env::Value;
use crate::run::Call;
use crate::session::{Session, Stdin, Text, Walk};
use crate::shells::{is_stdin, run_script};
use crate::walk::value_of;
use crate::wrappers::joined;

/// Does what the builtin `name` does; false where the call is still to be looked at as a program.
pub(crate) fn run(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    let argv = &call.argv;
    match name {
        "cd" | "chdir" | "pushd" | "popd" => {
            session.emit(argv.clone(), call.assignments.clone(), call.redirects.clone())?;
            change_directory(session, name, argv);
            Ok(true)
        }
        "command" | "builtin" | "exec" | "nocorrect" | "noglob" => prefix(session, name, call),
        "eval" => {
            let words = argv.get(1..).unwrap_or(&[]);
            let words = if words.first().is_some_and(|word| word.text == "--") {
                &words[1..]
            } else {
                words
            };
            let script = joined(words);
            if !script.known {
                session.emit(argv.clone(), call.assignments.clone(), call.redirects.clone())?;
            }
            in_shell(session, "eval", &script, call)?;
            Ok(true)
        }
        "trap" => {
            let words: Vec<&Word> = argv[1..].iter().filter(|word| word.text != "--").collect();
            session.report(call.clone())?;
            if let [action, _, ..] = words[..]
                && !action.text.starts_with('-')
            {
                let script = Text {
                    text: action.text.clone(),
                    known: action.known,
                };
                session.apart(|session| in_shell(session, "trap", &script, &call.tail(0)))?;
            }
            Ok(true)
        }
        "source" | "." => source(session, name, call),
        "alias" => {
            for word in &argv[1..] {
                match word.text.split_once('=') {
                    Some((alias, value)) if word.known => session.env.aliases.push((alias.into(), value.into())),
                    Some(_) => session.incomplete(),
                    None => {}
                }
            }
            session.report(call.clone())?;
            Ok(true)
        }
        "export" | "declare" | "typeset" | "local" | "readonly" | "let" | "unset" | "test" | "[" => {
            // A subscript in any of these is evaluated.
            for word in &argv[1..] {
                if name == "let" || word.text.contains('[') || integer(argv) {
                    session.evaluate(&word.text)?;
                }
                if name == "unset" && !word.text.starts_with('-') {
                    session.env.set(&word.text, Value::Unset);
                } else if let Some((variable, value)) = word.text.split_once('=')
                    && matches!(name, "export" | "declare" | "typeset" | "local" | "readonly")
                    && session.env.values(variable).is_empty()
                    && !value.starts_with('(')
                {
                    let value = Word {
                        text: value.into(),
                        ..word.clone()
                    };
                    session.env.set(variable, value_of(&value));
                }
            }
            attributes(session, name, argv);
            nameref(session, argv);
            report_quietly(session, call)
        }
        "read" | "mapfile" | "readarray" => read(session, name, call),
        "printf" => {
            if let [_, flag, variable, rest @ ..] = argv.as_slice()
                && flag.text == "-v"
            {
                session.evaluate(&variable.text)?;
                let inner = Call {
                    argv: [&[Word::literal("printf")], rest].concat(),
                    ..call.clone()
                };
                let printed = crate::prints::printed(session, &inner);
                let value = if printed.known {
                    Value::Text(printed.text)
                } else {
                    Value::Unknown
                };
                session.env.set(&variable.text, value);
                return report_quietly(session, call);
            }
            Ok(false)
        }
        "set" => {
            let from = argv.iter().position(|word| word.text == "--").map(|at| at + 1);
            let from = from.or_else(|| (argv.len() > 1 && !argv[1].text.starts_with(['-', '+'])).then_some(1));
            if let Some(from) = from {
                session.env.args = Some(argv[from..].into());
            }
            report_quietly(session, call)
        }
        "shift" => {
            let count = argv
                .get(1)
                .map_or(Some(1), |word| word.text.parse::<usize>().ok().filter(|_| word.known));
            session.env.args = match (session.env.args.take(), count) {
                (Some(args), Some(count)) => Some(args.get(count.min(args.len())..).unwrap_or(&[]).into()),
                _ => None,
            };
            report_quietly(session, call)
        }
        "getopts" => {
            if let Some(word) = argv.get(2) {
                session.env.set(&word.text, Value::Unknown);
            }
            report_quietly(session, call)
        }
        "hash" => {
            // `hash -p /bin/rm x`: from here on `x` is rm.
            if let [_, flag, path, names @ ..] = argv.as_slice()
                && flag.text == "-p"
            {
                for name in names {
                    session.env.aliases.push((name.text.clone(), path.text.clone().into()));
                }
            }
            report_quietly(session, call)
        }
        "complete" | "compgen" => {
            if let Some(at) = argv.iter().position(|word| word.text == "-C") {
                let script = argv.get(at + 1).map(|word| Text {
                    text: word.text.clone(),
                    known: word.known,
                });
                if let Some(script) = script {
                    in_shell(session, &format!("{name} -C"), &script, &call.tail(0))?;
                }
            }
            report_quietly(session, call)
        }
        "enable" | "fc" | "bind" => {
            // Loads code, or runs what is not in sight.
            if argv
                .iter()
                .any(|word| matches!(word.text.as_str(), "-f" | "-s" | "-x" | "-e"))
            {
                session.incomplete();
            }
            report_quietly(session, call)
        }
        _ => Ok(false),
    }
}

/// Reports a builtin that prints nothing.
fn report_quietly(session: &mut Session, call: &Call) -> Walk<bool> {
    session.emit(call.argv.clone(), call.assignments.clone(), call.redirects.clone())?;
    Ok(true)
}

fn integer(argv: &[Word]) -> bool {
    argv.get(1)
        .is_some_and(|word| word.text.starts_with('-') && word.text.contains('i'))
}

/// `declare -l x` changes what is put into `x` later on.
fn attributes(session: &mut Session, name: &str, argv: &[Word]) {
    let flags: String = argv[1..]
        .iter()
        .filter(|word| word.text.starts_with('-'))
        .map(|word| word.text.as_str())
        .collect();
    if !matches!(name, "declare" | "typeset" | "local" | "readonly") || !flags.contains(['l', 'u', 'c', 'i']) {
        return;
    }
    for word in argv[1..].iter().filter(|word| !word.text.starts_with('-')) {
        let (variable, value) = word
            .text
            .split_once('=')
            .map_or((word.text.as_str(), None), |(name, value)| (name, Some(value)));
        session.odd.push(variable.into());
        let value = match value {
            Some(value) if word.known && flags.contains('l') => Value::Text(value.to_lowercase()),
            Some(value) if word.known && flags.contains('u') => Value::Text(value.to_uppercase()),
            _ => Value::Unknown,
        };
        session.env.set(variable, value);
    }
}

/// `declare -n x=y` makes `x` another name of `y`: what it is worth later is unknown.
fn nameref(session: &mut Session, argv: &[Word]) {
    if argv
        .get(1)
        .is_some_and(|word| word.text.starts_with('-') && word.text.contains('n'))
    {
        for word in &argv[2..] {
            if let Some((name, target)) = word.text.split_once('=') {
                let values = session.env.values(target).to_vec();
                session.env.set_all(
                    name,
                    if values.is_empty() {
                        vec![Value::Unknown]
                    } else {
                        values
                    },
                );
            }
        }
    }
}

/// A script in this very shell: it sees and changes all of its state.
fn in_shell(session: &mut Session, via: &str, script: &Text, call: &Call) -> Walk {
    let before = session.out.commands.len();
    let outer = session.place.redirects.len();
    session.place.redirects.extend(call.redirects.iter().cloned());
    session.under(via, |session| session.script(script))?;
    session.place.redirects.truncate(outer);
    if session.out.commands.len() == before && !call.argv.is_empty() {
        session.emit(call.argv.clone(), call.assignments.clone(), call.redirects.clone())?;
    }
    Ok(())
}

/// `command`, `builtin`, `exec`: options, then the command.
fn prefix(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    let mut at = 1;
    while let Some(word) = call
        .argv
        .get(at)
        .filter(|word| word.text.starts_with('-') && word.text.len() > 1)
    {
        let text = word.text.as_str();
        at += 1;
        if text == "--" {
            break;
        }
        if name == "command" && text.contains(['v', 'V']) {
            // Only says where the command is.
            return report(session, call);
        }
        if name == "exec" && text.ends_with('a') {
            at += 1;
        }
    }
    if at >= call.argv.len() {
        return report(session, call);
    }
    let mut inner = call.tail(at);
    let builtin = name != "exec";
    inner.in_shell = false;
    session.under(name, |session| {
        let program = inner.argv[0].clone();
        // Functions are passed over, builtins are not.
        if builtin && program.known && run(session, &program.text, &inner)? {
            return Ok(());
        }
        session.run(inner)
    })?;
    Ok(true)
}

fn report(session: &mut Session, call: &Call) -> Walk<bool> {
    session.report(call.clone())?;
    Ok(true)
}

fn change_directory(session: &mut Session, name: &str, argv: &[Word]) {
    let operands: Vec<&Word> = argv[1..]
        .iter()
        .filter(|word| word.text == "-" || !word.text.starts_with('-'))
        .collect();
    let unknown = |text: &str| {
        Some(Word {
            text: text.into(),
            known: false,
            glob: false,
        })
    };
    session.env.cwd = match (name, operands.first()) {
        ("popd", _) | ("pushd", None) => unknown("popd"),
        (_, None) => Some(match session.env.values("HOME") {
            [Value::Text(home)] => Word::literal(home.clone()),
            _ => Word::literal("~"),
        }),
        (_, Some(word)) if word.text == "-" || word.text.starts_with(['+']) => unknown("-"),
        (_, Some(word)) => Some(join(session.env.cwd.as_ref(), word)),
    };
}

/// `path` as seen from `base`.
fn join(base: Option<&Word>, path: &Word) -> Word {
    let rooted = path.text.starts_with(['/', '~']) || (!path.known && path.text.starts_with('$'));
    match base {
        Some(base) if !rooted && path.text != "." => Word {
            text: format!("{}/{}", base.text.trim_end_matches('/'), path.text),
            known: base.known && path.known,
            glob: base.glob || path.glob,
        },
        Some(base) if !rooted => base.clone(),
        _ => path.clone(),
    }
}

fn source(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    let words = call.argv.get(1..).unwrap_or(&[]);
    let words = if words.first().is_some_and(|word| word.text == "--") {
        &words[1..]
    } else {
        words
    };
    let Some(file) = words.first() else { return Ok(false) };
    let script = if crate::shells::is_descriptor(&file.text) && !is_stdin(&file.text) {
        Some(crate::shells::here_text(call))
    } else if is_stdin(&file.text) {
        match &session.place.stdin {
            Stdin::Fed(text) => Some(text.clone()),
            _ => None,
        }
    } else {
        session
            .process_substitution(&file.text)
            .or_else(|| session.written(&file.text))
    };
    let Some(script) = script else {
        if !file.known {
            session.incomplete();
        }
        return report(session, call);
    };
    if !script.known {
        session.emit(call.argv.clone(), call.assignments.clone(), call.redirects.clone())?;
    }
    in_shell(session, name, &script, call)?;
    Ok(true)
}

fn read(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    let argv = &call.argv;
    let mut at = 1;
    let mut callback = None;
    let mut array = name != "read";
    while let Some(word) = argv.get(at).filter(|word| word.text.starts_with('-')) {
        let options = if name == "read" { "adinNptu" } else { "CcdnOsu" };
        let (takes, value) = crate::wrappers::option_of(argv, at, options, &[]);
        let text = word.text.as_str();
        if name != "read" && text.starts_with("-C") {
            callback = value.cloned().or_else(|| {
                Some(Word {
                    text: text[2..].into(),
                    ..word.clone()
                })
            });
        }
        if name == "read" && text.ends_with('a') {
            array = true;
            at += 1;
            break;
        }
        at += takes;
    }
    let mut names: Vec<String> = argv
        .get(at..)
        .unwrap_or(&[])
        .iter()
        .map(|word| word.text.clone())
        .collect();
    if names.is_empty() {
        names.push(if name == "read" {
            "REPLY".into()
        } else {
            "MAPFILE".into()
        });
    }
    for name in &names {
        session.evaluate(name)?;
    }
    // Other separators, delimiters and lengths than the usual cut the text elsewhere.
    let options = &argv[1..at.min(argv.len())];
    let given = |letters: &[char]| {
        options
            .iter()
            .any(|word| word.text.starts_with('-') && word.text.contains(letters))
    };
    let whole_lines = names.len() == 1 && session.env.values("IFS") == [Value::Text(String::new())];
    let usual = (session.env.values("IFS").is_empty() || whole_lines) && !given(&['d', 'n', 'N', 'u', 'i', 's', 'O']);
    let raw = name != "read" || given(&['r']);
    let fed = match &session.place.stdin {
        Stdin::Fed(text) if text.known && usual => Some(if raw {
            text.text.clone()
        } else {
            text.text.replace("\\\n", "").replace('\\', "")
        }),
        _ => None,
    };
    match (fed, array) {
        (Some(text), true) => {
            let items = match name {
                "read" => text
                    .lines()
                    .next()
                    .unwrap_or("")
                    .split_whitespace()
                    .map(str::to_owned)
                    .collect(),
                _ => text.lines().map(str::to_owned).collect(),
            };
            session.env.set(&names[0], Value::List(items));
        }
        (Some(text), false) => {
            // A loop reads one line after the other: every line is a possible value.
            let lines: Vec<&str> = text.lines().take(8).collect();
            let last = names.len() - 1;
            for (index, name) in names.iter().enumerate() {
                let values = lines.iter().map(|line| {
                    let mut words = line.split_whitespace();
                    let value = match index {
                        _ if last == 0 => line.trim().to_owned(),
                        _ if index == last => words.skip(index).collect::<Vec<_>>().join(" "),
                        _ => words.nth(index).unwrap_or("").to_owned(),
                    };
                    Value::Text(value)
                });
                let mut values: Vec<Value> = values.collect();
                if values.is_empty() {
                    values.push(Value::Unset);
                }
                session.env.set_all(name, values);
            }
        }
        (None, _) => {
            for name in &names {
                session.env.set(name, Value::Unknown);
            }
        }
    }
    if let Some(callback) = callback {
        let script = Text {
            text: callback.text,
            known: callback.known,
        };
        run_script(session, &format!("{name} -C"), &script, &call.tail(0), Vec::new())?;
    }
    report_quietly(session, call)
}
