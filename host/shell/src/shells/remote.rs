//! A command for another machine or another user: `ssh`, `su`, `sg`.

use super::run_script;
use crate::run::Call;
use crate::session::{Session, Stdin, Text, Walk};
use crate::wrappers::{joined, option_of};

pub(super) fn ssh(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
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

pub(super) fn su(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
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
