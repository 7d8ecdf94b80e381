//! Programs that hand a line to a shell, or words to a program: `watch`, `script`, `flock`.

use super::run_script;
use crate::run::Call;
use crate::session::{Session, Text, Walk};
use crate::wrappers::{joined, option_of};

pub(super) fn watch(session: &mut Session, call: &Call) -> Walk<bool> {
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
pub(super) fn script(session: &mut Session, call: &Call) -> Walk<bool> {
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

pub(super) fn flock(session: &mut Session, call: &Call) -> Walk<bool> {
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
