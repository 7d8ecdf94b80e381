//! Commands that change what is protected without naming its file.

use hookbox_pack::git::Git;
use hookbox_pack::touch::program;
use hookbox_pack::{Finding, Severity};
use hookbox_sdk::SimpleCommand;

const SCHEDULED: &str = "this makes a program start by itself: tell the user what to install and why";
const HOOKBOX: &str =
    "this changes or removes hookbox, which guards this session: ask the user to run it in a terminal of their own";
const GIT_RUNS: &str = "git will run what this setting names: ask the user to set it";
const AGENT: &str = "this changes what the agent may do: ask the user to run it";

/// What one command changes in that way.
pub(crate) fn judge(command: &SimpleCommand) -> Option<Finding> {
    let name = program(command);
    let args: Vec<&str> = command.args().iter().map(|word| word.text.as_str()).collect();
    let operands: Vec<&str> = args.iter().copied().filter(|arg| !arg.starts_with('-')).collect();
    let verb = operands.first().copied().unwrap_or("");
    match name.as_str() {
        "crontab" if args.iter().all(|arg| *arg != "-l") => Some(Finding::new("scheduled", Severity::Block, SCHEDULED)),
        "at" | "batch" if !args.iter().any(|arg| matches!(*arg, "-l" | "-c" | "-q")) => {
            Some(Finding::new("scheduled", Severity::Ask, SCHEDULED))
        }
        // A unit of the system's own; one that the agent writes is seen when it is written.
        "systemctl"
            if verb == "enable" && !args.contains(&"--user") && !operands.iter().any(|unit| unit.contains('/')) =>
        {
            Some(Finding::new("scheduled", Severity::Strict, SCHEDULED))
        }
        "systemctl" if matches!(verb, "enable" | "link" | "edit" | "set-default") => {
            Some(Finding::new("scheduled", Severity::Ask, SCHEDULED))
        }
        "launchctl" if matches!(verb, "load" | "bootstrap" | "submit" | "enable") => {
            Some(Finding::new("scheduled", Severity::Ask, SCHEDULED))
        }
        "schtasks" if args.iter().any(|arg| arg.eq_ignore_ascii_case("/create")) => {
            Some(Finding::new("scheduled", Severity::Ask, SCHEDULED))
        }
        "reg"
            if verb == "add"
                && operands
                    .iter()
                    .any(|key| key.to_ascii_lowercase().contains("currentversion\\run")) =>
        {
            Some(Finding::new("scheduled", Severity::Ask, SCHEDULED))
        }
        "visudo" | "vipw" | "vigr" => Some(Finding::new(
            "system-folder",
            Severity::Block,
            "this changes who may do what on this machine: tell the user what the system needs",
        )),
        "hookbox" => hookbox(verb, &args),
        "pkill" | "killall" if operands.iter().any(|name| name.contains("hookbox")) => {
            Some(Finding::new("hookbox", Severity::Block, HOOKBOX))
        }
        "cargo" if verb == "uninstall" && operands.iter().any(|name| name.contains("hookbox")) => {
            Some(Finding::new("hookbox", Severity::Block, HOOKBOX))
        }
        "claude"
            if verb == "config"
                && operands
                    .get(1)
                    .is_some_and(|verb| matches!(*verb, "set" | "add" | "remove")) =>
        {
            Some(Finding::new("agent-settings", Severity::Ask, AGENT))
        }
        "claude" | "codex" | "gemini"
            if verb == "mcp" && operands.get(1).is_some_and(|verb| verb.starts_with("add")) =>
        {
            Some(Finding::new("agent-settings", Severity::Ask, AGENT))
        }
        _ => git(command),
    }
}

fn hookbox(verb: &str, args: &[&str]) -> Option<Finding> {
    if args.iter().any(|arg| matches!(*arg, "--help" | "-h")) {
        return None;
    }
    match verb {
        "init" | "trust" | "remove" | "sign" => Some(Finding::new("hookbox", Severity::Block, HOOKBOX)),
        "add" | "update" => Some(Finding::new("hookbox", Severity::Ask, HOOKBOX)),
        _ => None,
    }
}

/// `git config KEY VALUE` where git runs the value.
fn git(command: &SimpleCommand) -> Option<Finding> {
    let git = Git::parse(command).filter(|git| git.subcommand == "config")?;
    let reads = [
        "--get",
        "--get-all",
        "--get-regexp",
        "--get-urlmatch",
        "--list",
        "-l",
        "--unset",
        "--show-origin",
    ];
    if git.args.iter().any(|word| reads.contains(&word.text.as_str())) {
        return None;
    }
    let mut operands: Vec<&str> = git
        .args
        .iter()
        .map(|word| word.text.as_str())
        .filter(|text| !text.starts_with('-'))
        .collect();
    if matches!(operands.first(), Some(&"set")) {
        operands.remove(0);
    }
    let (key, value) = match operands.as_slice() {
        ["get" | "list" | "unset", ..] => return None,
        [key, value, ..] => (key.to_ascii_lowercase(), *value),
        _ => return None,
    };
    let runs = matches!(
        key.as_str(),
        "core.hookspath"
            | "core.sshcommand"
            | "core.fsmonitor"
            | "init.templatedir"
            | "core.gitproxy"
            | "core.askpass"
            | "gpg.program"
            | "include.path"
            | "diff.external"
    ) || (key.starts_with("alias.") && value.trim_start().starts_with('!'))
        || (key.starts_with("credential.") && key.ends_with("helper") && value.trim_start().starts_with('!'))
        || (key.starts_with("filter.")
            && (key.ends_with(".clean") || key.ends_with(".smudge") || key.ends_with(".process"))
            && !value.starts_with("git-lfs"));
    runs.then(|| {
        let severity = if key == "core.hookspath" && value.starts_with("/dev/null") {
            Severity::Block
        } else {
            Severity::Ask
        };
        Finding::new("git-config", severity, GIT_RUNS)
    })
}
