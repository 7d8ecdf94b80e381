//! guard-git: no force pushes, nothing that rewrites or removes protected branches, no skipped hooks.
//!
//! [`push`] resolves where a push would land, [`repository`] reads what the repository itself says (the current branch,
//! aliases; by the grant `read` on `.git/HEAD` and `.git/config`), [`branches`] and [`hooks`] hold the other rules. Work
//! that is thrown away on this machine alone (`reset --hard`, `clean`) is guard-commands' business.

mod branches;
mod hooks;
mod push;
mod repository;

use hookbox_pack::git::{Alias, Git};
use hookbox_pack::words::{program, wild};
use hookbox_pack::{AllowList, Finding, Level, Severity, verdict};
use hookbox_sdk::{Action, Event, Host, Output, Plugin, SimpleCommand};
use repository::Repository;
use serde::Deserialize;

/// The settings; their JSON Schema is in `plugin.json`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Settings {
    level: Level,
    /// Command lines that pass.
    allow: Vec<String>,
    /// Branches that are protected: names, `*` for any text.
    protected: Vec<String>,
    /// How far; none: what the level says.
    protect: Option<Protect>,
    /// Rules that are switched off, by id.
    off: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        let protected = ["main", "master", "trunk", "develop", "production", "release/*"];
        Settings {
            level: Level::default(),
            allow: Vec::new(),
            protected: protected.map(str::to_string).to_vec(),
            protect: None,
            off: Vec::new(),
        }
    }
}

/// What a protected branch is protected from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protect {
    /// From being overwritten and deleted.
    Force,
    /// From every push too.
    Push,
    /// From commits too.
    Commit,
}

/// The plugin.
#[derive(Debug)]
pub struct GuardGit {
    level: Level,
    allow: AllowList,
    protected: Vec<String>,
    protect: Protect,
    off: Vec<String>,
}

/// How deep aliases and the command lines in them are followed.
const DEPTH: usize = 4;

impl Plugin for GuardGit {
    type Settings = Settings;

    fn configure(settings: Settings) -> Result<Self, String> {
        let by_level = match settings.level {
            Level::Standard => Protect::Force,
            Level::Strict => Protect::Push,
            Level::Paranoid => Protect::Commit,
        };
        Ok(GuardGit {
            level: settings.level,
            allow: AllowList::new(&settings.allow)?,
            protected: settings.protected,
            protect: settings.protect.unwrap_or(by_level),
            off: settings.off,
        })
    }

    fn handle(&self, event: &Event, host: &impl Host) -> Result<Output, String> {
        let mut findings = Vec::new();
        for action in event.actions() {
            if let Action::Run(command) = action {
                self.line(event, host, &command.text, &command.shell, 0, &mut findings);
            }
        }
        findings.retain(|finding| !self.off.iter().any(|off| *off == finding.rule));
        Ok(verdict(&findings, self.level))
    }
}

impl GuardGit {
    fn line(
        &self,
        event: &Event,
        host: &impl Host,
        text: &str,
        shell: &str,
        depth: usize,
        findings: &mut Vec<Finding>,
    ) {
        for command in &host.analyze(text, shell).commands {
            if self.allow.allows(command) {
                continue;
            }
            hooks::judge_command(command, findings);
            for git in calls(command) {
                let repository = Repository::find(event, host, command, &git);
                self.call(event, host, &git, &repository, depth, findings);
            }
        }
    }

    /// Judges one call of git: first what an alias makes of it.
    fn call<H: Host>(
        &self,
        event: &Event,
        host: &H,
        git: &Git,
        repository: &Repository<'_, H>,
        depth: usize,
        findings: &mut Vec<Finding>,
    ) {
        if depth < DEPTH
            && let Some(alias) = repository.alias(git)
        {
            return match git.expand(&alias) {
                Alias::Git(git) => self.call(event, host, &git, repository, depth + 1, findings),
                Alias::Shell(text) => self.line(event, host, &text, "bash", depth + 1, findings),
            };
        }
        if git.args.first().is_some_and(|word| word.text == "--help") {
            return; // Its page of the manual, whatever follows.
        }
        push::judge(self, git, repository, findings);
        branches::judge(self, git, repository, findings);
        hooks::judge(git, findings);
    }

    /// Whether a branch is protected. Its whole name counts: `feature/main` is another branch than `main`.
    fn is_protected(&self, branch: &str) -> bool {
        let branch = branch
            .strip_prefix("refs/heads/")
            .or_else(|| branch.strip_prefix("heads/"))
            .unwrap_or(branch);
        self.protected.iter().any(|pattern| {
            if pattern.contains('*') {
                wild(pattern, branch)
            } else {
                pattern == branch
            }
        })
    }
}

/// The command as git, or git behind a wrapper that nobody knows.
fn calls(command: &SimpleCommand) -> Vec<Git> {
    if let Some(git) = Git::parse(command) {
        return vec![git];
    }
    let name = command.argv.first().map_or(String::new(), |word| program(&word.text));
    let data = [
        "echo", "printf", "grep", "rg", "ag", "ack", "egrep", "fgrep", "man", "which", "type", "hash", "whereis",
        "cat", "cd", "ls", "test", "[", "command", "apt", "apt-get", "brew", "dnf", "yum", "apk", "pacman", "npm",
        "pip", "gh", "glab", "jq", "sed", "awk",
    ];
    if data.contains(&name.as_str()) {
        return Vec::new();
    }
    let at = command
        .argv
        .iter()
        .skip(1)
        .position(|word| word.known && program(&word.text) == "git" && !word.text.contains(' '));
    let Some(at) = at else { return Vec::new() };
    Git::parse(&SimpleCommand {
        argv: command.argv[at + 1..].to_vec(),
        ..command.clone()
    })
    .into_iter()
    .collect()
}

/// A finding.
fn found(findings: &mut Vec<Finding>, rule: &'static str, severity: Severity, reason: impl Into<String>) {
    findings.push(Finding::new(rule, severity, reason.into()));
}

#[cfg(target_arch = "wasm32")]
#[cfg(feature = "component")]
hookbox_sdk::export!(GuardGit);
