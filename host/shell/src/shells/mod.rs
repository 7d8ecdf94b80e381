//! Programs that are given a script, or a command to be run by a shell: `sh -c`, `ssh`, `su -c`, `watch`, `xargs`, `find`.

mod find;
mod lines;
mod parallel;
mod remote;
mod xargs;

pub(crate) use self::xargs::item;
use crate::run::Call;
use crate::session::{Session, Stdin, Text, Walk};
use crate::wrappers::is_shell;
use crate::{Redirect, Word};

/// Runs what `name` hands on; false where it is none of these, or hands nothing on.
pub(crate) fn run(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    if is_shell(name) {
        return shell(session, name, call);
    }
    match name {
        "ssh" | "autossh" | "mosh" | "sshpass" => remote::ssh(session, name, call),
        "su" | "runuser" | "sg" => remote::su(session, name, call),
        "watch" => lines::watch(session, call),
        "script" => lines::script(session, call),
        "flock" => lines::flock(session, call),
        "xargs" | "gxargs" => xargs::xargs(session, call),
        "parallel" | "sem" | "rush" => parallel::parallel(session, name, call),
        "find" | "gfind" | "bfs" => find::find(session, call),
        "fd" | "fdfind" => find::fd(session, name, call),
        "at" | "batch" => match session.place.stdin.clone() {
            Stdin::Fed(text) => {
                session.report(call.clone())?;
                run_script(session, name, &text, call, Vec::new())?;
                Ok(true)
            }
            _ => Ok(false),
        },
        _ => Ok(false),
    }
}

/// Analyses `script` as run by `via`, with the redirections and assignments of the command that runs it.
pub(crate) fn run_script(session: &mut Session, via: &str, script: &Text, call: &Call, args: Vec<Word>) -> Walk {
    let before = session.out.commands.len();
    let outer = (session.place.redirects.len(), session.place.assignments.len());
    session.place.redirects.extend(call.redirects.iter().cloned());
    session.place.assignments.extend(call.assignments.iter().cloned());
    session.apart(|session| {
        session.env.args = Some(args.into());
        session.under(via, |session| session.script(script))
    })?;
    session.place.redirects.truncate(outer.0);
    session.place.assignments.truncate(outer.1);
    if session.out.commands.len() == before {
        // A script that runs nothing: say at least who was asked.
        session.emit(call.argv.clone(), call.assignments.clone(), call.redirects.clone())?;
    }
    Ok(())
}

/// What a shell reads before its script: `BASH_ENV`, exported functions.
fn start_files(session: &mut Session, call: &Call) -> Walk {
    for (name, word) in call.assignments.iter().chain(&session.place.assignments.clone()) {
        if matches!(name.as_str(), "BASH_ENV" | "ENV") && !word.text.is_empty() {
            start_file(session, word, call)?;
        } else if name.starts_with("BASH_FUNC_")
            && let Some(body) = word.text.strip_prefix("()")
        {
            session.incomplete();
            run_script(
                session,
                name,
                &Text {
                    text: body.into(),
                    known: word.known,
                },
                &call.with(Vec::new()),
                Vec::new(),
            )?;
        }
    }
    Ok(())
}

fn start_file(session: &mut Session, word: &Word, call: &Call) -> Walk {
    match session
        .process_substitution(&word.text)
        .or_else(|| session.written(&word.text))
    {
        Some(text) => run_script(session, "BASH_ENV", &text, &call.with(Vec::new()), Vec::new()),
        None if word.known && !is_descriptor(&word.text) => Ok(()),
        None => {
            session.incomplete();
            Ok(())
        }
    }
}

fn shell(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    let argv = &call.argv;
    let (mut command, mut stdin) = (false, false);
    start_files(session, call)?;
    let mut at = 1;
    while let Some(word) = argv.get(at) {
        let text = word.text.as_str();
        match text {
            "--" | "-" => {
                at += 1;
                break;
            }
            "--rcfile" | "--init-file" => {
                at += 1;
                if let Some(word) = argv.get(at) {
                    start_file(session, &word.clone(), call)?;
                }
            }
            "--command" | "--init-command" => command = true,
            _ if text.starts_with("--command=") => {
                let script = Text {
                    text: text["--command=".len()..].into(),
                    known: word.known,
                };
                run_script(session, &format!("{name} -c"), &script, call, Vec::new())?;
                return Ok(true);
            }
            _ if text.starts_with("--") => {}
            _ if text.len() > 1 && text.starts_with(['-', '+']) => {
                command |= text.starts_with('-') && text.contains('c');
                stdin |= text.starts_with('-') && text.contains('s');
                at += text.matches(['o', 'O']).count();
            }
            _ => break,
        }
        at += 1;
    }
    let operand = argv.get(at);
    let args = |from: usize| argv.get(from..).unwrap_or(&[]).to_vec();
    if command {
        let Some(script) = operand else { return Ok(false) };
        let outer = session.env.name.clone();
        session.env.name = argv.get(at + 1).cloned();
        let text = Text {
            text: script.text.clone(),
            known: script.known,
        };
        let result = run_script(session, &format!("{name} -c"), &text, call, args(at + 2));
        session.env.name = outer;
        if !script.known {
            session.emit(argv.clone(), call.assignments.clone(), call.redirects.clone())?;
        }
        return result.map(|()| true);
    }
    let file = operand.filter(|_| !stdin).filter(|word| !is_stdin(&word.text));
    let script = match file {
        Some(word) if is_descriptor(&word.text) => Some(here_text(call)),
        Some(word) => session
            .process_substitution(&word.text)
            .or_else(|| session.written(&word.text)),
        None => match &session.place.stdin {
            Stdin::Fed(text) => Some(text.clone()),
            _ => None,
        },
    };
    let Some(script) = script else {
        if operand.is_some_and(|word| !word.known) {
            session.incomplete();
        }
        session.print(&Text::unknown());
        session.emit(argv.clone(), call.assignments.clone(), call.redirects.clone())?;
        return Ok(true);
    };
    if !script.known {
        session.incomplete();
        session.emit(argv.clone(), call.assignments.clone(), call.redirects.clone())?;
    }
    let outer = std::mem::replace(&mut session.place.stdin, Stdin::Inherited);
    let fed = call
        .redirects
        .iter()
        .filter(|redirect| !matches!(redirect.operator.as_str(), "<<" | "<<<"));
    let inner = Call {
        redirects: fed.cloned().collect::<Vec<Redirect>>(),
        ..call.clone()
    };
    let result = if script.text.is_empty() && !script.known {
        session.print(&Text::unknown());
        Ok(())
    } else {
        run_script(
            session,
            name,
            &script,
            &inner,
            args(at + usize::from(!stdin && operand.is_some())),
        )
    };
    session.place.stdin = outer;
    result.map(|()| true)
}

/// The text of a heredoc or here-string that is not the standard input.
pub(crate) fn here_text(call: &Call) -> Text {
    let here = call
        .redirects
        .iter()
        .rev()
        .find(|redirect| redirect.operator.starts_with("<<"));
    here.map_or_else(Text::unknown, |here| Text {
        text: here.target.text.clone(),
        known: here.target.known,
    })
}

/// The names by which a script reads its own input.
pub(crate) fn is_stdin(path: &str) -> bool {
    matches!(path, "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0" | "-")
}

/// A descriptor that is not the standard input.
pub(crate) fn is_descriptor(path: &str) -> bool {
    ["/dev/fd/", "/proc/self/fd/", "/dev/pts/", "/dev/tcp/", "/dev/udp/"]
        .iter()
        .any(|folder| path.starts_with(folder))
}
