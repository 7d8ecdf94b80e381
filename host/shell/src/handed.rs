//! Commands that a program is handed in an option, an operand, or a variable, and runs itself: `tar --to-command`,
//! `git -c alias.x='!…'`, `rsync -e`, `vim -c '!…'`, `PAGER=… man`.

use crate::Word;
use crate::code::Language;
use crate::run::Call;
use crate::session::{Session, Stdin, Text, Walk};
use crate::shells::run_script;
use crate::wrappers::joined;

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

/// Git's settings that hold a command.
const GIT_KEYS: &[&str] = &[
    "core.pager",
    "core.editor",
    "core.sshcommand",
    "core.fsmonitor",
    "core.askpass",
    "core.gitproxy",
    "sequence.editor",
    "diff.external",
    "gpg.program",
    "interactive.difffilter",
    "uploadpack.packobjectshook",
];
const GIT_ENDS: &[&str] = &[
    ".textconv",
    ".clean",
    ".smudge",
    ".process",
    ".driver",
    ".cmd",
    ".command",
    ".path",
    ".program",
    ".helper",
];
/// Git's options that hold a command, with the verbs that take them.
const GIT_OPTIONS: &[(&str, &[&str])] = &[
    ("rebase", &["-x", "--exec"]),
    (
        "filter-branch",
        &[
            "--tree-filter",
            "--index-filter",
            "--env-filter",
            "--msg-filter",
            "--commit-filter",
            "--parent-filter",
            "--tag-name-filter",
            "--setup",
        ],
    ),
    ("difftool", &["-x", "--extcmd"]),
    ("grep", &["--open-files-in-pager", "-O"]),
    ("clone", &["-u", "--upload-pack"]),
    ("fetch", &["--upload-pack"]),
    ("pull", &["--upload-pack"]),
    ("ls-remote", &["--upload-pack", "--exec"]),
    ("push", &["--receive-pack", "--exec"]),
    ("archive", &["--exec"]),
];

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

fn git(argv: &[Word], found: &mut Vec<(String, Text)>) {
    let mut at = 1;
    while let Some(word) = argv.get(at).filter(|word| word.text.starts_with('-')) {
        if word.text == "-c"
            && let Some(setting) = argv.get(at + 1)
            && let Some((key, value)) = setting.text.split_once('=')
        {
            let key = key.to_ascii_lowercase();
            let value = Text {
                text: value.trim_start_matches('!').into(),
                known: setting.known,
            };
            let shell = setting
                .text
                .split_once('=')
                .is_some_and(|(_, value)| value.starts_with('!'));
            let holds = GIT_KEYS.contains(&key.as_str())
                || key.starts_with("pager.")
                || GIT_ENDS
                    .iter()
                    .any(|end| key.ends_with(end) && !key.starts_with("credential") && !key.starts_with("remote"));
            let plain = matches!(value.text.as_str(), "true" | "false" | "");
            if shell || (holds && !plain) {
                found.push((format!("git -c {key}"), value));
            }
        }
        at += if matches!(
            word.text.as_str(),
            "-C" | "-c"
                | "--git-dir"
                | "--work-tree"
                | "--namespace"
                | "--exec-path"
                | "--super-prefix"
                | "--config-env"
        ) {
            2
        } else {
            1
        };
    }
    let Some(verb) = argv.get(at) else { return };
    let rest = &argv[at..];
    for (_, options) in GIT_OPTIONS.iter().filter(|(name, _)| *name == verb.text) {
        for (option, value) in values(rest, options) {
            found.push((format!("git {} {option}", verb.text), value));
        }
    }
    match verb.text.as_str() {
        "bisect" if rest.get(1).is_some_and(|word| word.text == "run") => {
            found.push(("git bisect run".into(), joined(rest.get(2..).unwrap_or(&[]))));
        }
        "submodule" if rest.iter().any(|word| word.text == "foreach") => {
            let from = rest
                .iter()
                .position(|word| word.text == "foreach")
                .map_or(0, |at| at + 1);
            let words: Vec<Word> = rest[from..]
                .iter()
                .skip_while(|word| word.text.starts_with('-'))
                .cloned()
                .collect();
            found.push(("git submodule foreach".into(), joined(&words)));
        }
        _ => {}
    }
    for word in rest {
        if let Some(command) = word.text.strip_prefix("ext::") {
            found.push((
                "git ext::".into(),
                Text {
                    text: command.replace("% ", "\\ "),
                    known: word.known,
                },
            ));
        }
    }
}

/// GNU sed runs commands: `1e rm x`, `s/…/…/e`.
fn sed(word: &Word, found: &mut Vec<(String, Text)>) {
    if !word.text.contains('e') {
        return;
    }
    for part in word.text.split(['\n', ';']) {
        let part = part.trim_start_matches(|char: char| {
            char.is_ascii_digit() || matches!(char, '$' | ',' | ' ' | '!' | '{' | '~' | '+')
        });
        let part = match part.strip_prefix('/').and_then(|rest| rest.split_once('/')) {
            Some((_, rest)) => rest.trim_start(),
            None => part,
        };
        if let Some(command) = part
            .strip_prefix('e')
            .map(str::trim_start)
            .filter(|command| !command.is_empty())
        {
            found.push((
                "sed e".into(),
                Text {
                    text: command.into(),
                    known: word.known,
                },
            ));
            continue;
        }
        let Some(rest) = part.strip_prefix('s') else { continue };
        let Some(delimiter) = rest.chars().next().filter(|char| char.is_ascii_punctuation()) else {
            continue;
        };
        let fields: Vec<&str> = rest[delimiter.len_utf8()..].split(delimiter).collect();
        if let [_, with, flags] = fields[..]
            && flags.contains('e')
            && flags.chars().all(|char| "gpeIiMm0123456789} ".contains(char))
        {
            found.push((
                "sed s///e".into(),
                Text {
                    text: with.into(),
                    known: false,
                },
            ));
        }
    }
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
