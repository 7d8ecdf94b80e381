//! What git is handed: configuration, aliases and options whose value is a command.

use super::values;
use crate::Word;
use crate::session::Text;
use crate::wrappers::joined;

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

pub(super) fn git(argv: &[Word], found: &mut Vec<(String, Text)>) {
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
