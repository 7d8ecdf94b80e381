//! Commands that run inside something else: containers, pods, terminal multiplexers, terminals.
//!
//! Each stays a command of its own, because what it says about the container matters too.

use crate::Word;
use crate::run::Call;
use crate::session::{Session, Text, Walk};
use crate::shells::run_script;
use crate::wrappers::{joined, option_of};

/// Runs what `name` hands on; false where it is none of these.
pub(crate) fn run(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    match name {
        "docker" | "podman" | "nerdctl" | "docker-compose" | "podman-compose" | "finch" | "lxc" | "incus" => {
            container(session, name, call)
        }
        "kubectl" | "oc" | "k" | "microk8s.kubectl" | "k3s" => pod(session, name, call),
        "tmux" | "byobu" => tmux(session, call),
        "screen" => screen(session, call),
        "xterm" | "gnome-terminal" | "konsole" | "alacritty" | "kitty" | "foot" | "wezterm" => {
            terminal(session, name, call)
        }
        "wsl" | "wsl.exe" => after_dashes(session, name, call),
        "machinectl" | "distrobox" | "distrobox-enter" | "toolbox" | "vagrant" | "flatpak-spawn" | "multipass" => {
            after_dashes(session, name, call)
        }
        _ => Ok(false),
    }
}

/// Options of `run` and `exec` that take no value; every other long one does.
const FLAGS: &[&str] = &[
    "--detach",
    "--interactive",
    "--tty",
    "--privileged",
    "--rm",
    "--init",
    "--read-only",
    "--publish-all",
    "--no-healthcheck",
    "--oom-kill-disable",
    "--sig-proxy",
    "--quiet",
    "--no-TTY",
    "--no-deps",
    "--service-ports",
    "--use-aliases",
    "--build",
    "--disable-content-trust",
    "--help",
    "--all",
    "--remove-orphans",
    "--latest",
    "--replace",
];

fn container(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    session.report(call.clone())?;
    let argv = &call.argv;
    let mut at = 1;
    // Global options, then `compose` or `container`, then the verb.
    let verb = loop {
        let Some(word) = argv.get(at) else { return Ok(true) };
        match word.text.as_str() {
            "compose" | "container" => at += 1,
            text if text.starts_with('-') => {
                at += option_of(
                    argv,
                    at,
                    "HlcfpD",
                    &[
                        "--host",
                        "--context",
                        "--config",
                        "--log-level",
                        "--file",
                        "--project-name",
                        "--project-directory",
                        "--profile",
                        "--env-file",
                    ],
                )
                .0;
            }
            verb => break verb,
        }
    };
    if !matches!(verb, "exec" | "run" | "create") {
        return Ok(true);
    }
    let via = format!("{name} {verb}");
    at += 1;
    let mut entry: Option<Word> = None;
    while let Some(word) = argv
        .get(at)
        .filter(|word| word.text.starts_with('-') && word.text.len() > 1)
    {
        let text = word.text.as_str();
        if text == "--" {
            at += 1;
            break;
        }
        if let Some(value) = text.strip_prefix("--entrypoint=") {
            entry = Some(Word {
                text: value.into(),
                ..word.clone()
            });
        } else if text == "--entrypoint" {
            entry = argv.get(at + 1).cloned();
        }
        let takes_value = if text.starts_with("--") {
            !text.contains('=') && !FLAGS.contains(&text)
        } else {
            option_of(argv, at, "aceEhlmpuvwnf", &[]).0 == 2
        };
        at += 1 + usize::from(takes_value);
    }
    let words = argv.get(at + 1..).unwrap_or(&[]);
    let inner: Vec<Word> = entry
        .into_iter()
        .filter(|word| !word.text.is_empty())
        .chain(words.iter().cloned())
        .collect();
    inside(session, &via, call, inner)
}

fn inside(session: &mut Session, via: &str, call: &Call, argv: Vec<Word>) -> Walk<bool> {
    if let Some(first) = argv.first() {
        // An image's own entry point takes options as its arguments.
        if first.text.starts_with('-') {
            return Ok(true);
        }
        session.apart(|session| {
            session.env.cwd = None;
            session.under(via, |session| session.run(call.with(argv)))
        })?;
    }
    Ok(true)
}

fn pod(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    session.report(call.clone())?;
    let argv = &call.argv;
    let Some(verb) = argv[1..]
        .iter()
        .position(|word| matches!(word.text.as_str(), "exec" | "run" | "debug"))
    else {
        return Ok(true);
    };
    let verb = verb + 1;
    // Nothing but options may stand before the verb.
    if argv[1..verb].iter().filter(|word| !word.text.starts_with('-')).count() > argv[1..verb].len() / 2 {
        return Ok(true);
    }
    let via = format!("{name} {}", argv[verb].text);
    if let Some(dashes) = argv[verb..].iter().position(|word| word.text == "--") {
        return inside(session, &via, call, argv[verb + dashes + 1..].to_vec());
    }
    if argv[verb].text != "exec" {
        return Ok(true);
    }
    let mut at = verb + 1;
    let mut pods = 0;
    while let Some(word) = argv.get(at) {
        if word.text.starts_with('-') {
            at += option_of(
                argv,
                at,
                "cnf",
                &["--container", "--namespace", "--filename", "--context", "--kubeconfig"],
            )
            .0;
        } else if pods == 0 {
            pods = 1;
            at += 1;
        } else {
            break;
        }
    }
    inside(session, &via, call, argv.get(at..).unwrap_or(&[]).to_vec())
}

/// Verbs of tmux whose operands are a shell command.
const TMUX_RUNS: &[&str] = &[
    "new-session",
    "new",
    "new-window",
    "neww",
    "split-window",
    "splitw",
    "respawn-pane",
    "respawnp",
    "respawn-window",
    "respawnw",
    "run-shell",
    "run",
    "display-popup",
    "popup",
    "pipe-pane",
    "pipep",
    "if-shell",
    "if",
];

fn tmux(session: &mut Session, call: &Call) -> Walk<bool> {
    session.report(call.clone())?;
    let argv = &call.argv;
    let mut at = 1;
    while argv.get(at).is_some_and(|word| word.text.starts_with('-')) {
        at += option_of(argv, at, "cfLST", &[]).0;
    }
    // Several commands may follow each other, cut by `;`.
    for command in argv.get(at..).unwrap_or(&[]).split(|word| word.text == ";") {
        let Some((verb, _)) = command.split_first() else {
            continue;
        };
        let keys = matches!(verb.text.as_str(), "send-keys" | "send" | "set-buffer" | "setb");
        if !keys && !TMUX_RUNS.contains(&verb.text.as_str()) {
            continue;
        }
        let mut at = 1;
        while command.get(at).is_some_and(|word| word.text.starts_with('-')) {
            at += option_of(command, at, if keys { "tNb" } else { "cdeFlnstxyTSwhb" }, &[]).0;
        }
        let words: Vec<Word> = command
            .get(at..)
            .unwrap_or(&[])
            .iter()
            .map(|word| {
                let enter = matches!(
                    word.text.as_str(),
                    "Enter" | "C-m" | "KPEnter" | "C-j" | "C-c" | "Escape" | "C-d"
                );
                if keys && enter {
                    Word::literal("\n")
                } else {
                    word.clone()
                }
            })
            .collect();
        let via = format!("tmux {}", verb.text);
        run_words(session, &via, call, &words)?;
    }
    Ok(true)
}

fn screen(session: &mut Session, call: &Call) -> Walk<bool> {
    session.report(call.clone())?;
    let argv = &call.argv;
    if let Some(at) = argv.iter().position(|word| word.text == "stuff") {
        let words: Vec<Word> = argv[at + 1..]
            .iter()
            .map(|word| Word {
                text: word
                    .text
                    .replace("^M", "\n")
                    .replace("\\n", "\n")
                    .replace("\\015", "\n"),
                ..word.clone()
            })
            .collect();
        run_words(session, "screen -X stuff", call, &words)?;
        return Ok(true);
    }
    let mut at = 1;
    while argv.get(at).is_some_and(|word| word.text.starts_with('-')) {
        at += option_of(argv, at, "cehpsStTX", &[]).0;
    }
    if let Some(words) = argv.get(at..).filter(|words| !words.is_empty()) {
        let inner = call.with(words.to_vec());
        session.under("screen", |session| session.run(inner))?;
    }
    Ok(true)
}

fn terminal(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    session.report(call.clone())?;
    let runs = |word: &Word| {
        matches!(
            word.text.as_str(),
            "-e" | "-x" | "--" | "--command" | "--execute" | "start"
        )
    };
    if let Some(at) = call.argv.iter().position(runs) {
        run_words(session, name, call, &call.argv[at + 1..])?;
    }
    Ok(true)
}

fn after_dashes(session: &mut Session, name: &str, call: &Call) -> Walk<bool> {
    session.report(call.clone())?;
    let runs = |word: &Word| matches!(word.text.as_str(), "--" | "-e" | "--exec" | "-c" | "--command");
    let start = match call.argv.iter().position(runs) {
        Some(at) => at + 1,
        None if name == "flatpak-spawn" => call
            .argv
            .iter()
            .skip(1)
            .position(|word| !word.text.starts_with('-'))
            .map_or(call.argv.len(), |at| at + 1),
        None => call.argv.len(),
    };
    run_words(session, name, call, call.argv.get(start..).unwrap_or(&[]))?;
    Ok(true)
}

/// One word is a command line, several are an argument vector.
fn run_words(session: &mut Session, via: &str, call: &Call, words: &[Word]) -> Walk {
    match words {
        [] => Ok(()),
        words => {
            let script: Text = joined(words);
            run_script(session, via, &script, &call.tail(0), Vec::new())
        }
    }
}
