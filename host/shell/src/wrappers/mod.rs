//! Programs that run another program: what stands between their name and its name.
//!
//! A row of the table says which options take a value and how many operands come first. Those that need more than
//! that have a function of their own. A wrapper that is in neither place stays the program, with its words after it.

mod table;

use crate::run::{Call, base_name};
use crate::session::{Session, Stdin, Walk};
use crate::{Word, code, containers, shells};
use table::{WRAPPERS, Wrapper};

pub(crate) use table::known_programs;

/// Runs what a wrapper runs; false where `name` is none, or wraps nothing here.
pub(crate) fn run(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    if shells::run(session, name, call)? || containers::run(session, name, call)? || code::run(session, name, call)? {
        return Ok(true);
    }
    if call.argv.len() < 2 {
        return Ok(false);
    }
    match name.trim_end_matches(".exe") {
        "powershell" | "pwsh" => {
            session.report(call.clone())?;
            crate::powershell::launched(session, &call.argv)?;
            return Ok(true);
        }
        "cmd" if call.argv[1].text.eq_ignore_ascii_case("/c") => {
            session.report(call.clone())?;
            let script = joined(&call.argv[2..]);
            session.under("cmd /c", |session| crate::cmd::read(session, &script.text))?;
            return Ok(true);
        }
        // The loader of programs: `ld-linux-x86-64.so.2 /bin/rm x`.
        loader if loader.starts_with("ld-linux") || loader.starts_with("ld-musl") || loader == "ld.so" => {
            let inner = call.tail(1);
            session.under(name, |session| session.run(inner))?;
            return Ok(true);
        }
        _ => {}
    }
    // The subcommand may stand after options of the program itself.
    let subcommand = call.argv[1..]
        .iter()
        .position(|word| !word.text.starts_with('-'))
        .map(|at| at + 1);
    let wrapper = WRAPPERS.iter().find_map(|wrapper| match wrapper.name.split_once(' ') {
        None => (wrapper.name == name).then_some((wrapper, 1)),
        Some((program, verb)) => {
            let at = subcommand.filter(|at| program == name && call.argv[*at].text == verb && call.argv[*at].known)?;
            Some((wrapper, at + 1))
        }
    });
    let Some((wrapper, from)) = wrapper else {
        return Ok(false);
    };
    behind(session, wrapper, from, call)
}

/// Whether the command begins here although an operand could stand before it: `setarch` may go without an architecture.
fn begins(wrapper: &Wrapper, word: Option<&Word>) -> bool {
    let architectures = [
        "x86", "i386", "i486", "i586", "i686", "linux", "uname", "aarch64", "arm", "ppc", "s390", "mips", "sparc",
        "alpha", "parisc", "ia64", "riscv", "loong",
    ];
    wrapper.name == "setarch" && word.is_some_and(|word| !architectures.iter().any(|name| word.text.starts_with(name)))
}

/// Finds the command behind the options, from word `from` on, and runs it.
fn behind(session: &mut Session, wrapper: &Wrapper, from: usize, call: &Call) -> Walk<bool> {
    let mut assignments = call.assignments.clone();
    let mut cwd = None;
    let mut operands = wrapper.operands;
    let mut at = from;
    let mut shell = false;
    while let Some(word) = call.argv.get(at) {
        let text = word.text.as_str();
        if text == "--" && word.known {
            at += 1;
            // After it come the operands, and then the command whatever it looks like.
            if !begins(wrapper, call.argv.get(at)) {
                at += operands;
            }
            break;
        }
        if text == "-" && wrapper.name == "env" {
            at += 1;
            continue;
        }
        if text.starts_with('-') && text.len() > 1 {
            let (takes, value) = option(wrapper, call, at);
            if wrapper.name == "env"
                && let Some(script) = split_string(text, value)
            {
                let rest = call.argv.get(at + takes..).unwrap_or(&[]).to_vec();
                return env_split(session, script, rest, assignments, call);
            }
            if matches!(wrapper.name, "env" | "sudo")
                && (text == "--chdir"
                    || text.starts_with("-C")
                    || text.starts_with("-D")
                    || text.starts_with("--chdir="))
            {
                cwd = value.cloned().or_else(|| {
                    Some(Word::literal(
                        text.trim_start_matches("--chdir=")
                            .trim_start_matches("-C")
                            .trim_start_matches("-D"),
                    ))
                });
            }
            shell |= wrapper.name == "sudo"
                && (matches!(text, "--shell" | "--login") || (!text.starts_with("--") && text.contains(['s', 'i'])));
            at += takes;
            continue;
        }
        if wrapper.assigns
            && let Some((name, value)) = text.split_once('=')
            && !name.is_empty()
            && !name.starts_with(['/', '.', '$', '"'])
        {
            assignments.push((
                name.into(),
                Word {
                    text: value.into(),
                    ..word.clone()
                },
            ));
            at += 1;
            continue;
        }
        if operands == 0 || begins(wrapper, Some(word)) {
            break;
        }
        operands -= 1;
        at += 1;
    }
    if at >= call.argv.len() || wrapper.operands == usize::MAX {
        // Without a command these run a shell, which reads the input.
        let runs_shell = shell
            || matches!(
                wrapper.name,
                "chroot" | "unshare" | "nsenter" | "setarch" | "linux32" | "linux64"
            );
        return match session.place.stdin.clone() {
            Stdin::Fed(text) if runs_shell => {
                session.report(call.clone())?;
                shells::run_script(session, wrapper.name, &text, call, Vec::new())?;
                Ok(true)
            }
            _ => Ok(false),
        };
    }
    let inner = Call {
        assignments,
        ..call.tail(at)
    };
    session.under(wrapper.name, |session| {
        let outer = session.env.cwd.clone();
        if let Some(cwd) = cwd {
            session.env.cwd = Some(cwd);
        }
        let result = if shell {
            // `sudo -s cmd…`: the words become the command line of a shell.
            let script = joined(&inner.argv);
            session.apart(|session| session.script(&script))
        } else {
            session.run(inner)
        };
        session.env.cwd = outer;
        result
    })?;
    Ok(true)
}

/// How many words the option at `at` takes, and its value where that is a word of its own.
fn option<'c>(wrapper: &Wrapper, call: &'c Call, at: usize) -> (usize, Option<&'c Word>) {
    option_of(&call.argv, at, wrapper.short, wrapper.long)
}

/// How many words the option at `at` takes, and its value where that is a word of its own.
pub(crate) fn option_of<'c>(argv: &'c [Word], at: usize, short: &str, long: &[&str]) -> (usize, Option<&'c Word>) {
    let Some(word) = argv.get(at) else { return (1, None) };
    let text = word.text.as_str();
    let separate = if text.starts_with("--") {
        // GNU programs take any unambiguous beginning of a long option.
        !text.contains('=') && long.iter().any(|option| option.starts_with(text))
    } else if long.contains(&text) {
        true
    } else {
        let mut letters = text[1..].char_indices();
        letters
            .find(|(_, letter)| short.contains(*letter))
            .is_some_and(|(index, letter)| index + letter.len_utf8() == text.len() - 1)
    };
    if separate { (2, argv.get(at + 1)) } else { (1, None) }
}

/// The operand of `env -S`.
fn split_string<'c>(text: &'c str, value: Option<&'c Word>) -> Option<&'c str> {
    if let Some(rest) = text.strip_prefix("--split-string") {
        return rest.strip_prefix('=').or(value.map(|word| word.text.as_str()));
    }
    if text.starts_with("--") {
        return None;
    }
    let (_, rest) = text.split_once('S')?;
    if rest.is_empty() {
        value.map(|word| word.text.as_str())
    } else {
        Some(rest)
    }
}

/// `env -S 'A=1 cmd args' more`: the string is cut into words, which are then read as `env`'s own.
fn env_split(
    session: &mut Session,
    script: &str,
    rest: Vec<Word>,
    assignments: Vec<(String, Word)>,
    call: &Call,
) -> Walk<bool> {
    // Its escapes are its own: `\\_` is a blank, `\\c` the end.
    if script.contains('\\') {
        session.incomplete();
    }
    let mut argv = vec![Word::literal("env")];
    let words = crate::unquote::quoted_words(script, |char| char.is_ascii_whitespace());
    argv.extend(words.into_iter().map(|text| Word {
        known: !text.contains('$'),
        text,
        glob: false,
    }));
    argv.extend(rest);
    session.run(Call {
        assignments,
        ..call.with(argv)
    })?;
    Ok(true)
}

/// Words joined by spaces, as programs do that hand them to a shell.
pub(crate) fn joined(words: &[Word]) -> crate::session::Text {
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    crate::session::Text {
        text: texts.join(" "),
        known: words.iter().all(|word| word.known),
    }
}

/// Whether `name` is a shell by its usual names.
pub(crate) fn is_shell(name: &str) -> bool {
    let name = base_name(name);
    let name = name.strip_prefix('-').unwrap_or(name);
    matches!(
        name,
        "sh" | "bash"
            | "zsh"
            | "dash"
            | "ksh"
            | "ksh93"
            | "mksh"
            | "ash"
            | "rbash"
            | "fish"
            | "csh"
            | "tcsh"
            | "yash"
            | "osh"
    )
}
