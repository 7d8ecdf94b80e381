//! Programs that are given a script, or a command to be run by a shell: `sh -c`, `ssh`, `su -c`, `watch`, `xargs`, `find`.

use crate::run::Call;
use crate::session::{Session, Stdin, Text, Walk};
use crate::wrappers::{is_shell, joined, option_of};
use crate::{Redirect, Word};

/// Input items that `xargs` and `parallel` are followed for one by one.
const MAX_ITEMS: usize = 64;

/// Runs what `name` hands on; false where it is none of these, or hands nothing on.
pub(crate) fn run(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    if is_shell(name) {
        return shell(session, name, call);
    }
    match name {
        "ssh" | "autossh" | "mosh" | "sshpass" => ssh(session, name, call),
        "su" | "runuser" | "sg" => su(session, name, call),
        "watch" => watch(session, call),
        "script" => script(session, call),
        "flock" => flock(session, call),
        "xargs" | "gxargs" => xargs(session, call),
        "parallel" | "sem" | "rush" => parallel(session, name, call),
        "find" | "gfind" | "bfs" => find(session, call),
        "fd" | "fdfind" => fd(session, name, call),
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
fn here_text(call: &Call) -> Text {
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

fn ssh(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    if name == "sshpass" {
        let mut at = 1;
        while let Some(word) = call.argv.get(at).filter(|word| word.text.starts_with('-')) {
            at += if matches!(word.text.as_str(), "-p" | "-f" | "-d" | "-P") {
                2
            } else {
                1
            };
        }
        let inner = call.tail(at);
        session.under(name, |session| session.run(inner))?;
        return Ok(call.argv.len() > at);
    }
    let mut at = 1;
    while let Some(word) = call
        .argv
        .get(at)
        .filter(|word| word.text.starts_with('-') && word.text != "--")
    {
        let (takes, value) = option_of(&call.argv, at, "BbcDEeFIiJLlmOopQRSWw", &[]);
        let text = value.map_or(word.text.as_str(), |value| value.text.as_str());
        if let Some((_, command)) = text.split_once("ProxyCommand=").or(text.split_once("LocalCommand=")) {
            let script = Text {
                text: command.into(),
                known: word.known,
            };
            run_script(session, "ssh -o", &script, call, Vec::new())?;
        }
        at += takes;
    }
    session.report(call.clone())?;
    let Some(words) = call.argv.get(at + 1..).filter(|words| !words.is_empty()) else {
        // Without a command the input is one.
        if let Stdin::Fed(text) = session.place.stdin.clone()
            && call.argv.len() == at + 1
        {
            remote(session, name, &text, call)?;
        }
        return Ok(true);
    };
    let script = joined(words);
    remote(session, name, &script, call)?;
    Ok(true)
}

/// A script on another machine, which shares nothing with this one.
fn remote(session: &mut Session, via: &str, script: &Text, call: &Call) -> Walk {
    session.apart(|session| {
        session.env.cwd = None;
        run_script(session, via, script, &call.tail(0), Vec::new())
    })
}

fn su(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    let mut at = 1;
    let mut operands = 0;
    let mut user = false;
    while let Some(word) = call.argv.get(at) {
        let text = word.text.as_str();
        if text == "--" && name == "runuser" && user {
            break;
        }
        if let Some(rest) = text
            .strip_prefix("--command=")
            .or(text.strip_prefix("--session-command="))
        {
            let script = Text {
                text: rest.into(),
                known: word.known,
            };
            run_script(session, &format!("{name} -c"), &script, call, Vec::new())?;
            return Ok(true);
        }
        let long = matches!(text, "--command" | "--session-command");
        let cluster = text.starts_with('-') && !text.starts_with("--") && text.ends_with('c');
        if long || cluster {
            let Some(script) = call.argv.get(at + 1) else {
                return Ok(false);
            };
            let script = Text {
                text: script.text.clone(),
                known: script.known,
            };
            run_script(session, &format!("{name} -c"), &script, call, Vec::new())?;
            return Ok(true);
        }
        if text.starts_with('-') && text.len() > 1 {
            user |= matches!(text, "-u" | "--user");
            let (takes, _) = option_of(
                &call.argv,
                at,
                "gGsuw",
                &["--group", "--supp-group", "--shell", "--user"],
            );
            at += takes;
            continue;
        }
        if user && text != "-" {
            break;
        }
        if name == "sg" && operands == 1 {
            break;
        }
        operands += usize::from(text != "-");
        at += 1;
    }
    if at >= call.argv.len() {
        // `su - <<< script`: the shell of the other user reads the input.
        return match session.place.stdin.clone() {
            Stdin::Fed(text) => run_script(session, name, &text, call, Vec::new()).map(|()| true),
            _ => Ok(false),
        };
    }
    if name == "sg" {
        let script = joined(&call.argv[at..]);
        run_script(session, "sg -c", &script, call, Vec::new())?;
    } else {
        let inner = call.tail(at + usize::from(call.argv[at].text == "--"));
        session.under(name, |session| session.run(inner))?;
    }
    Ok(true)
}

fn watch(session: &mut Session, call: &Call) -> Walk<bool> {
    let mut at = 1;
    let mut exec = false;
    while let Some(word) = call
        .argv
        .get(at)
        .filter(|word| word.text.starts_with('-') && word.text.len() > 1)
    {
        exec |= word.text == "--exec" || (!word.text.starts_with("--") && word.text.contains('x'));
        at += option_of(&call.argv, at, "nq", &["--interval", "--equexit"]).0;
        if word.text == "--" {
            break;
        }
    }
    if at >= call.argv.len() {
        return Ok(false);
    }
    if exec {
        let inner = call.tail(at);
        session.under("watch", |session| session.run(inner))?;
    } else {
        run_script(session, "watch", &joined(&call.argv[at..]), call, Vec::new())?;
    }
    Ok(true)
}

/// `script -c 'cmd' file`; on BSD `script file cmd…`.
fn script(session: &mut Session, call: &Call) -> Walk<bool> {
    let mut at = 1;
    let mut operands = 0;
    while let Some(word) = call.argv.get(at) {
        let text = word.text.as_str();
        let command = if let Some(rest) = text.strip_prefix("--command=") {
            Some(Text {
                text: rest.into(),
                known: word.known,
            })
        } else if text == "--command" || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('c')) {
            call.argv.get(at + 1).map(|word| Text {
                text: word.text.clone(),
                known: word.known,
            })
        } else {
            None
        };
        if let Some(command) = command {
            run_script(session, "script -c", &command, call, Vec::new())?;
            return Ok(true);
        }
        if text.starts_with('-') && text.len() > 1 {
            at += option_of(&call.argv, at, "EIOBTmot", &[]).0;
            continue;
        }
        operands += 1;
        at += 1;
        if operands == 1 && at < call.argv.len() && !call.argv[at].text.starts_with('-') {
            let inner = call.tail(at);
            session.under("script", |session| session.run(inner))?;
            return Ok(true);
        }
    }
    Ok(false)
}

fn flock(session: &mut Session, call: &Call) -> Walk<bool> {
    let mut at = 1;
    let long = ["--wait", "--timeout", "--conflict-exit-code"];
    while call.argv.get(at).is_some_and(|word| word.text.starts_with('-')) {
        at += option_of(&call.argv, at, "wE", &long).0;
    }
    at += 1;
    match call.argv.get(at) {
        None => Ok(false),
        Some(word) if matches!(word.text.as_str(), "-c" | "--command") => {
            let script = joined(&call.argv[at + 1..]);
            run_script(session, "flock", &script, call, Vec::new()).map(|()| true)
        }
        Some(_) => {
            let inner = call.tail(at);
            session.under("flock", |session| session.run(inner)).map(|()| true)
        }
    }
}

/// What stands for an operand that only the run will tell.
pub(crate) fn item() -> Word {
    Word {
        text: "{}".into(),
        known: false,
        glob: false,
    }
}

fn xargs(session: &mut Session, call: &Call) -> Walk<bool> {
    let long = [
        "--arg-file",
        "--delimiter",
        "--max-args",
        "--max-chars",
        "--max-lines",
        "--max-procs",
        "--process-slot-var",
    ];
    let mut at = 1;
    let mut placeholder: Option<String> = None;
    let mut lines = false;
    let mut from_file = false;
    while let Some(word) = call
        .argv
        .get(at)
        .filter(|word| word.text.starts_with('-') && word.text.len() > 1)
    {
        let text = word.text.as_str();
        let (takes, value) = option_of(&call.argv, at, "aEILnPsd", &long);
        if text == "--" {
            at += 1;
            break;
        }
        if let Some(rest) = text.strip_prefix("-I").or(text.strip_prefix("--replace=")) {
            placeholder = Some(if rest.is_empty() {
                value.map_or("{}".into(), |value| value.text.clone())
            } else {
                rest.into()
            });
        } else if text == "--replace" || text.starts_with("-i") {
            placeholder = Some(if text.len() > 2 && !text.starts_with("--") {
                text[2..].into()
            } else {
                "{}".into()
            });
        }
        from_file |= text.starts_with("-a") || text.starts_with("--arg-file");
        lines |=
            text.starts_with("-d") || text.starts_with("-0") || text.starts_with("--delimiter") || text == "--null";
        at += takes;
    }
    let mut argv: Vec<Word> = call.argv.get(at..).unwrap_or(&[]).to_vec();
    if argv.is_empty() {
        argv.push(Word::literal("echo"));
    }
    let items: Option<Vec<String>> = match &session.place.stdin {
        Stdin::Fed(text) if text.known && !from_file => {
            let by_line = lines || placeholder.is_some();
            let cut = |char: char| matches!(char, '\n' | '\0') || (!by_line && char.is_whitespace());
            Some(
                text.text
                    .split(cut)
                    .map(|item| item.trim().to_owned())
                    .filter(|item| !item.is_empty())
                    .collect(),
            )
        }
        _ => None,
    };
    let outer = std::mem::replace(&mut session.place.stdin, Stdin::Inherited);
    let result = session.under("xargs", |session| match (placeholder, items) {
        (Some(placeholder), Some(items)) if items.len() <= MAX_ITEMS => items.iter().try_for_each(|item| {
            let argv = argv.iter().map(|word| Word {
                text: word.text.replace(&placeholder, item),
                ..word.clone()
            });
            session.run(call.with(argv.collect()))
        }),
        (Some(placeholder), _) => {
            for word in &mut argv {
                word.known &= !word.text.contains(&placeholder);
            }
            let outer = session.place.placeholder.replace(placeholder);
            let result = session.run(call.with(argv));
            session.place.placeholder = outer;
            result
        }
        (None, Some(items)) if items.len() <= MAX_ITEMS => {
            argv.extend(items.into_iter().map(|text| Word {
                text,
                known: true,
                glob: false,
            }));
            session.run(call.with(argv))
        }
        (None, _) => {
            argv.push(item());
            session.run(call.with(argv))
        }
    });
    session.place.stdin = outer;
    result.map(|()| true)
}

fn parallel(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    let long = [
        "--jobs",
        "--max-args",
        "--max-replace-args",
        "--delay",
        "--results",
        "--joblog",
        "--timeout",
        "--retries",
        "--tmpdir",
        "--colsep",
        "--arg-file",
        "--sshlogin",
        "--workdir",
        "--env",
        "--load",
        "--memfree",
        "--halt",
        "--id",
        "--delimiter",
        "--max-procs",
    ];
    let mut at = 1;
    while call
        .argv
        .get(at)
        .is_some_and(|word| word.text.starts_with('-') && word.text.len() > 1)
    {
        at += option_of(&call.argv, at, "jPnNLIaSdCs", &long).0;
    }
    let words = call.argv.get(at..).unwrap_or(&[]);
    let cut = words
        .iter()
        .position(|word| word.text.starts_with(":::"))
        .unwrap_or(words.len());
    let (command, rest) = words.split_at(cut);
    let mut items: Vec<Word> = rest
        .iter()
        .filter(|word| !word.text.starts_with(":::"))
        .cloned()
        .collect();
    if rest.is_empty() && name != "sem" {
        items = match &session.place.stdin {
            Stdin::Fed(text) if text.known => text.text.lines().map(Word::literal).collect(),
            _ => vec![item()],
        };
    }
    if name == "sem" || items.is_empty() {
        return run_script(session, name, &joined(command), call, Vec::new()).map(|()| true);
    }
    if rest.first().is_some_and(|word| word.text.starts_with("::::")) {
        items = vec![item()];
    }
    let template = joined(command);
    for item in items.into_iter().take(MAX_ITEMS) {
        let text = if command.is_empty() {
            item.text.clone()
        } else if template.text.contains("{}") {
            template.text.replace("{}", &item.text)
        } else {
            format!("{} {}", template.text, item.text)
        };
        let outer = session.place.placeholder.clone();
        let mut known = template.known && item.known;
        if !item.known {
            session.place.placeholder = Some("{}".into());
            known = template.known && !command.is_empty();
        }
        run_script(session, name, &Text { text, known }, call, Vec::new())?;
        session.place.placeholder = outer;
    }
    Ok(true)
}

/// `find` stays a command of its own, beside what its actions run.
fn find(session: &mut Session, call: &Call) -> Walk<bool> {
    session.report(call.clone())?;
    let mut at = 1;
    while let Some(word) = call.argv.get(at) {
        at += 1;
        if !matches!(word.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir") {
            continue;
        }
        let action = word.text.clone();
        let end = call.argv[at..].iter().position(|word| word.text == ";");
        let plus = call.argv[at..]
            .windows(2)
            .position(|pair| pair[0].text.contains("{}") && pair[1].text == "+");
        let end = match (end, plus.map(|plus| plus + 1)) {
            (Some(end), Some(plus)) => end.min(plus),
            (end, plus) => end.or(plus).unwrap_or(call.argv.len() - at),
        };
        let argv = with_item(&call.argv[at..at + end]);
        at += end;
        if argv.is_empty() {
            continue;
        }
        let inner = call.with(argv);
        let outer = session.place.placeholder.replace("{}".into());
        let result = session.under(&format!("find {action}"), |session| session.run(inner));
        session.place.placeholder = outer;
        result?;
    }
    Ok(true)
}

fn with_item(words: &[Word]) -> Vec<Word> {
    words
        .iter()
        .map(|word| Word {
            known: word.known && !word.text.contains("{}"),
            ..word.clone()
        })
        .collect()
}

fn fd(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    let exec = call
        .argv
        .iter()
        .position(|word| matches!(word.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch"));
    session.report(call.clone())?;
    if let Some(at) = exec {
        let mut argv = with_item(&call.argv[at + 1..]);
        if !argv.is_empty() {
            if !argv.iter().any(|word| word.text.contains("{}")) {
                argv.push(item());
            }
            let inner = call.with(argv);
            let outer = session.place.placeholder.replace("{}".into());
            let result = session.under(&format!("{name} --exec"), |session| session.run(inner));
            session.place.placeholder = outer;
            result?;
        }
    }
    Ok(true)
}
