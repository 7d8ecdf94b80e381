//! Commands that a program is handed in an option, an operand, or a variable, and runs itself: `tar --to-command`,
//! `git -c alias.x='!…'`, `rsync -e`, `vim -c '!…'`, `PAGER=… man`.

mod git;
mod sed;

use crate::Word;
use crate::code::Language;
use crate::run::Call;
use crate::session::{Session, Stdin, Text, Walk};
use crate::shells::run_script;
use crate::wrappers::joined;
use git::git;
use sed::sed;

/// Options whose value is a command line, by program. A short option may hold its value, a long one after `=`.
const OPTIONS: &[(&str, &[&str])] = &[
    (
        "tar",
        &[
            "--to-command",
            "--use-compress-program",
            "-I",
            "--rsh-command",
            "--info-script",
            "--new-volume-script",
            "-F",
            "--checkpoint-action=exec",
        ],
    ),
    (
        "gtar",
        &[
            "--to-command",
            "--use-compress-program",
            "-I",
            "--checkpoint-action=exec",
        ],
    ),
    ("bsdtar", &["--use-compress-program"]),
    ("rsync", &["-e", "--rsh", "--rsync-path"]),
    ("scp", &["-S"]),
    ("sftp", &["-S"]),
    ("man", &["-P", "--pager"]),
    ("zip", &["-TT", "--unzip-command"]),
    ("nodemon", &["-x", "--exec"]),
    ("entr", &["-s"]),
    ("npx", &["-c", "--call"]),
    ("npm", &["-c", "--call"]),
    ("nix-shell", &["--run", "--command"]),
    ("nc", &["-e", "-c", "--exec", "--sh-exec"]),
    ("ncat", &["-e", "-c", "--exec", "--sh-exec"]),
    ("netcat", &["-e", "-c"]),
    ("gcloud", &["--command"]),
    ("fly", &["-C", "--command"]),
    ("flyctl", &["-C", "--command"]),
    ("ansible", &["-a", "--args"]),
    ("sort", &["--compress-program"]),
    ("split", &["--filter"]),
    ("dpkg", &["--pre-invoke", "--post-invoke"]),
    ("logsave", &[]),
    ("mutt", &[]),
    ("less", &[]),
    ("watchexec", &["--command"]),
    ("inotifywait", &[]),
];

/// Programs whose operands are command lines.
const OPERANDS: &[&str] = &["hyperfine", "concurrently", "watchexec"];

/// Variables whose value is a command that the program runs.
const VARIABLES: &[&str] = &[
    "PAGER",
    "EDITOR",
    "VISUAL",
    "BROWSER",
    "MANPAGER",
    "GIT_PAGER",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH_COMMAND",
    "GIT_SSH",
    "GIT_ASKPASS",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "GIT_EXTERNAL_DIFF",
    "GIT_PROXY_COMMAND",
    "RSYNC_RSH",
    "LESSOPEN",
    "LESSCLOSE",
    "PROMPT_COMMAND",
    "SYSTEMD_PAGER",
    "BAT_PAGER",
    "AWS_PAGER",
    "GH_PAGER",
    "GH_EDITOR",
    "KUBE_EDITOR",
    "PSQL_EDITOR",
    "HGEDITOR",
    "SVN_EDITOR",
    "FCEDIT",
    "TAR_OPTIONS",
];

/// Reports a call that wraps nothing, and what it was handed to run.
pub(crate) fn report(session: &mut Session, name: &str, call: Call) -> Walk {
    session.report(call.clone())?;
    let handed = commands(session, name, &call.argv);
    let plain = call.tail(0);
    let plain = Call {
        argv: Vec::new(),
        assignments: Vec::new(),
        ..plain
    };
    for (via, script) in handed {
        run_script(session, &via, &script, &plain, Vec::new())?;
    }
    if matches!(
        name,
        "vim"
            | "vi"
            | "nvim"
            | "view"
            | "ex"
            | "ed"
            | "rvim"
            | "gvim"
            | "gdb"
            | "lldb"
            | "expect"
            | "tclsh"
            | "sqlite3"
            | "psql"
            | "mysql"
            | "mariadb"
    ) {
        return interactive(session, name, &plain, &call.argv);
    }
    Ok(())
}

/// Runs what the variables before a command name.
pub(crate) fn variables(session: &mut Session, assignments: &[(String, Word)]) -> Walk {
    for (name, word) in assignments {
        if VARIABLES.contains(&name.as_str()) && !word.text.is_empty() {
            let text = word.text.trim_start_matches('|').trim_start_matches('-').to_owned();
            let script = Text {
                text,
                known: word.known,
            };
            session.apart(|session| session.under(name, |session| session.script(&script)))?;
        }
    }
    Ok(())
}

fn text(word: &Word) -> Text {
    Text {
        text: word.text.clone(),
        known: word.known,
    }
}

/// The command lines that a program is handed, and how.
fn commands(session: &Session, name: &str, argv: &[Word]) -> Vec<(String, Text)> {
    let mut found = Vec::new();
    for (_, options) in OPTIONS.iter().filter(|(program, _)| *program == name) {
        for (option, value) in values(argv, options) {
            found.push((format!("{name} {option}"), value));
        }
    }
    if OPERANDS.contains(&name) {
        found.extend(
            argv[1..]
                .iter()
                .filter(|word| word.text.contains(' '))
                .map(|word| (name.to_owned(), text(word))),
        );
    }
    match name {
        "git" => git(argv, &mut found),
        "sed" | "gsed" => argv[1..].iter().for_each(|word| sed(word, &mut found)),
        "socat" => {
            for word in &argv[1..] {
                if let Some((kind, command)) = word.text.split_once(':')
                    && matches!(kind.to_ascii_lowercase().as_str(), "exec" | "system" | "shell")
                {
                    let command = command.split(",pty").next().unwrap_or(command);
                    found.push((
                        "socat".into(),
                        Text {
                            text: command.trim_matches(['"', '\'']).into(),
                            known: word.known,
                        },
                    ));
                }
            }
        }
        "nix" | "adb" | "heroku" | "pdsh" | "pssh" | "clush" => {
            let marks: &[&str] = match name {
                "nix" => &["-c", "--command"],
                "adb" => &["shell"],
                "heroku" => &["run"],
                _ => &["-w"],
            };
            if let Some(at) = argv.iter().position(|word| marks.contains(&word.text.as_str())) {
                let from = at + if marks == ["-w"] { 2 } else { 1 };
                let words = argv.get(from..).unwrap_or(&[]);
                let words = if words.first().is_some_and(|word| word.text == "--") {
                    &words[1..]
                } else {
                    words
                };
                if !words.is_empty() {
                    found.push((format!("{name} {}", argv[at].text), joined(words)));
                }
            }
        }
        "make" | "gmake" => {
            let named = values(argv, &["-f", "--file", "--makefile"]);
            let text = named.iter().find_map(|(_, file)| match &session.place.stdin {
                Stdin::Fed(text) if crate::shells::is_stdin(&file.text) => Some(text.clone()),
                _ => session
                    .process_substitution(&file.text)
                    .or_else(|| session.written(&file.text)),
            });
            let usual = || {
                ["GNUmakefile", "makefile", "Makefile"]
                    .iter()
                    .find_map(|file| session.written(file))
            };
            let text = text.or_else(usual).unwrap_or(Text::known(""));
            // What `$(shell …)` runs, a text of its own language hides; so does another shell for all recipes.
            let shells = |text: &str| text.contains("$(shell") || text.contains("${shell") || text.contains("!=");
            let hidden = shells(&text.text)
                || argv
                    .iter()
                    .any(|word| shells(&word.text) || word.text.starts_with("SHELL="));
            if !text.known || hidden {
                found.push((
                    "make".into(),
                    Text {
                        text: ":".into(),
                        known: false,
                    },
                ));
            }
            for line in text.text.lines() {
                let recipe = line
                    .strip_prefix('\t')
                    .or(line.split_once(';').map(|(_, recipe)| recipe));
                let recipe = recipe.map(|recipe| recipe.trim_start_matches(['@', '-', '+', ' ']).replace("$$", "$"));
                found.extend(recipe.map(|text| ("make".to_owned(), Text { text, known: true })));
            }
        }
        "newgrp" | "login" => {
            if let Stdin::Fed(text) = &session.place.stdin {
                found.push((name.to_owned(), text.clone()));
            }
        }
        "crontab" => {
            if let Stdin::Fed(table) = &session.place.stdin {
                for line in table.text.lines().filter(|line| !line.trim_start().starts_with('#')) {
                    let fields = if line.trim_start().starts_with('@') { 1 } else { 5 };
                    let mut rest = line.trim_start();
                    for _ in 0..fields {
                        rest = rest
                            .split_once(char::is_whitespace)
                            .map_or("", |(_, rest)| rest.trim_start());
                    }
                    found.push((
                        "crontab".into(),
                        Text {
                            text: rest.into(),
                            known: table.known,
                        },
                    ));
                }
            }
        }
        _ => {}
    }
    found.retain(|(_, script)| !script.known || !script.text.trim().is_empty());
    found
}

/// The values of `options` among the words.
fn values<'o>(argv: &[Word], options: &[&'o str]) -> Vec<(&'o str, Text)> {
    let mut found = Vec::new();
    for (at, word) in argv.iter().enumerate().skip(1) {
        for option in options {
            let Some(rest) = word.text.strip_prefix(option) else {
                continue;
            };
            let value = if rest.is_empty() {
                argv.get(at + 1).map(text)
            } else if let Some(value) = rest.strip_prefix('=') {
                Some(Text {
                    text: value.into(),
                    known: word.known,
                })
            } else if !option.starts_with("--") && option.len() == 2 && !rest.starts_with('-') {
                Some(Text {
                    text: rest.into(),
                    known: word.known,
                })
            } else {
                None
            };
            found.extend(value.map(|value| (*option, value)));
        }
    }
    found
}

/// Editors, debuggers and database clients: commands of their own, of which some leave for a shell.
fn interactive(session: &mut Session, name: &str, call: &Call, argv: &[Word]) -> Walk {
    let fed = match &session.place.stdin {
        Stdin::Fed(text) => Some(Word {
            text: text.text.clone(),
            known: text.known,
            glob: false,
        }),
        _ => None,
    };
    for word in argv[1..].iter().chain(&fed) {
        for line in word.text.lines() {
            let line = line.trim_start_matches(['+', ':', ' ']);
            let line = line
                .strip_prefix("silent ")
                .or(line.strip_prefix("silent! "))
                .unwrap_or(line)
                .trim_start();
            let line = line.strip_prefix("r ").or(line.strip_prefix("%")).unwrap_or(line);
            let escapes: &[&str] = match name {
                "expect" | "tclsh" => &["spawn ", "exec ", "system "],
                "sqlite3" => &[".shell ", ".system ", ".sh "],
                "psql" | "mysql" | "mariadb" => &["\\! ", "system "],
                _ => &["!", "shell ", "term ", "terminal ", "pipe "],
            };
            if let Some(command) = escapes.iter().find_map(|escape| line.strip_prefix(escape)) {
                let script = Text {
                    text: command.trim_start_matches('!').into(),
                    known: word.known,
                };
                run_script(session, &format!("{name} !"), &script, call, Vec::new())?;
            }
        }
        if word.text.contains("system(") || word.text.contains("delete(") {
            session.code(Language::Other, name, &text(word), call)?;
        }
    }
    Ok(())
}
