//! Hooks that would be skipped or switched off: they are the project's own rules.

use crate::found;
use hookbox_pack::git::Git;
use hookbox_pack::words::{abbreviates, dashed, program, wild};
use hookbox_pack::{Finding, Severity};
use hookbox_sdk::SimpleCommand;

const FIX: &str = "the project's hooks would not run: mend what they report; if a hook itself is broken, say so and let the user decide";

/// Variables that switch hooks off, with the values that do.
const SWITCHES: [(&str, &str); 10] = [
    ("HUSKY", "0"),
    ("HUSKY_SKIP_HOOKS", "*"),
    ("HUSKY_SKIP_INSTALL", "*"),
    ("LEFTHOOK", "0"),
    ("LEFTHOOK", "false"),
    ("LEFTHOOK_EXCLUDE", "*"),
    ("SKIP", "*"),
    ("PRE_COMMIT_ALLOW_NO_CONFIG", "1"),
    ("OVERCOMMIT_DISABLE", "*"),
    ("GIT_CONFIG_PARAMETERS", "*hookspath*"),
];

/// Configuration that names a program for git to run, or where hooks are.
const RUNS: [&str; 12] = [
    "core.hookspath",
    "core.sshcommand",
    "core.fsmonitor",
    "core.editor",
    "core.pager",
    "core.askpass",
    "credential.helper",
    "gpg.program",
    "diff.external",
    "sequence.editor",
    "filter.*.clean",
    "filter.*.smudge",
];

/// What concerns hooks in any command.
pub(crate) fn judge_command(command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let name = program(&command.argv[0].text);
    let exported = command.args().iter().filter_map(|word| word.text.split_once('='));
    let exports = matches!(name.as_str(), "export" | "declare" | "typeset" | "env" | "setx");
    let off = |key: &str, value: &str| {
        SWITCHES
            .iter()
            .any(|(name, pattern)| *name == key && wild(pattern, value) && !value.is_empty())
    };
    let runs_git = name == "git" || matches!(name.as_str(), "npm" | "pnpm" | "yarn" | "npx" | "gh" | "cz" | "husky");
    let assigned = command
        .assignments
        .iter()
        .any(|(key, value)| off(key, &value.text) && (runs_git || key != "SKIP"));
    let exported = exports
        && exported
            .into_iter()
            .any(|(key, value)| off(key, value) && key != "SKIP");
    let uninstalls = match name.as_str() {
        "pre-commit" | "husky" | "lefthook" | "overcommit" => command
            .args()
            .first()
            .is_some_and(|word| matches!(word.text.as_str(), "uninstall" | "--uninstall" | "uninit")),
        _ => false,
    };
    let disarms = match name.as_str() {
        "chmod" => command
            .args()
            .iter()
            .any(|word| matches!(word.text.as_str(), "-x" | "a-x" | "u-x" | "ugo-x") || is_without_x(&word.text)),
        "mv" => true,
        _ => false,
    } && (command.args().iter().any(|word| is_hook(&word.text)) || is_run_among_hooks(command));
    if assigned || exported || uninstalls || disarms {
        found(findings, "skip-hooks", Severity::Ask, FIX);
    }
}

fn is_hook(path: &str) -> bool {
    path.contains(".git/hooks/") || path.ends_with(".git/hooks")
}

/// `cd .git/hooks && chmod -x *`: the names are those of hooks.
fn is_run_among_hooks(command: &SimpleCommand) -> bool {
    let Some(cwd) = &command.cwd else { return false };
    let folder = cwd.text.trim_end_matches('/');
    let names = command.args().iter().map(|word| word.text.as_str());
    names
        .filter(|name| !name.starts_with(['-', '/', '~']))
        .any(|name| is_hook(&format!("{folder}/{}", name.trim_start_matches("./"))))
}

/// A mode in digits that lets nobody execute.
fn is_without_x(mode: &str) -> bool {
    (3..=4).contains(&mode.len()) && mode.bytes().all(|digit| matches!(digit, b'0' | b'2' | b'4' | b'6'))
}

/// What concerns hooks in a call of git.
pub(crate) fn judge(git: &Git, findings: &mut Vec<Finding>) {
    let no_verify = git
        .options()
        .any(|word| abbreviates(&dashed(&word.text), "--no-verify", 6));
    let skips = match git.subcommand.as_str() {
        "commit" => no_verify || skips_by_letter(git),
        "push" | "merge" | "rebase" | "am" | "cherry-pick" | "revert" | "pull" => no_verify,
        _ => false,
    };
    if skips || git.config("core.hookspath").is_some() {
        found(findings, "skip-hooks", Severity::Ask, FIX);
    }
    if git.subcommand == "config" {
        config(git, findings);
    }
}

/// `git commit -n`, in a cluster too: `-nm "…"`. Letters after one that takes a value are its value.
fn skips_by_letter(git: &Git) -> bool {
    let mut words = git.args.iter().take_while(|word| word.text != "--");
    while let Some(word) = words.next() {
        let text = dashed(&word.text);
        let Some(letters) = text.strip_prefix('-').filter(|rest| !rest.starts_with('-')) else {
            if [
                "--message",
                "--file",
                "--author",
                "--date",
                "--template",
                "--reuse-message",
                "--trailer",
                "--fixup",
                "--squash",
            ]
            .contains(&&*text)
            {
                words.next();
            }
            continue;
        };
        for (at, letter) in letters.char_indices() {
            match letter {
                'n' => return true,
                'm' | 'F' | 'C' | 'c' | 't' => {
                    if at + 1 == letters.len() {
                        words.next();
                    }
                    break;
                }
                'u' | 'S' => break,
                _ => {}
            }
        }
    }
    false
}

/// `git config NAME VALUE` of a name that runs a program or moves the hooks.
fn config(git: &Git, findings: &mut Vec<Finding>) {
    if git.has(&[
        "--get",
        "--get-all",
        "--get-regexp",
        "--list",
        "-l",
        "--show-origin",
        "--get-urlmatch",
        "--edit",
        "-e",
    ]) {
        return;
    }
    let operands: Vec<&str> = git
        .args
        .iter()
        .map(|word| word.text.as_str())
        .filter(|text| !text.starts_with('-'))
        .collect();
    let operands = match operands.as_slice() {
        ["set" | "unset", rest @ ..] => rest,
        ["get" | "list" | "edit", ..] => return,
        all => all,
    };
    let Some(name) = operands.first().map(|name| name.to_ascii_lowercase()) else {
        return;
    };
    let sets = operands.len() > 1 || git.has(&["--unset", "--unset-all", "--remove-section"]);
    let value = operands.get(1).copied().unwrap_or("");
    if !sets {
        return;
    }
    if name == "core.hookspath" {
        let usual = [".husky", ".githooks", ".hooks", "hooks", "scripts", ".config"]
            .iter()
            .any(|start| value.trim_start_matches("./").starts_with(start));
        let severity = if usual { Severity::Paranoid } else { Severity::Ask };
        found(findings, "skip-hooks", severity, FIX);
    } else if name.starts_with("alias.") && value.starts_with('!') {
        found(
            findings,
            "config-runs",
            Severity::Ask,
            "an alias that runs a shell command runs later, unseen: write the command out where it is used",
        );
    } else if RUNS.iter().any(|pattern| wild(pattern, &name))
        && !matches!(
            value,
            "true"
                | "false"
                | ""
                | "cat"
                | "vim"
                | "nano"
                | "vi"
                | "less"
                | "store"
                | "cache"
                | "osxkeychain"
                | "manager"
        )
    {
        found(
            findings,
            "config-runs",
            Severity::Ask,
            format!("{name} names a program that git runs later, unseen: let the user set it"),
        );
    }
}
