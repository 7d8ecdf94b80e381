//! guard-network: no hosts that are not allowed, no download that is run unseen, no data that leaves, no shell for another
//! machine.
//!
//! [`url`] finds the host whatever the notation, [`hosts`] and [`names`] say what is wrong with one, [`programs`] where a command
//! names it, [`pipes`] and [`sends`] what becomes of the data.

mod hosts;
mod names;
mod pipes;
mod programs;
mod sends;
mod url;

use hookbox_pack::touch::program;
use hookbox_pack::{Finding, Level, Severity, powershell, verdict};
use hookbox_sdk::{Action, Event, Host, Output, Plugin, SimpleCommand};
use hosts::HostRule;
use serde::Deserialize;
use url::Target;

/// The settings; their JSON Schema is in `plugin.json`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Settings {
    level: Level,
    /// The only hosts that may be reached, beside this machine. Empty: every host that is not dangerous.
    allow: Vec<String>,
    /// Hosts that may not be reached.
    deny: Vec<String>,
    /// Hosts whose downloads may be piped into a shell.
    installers: Vec<String>,
    /// Rules that are switched off, by id.
    off: Vec<String>,
}

/// The plugin.
#[derive(Debug)]
pub struct GuardNetwork {
    level: Level,
    allow: Vec<HostRule>,
    deny: Vec<HostRule>,
    installers: Vec<HostRule>,
    off: Vec<String>,
}

impl Plugin for GuardNetwork {
    type Settings = Settings;

    fn configure(settings: Settings) -> Result<Self, String> {
        let rules = |entries: &[String], name: &str| -> Result<Vec<HostRule>, String> {
            entries
                .iter()
                .enumerate()
                .map(|(index, entry)| HostRule::new(entry, &format!("settings.{name}[{index}]")))
                .collect()
        };
        Ok(GuardNetwork {
            level: settings.level,
            allow: rules(&settings.allow, "allow")?,
            deny: rules(&settings.deny, "deny")?,
            installers: rules(&settings.installers, "installers")?,
            off: settings.off,
        })
    }

    fn handle(&self, event: &Event, host: &impl Host) -> Result<Output, String> {
        let mut findings = Vec::new();
        for action in event.actions() {
            match action {
                Action::Run(command) => {
                    let analysis = host.analyze(&command.text, &command.shell);
                    let complete = analysis.complete;
                    let commands = powershell::commands(host, &command.text, &analysis);
                    self.line(event, &commands, &mut findings);
                    let runs = |one: &SimpleCommand| {
                        matches!(program(one).as_str(), "iex" | "invoke-expression")
                            && one.args().iter().all(|word| !word.known)
                    };
                    let spoken = command.shell == "powershell"
                        || (!complete && powershell::spoken(&command.text))
                        || commands.iter().any(runs);
                    if spoken && pipes::fetching_powershell(&command.text.to_ascii_lowercase()) {
                        findings.push(Finding::new("download-into-shell", Severity::Block, "this runs whatever the server sends: save it, let the user look at it, run it in a second step"));
                    }
                    if !complete {
                        not_understood(&command.text, &commands, &mut findings);
                    }
                }
                Action::Fetch(url) => match url::target(url) {
                    Some(target) => self.target(&target, &mut findings),
                    None => self.unknown(&mut findings),
                },
                Action::Call(call) => urls(&call.arguments)
                    .iter()
                    .for_each(|target| self.target(target, &mut findings)),
                Action::Read(_) | Action::Write(_) | Action::Delete(_) | Action::Search(_) => {}
            }
        }
        findings.retain(|finding| !self.off.iter().any(|off| *off == finding.rule));
        Ok(verdict(&findings, self.level))
    }
}

impl GuardNetwork {
    fn line(&self, event: &Event, line: &[SimpleCommand], findings: &mut Vec<Finding>) {
        let trusted = |command: &SimpleCommand| {
            let targets = programs::targets(command);
            !targets.is_empty()
                && targets
                    .iter()
                    .all(|target| target.scheme == "https" && self.installers.iter().any(|rule| rule.covers(target)))
        };
        pipes::judge(line, &trusted, findings);
        for command in line {
            for target in programs::targets(command) {
                self.target(&target, findings);
            }
            sends::judge(event, command, line, findings);
            careful(command, findings);
            self.code(command, findings);
        }
    }

    fn target(&self, target: &Target, findings: &mut Vec<Finding>) {
        hosts::judge(target, findings);
        if self.deny.iter().any(|rule| rule.covers(target)) {
            let reason = format!(
                "the settings deny the host {}: use another source, or ask the user",
                hosts::shown(&target.host.name)
            );
            findings.push(Finding::new("host-denied", Severity::Block, reason));
        }
        if self.allow.is_empty() || hosts::local(&target.host) || self.allow.iter().any(|rule| rule.covers(target)) {
            return;
        }
        if target.host.unknown {
            self.unknown(findings);
            return;
        }
        let reason = format!(
            "the settings allow a list of hosts, and {} is not on it: use one that is, or ask the user to add it",
            hosts::shown(&target.host.name)
        );
        findings.push(Finding::new("host-not-allowed", Severity::Block, reason));
    }

    /// A host that is only known when the command runs.
    fn unknown(&self, findings: &mut Vec<Finding>) {
        if !self.allow.is_empty() {
            findings.push(Finding::new(
                "host-unknown",
                Severity::Ask,
                "the settings allow a list of hosts, and the host of this request cannot be known: write it out",
            ));
        }
    }

    /// Hosts in the text of a program that an interpreter is given.
    fn code(&self, command: &SimpleCommand, findings: &mut Vec<Finding>) {
        if !programs::interpreter(&program(command)) || programs::shell(&program(command)) {
            return;
        }
        for word in command.args() {
            let targets = urls(&word.text);
            if sends::code_sends(&word.text) && targets.iter().any(|target| !hosts::local(&target.host)) {
                findings.push(Finding::new("upload", Severity::Ask, sends::UPLOAD));
            }
            for target in targets {
                self.target(&target, findings);
            }
        }
    }
}

/// Every URL in a text, at most a few hundred.
fn urls(text: &str) -> Vec<Target> {
    const MOST: usize = 256;
    let bytes = text.as_bytes();
    let places = text.match_indices("://").take(MOST);
    let found = places.filter_map(|(at, _)| {
        let scheme = bytes[..at]
            .iter()
            .rev()
            .take(16)
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
            .count();
        let rest = &text[at..];
        let ends =
            |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>' | ')' | ']' | '}' | '|' | ',');
        // `\` may begin an escape of JSON, or hide the host's end; both are looked at.
        let end = rest
            .char_indices()
            .skip(3)
            .find(|(at, c)| ends(*c) && !(*c == ']' && rest[..*at].contains("://[")))
            .map_or(rest.len(), |(at, _)| at);
        url::target(&text[at - scheme..at + end.min(2048.min(rest.len()))])
    });
    found.filter(|target| !target.scheme.is_empty()).collect()
}

/// What strict levels want to see.
fn careful(command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let name = program(command);
    let args: Vec<&str> = command.args().iter().map(|word| word.text.as_str()).collect();
    let verb = args.iter().copied().find(|arg| !arg.starts_with('-')).unwrap_or("");
    let has_url = args.iter().any(|arg| arg.contains("://"));
    match name.as_str() {
        "git"
            if args
                .windows(2)
                .any(|pair| pair[0] == "remote" && matches!(pair[1], "add" | "set-url"))
                || (args.contains(&"push") && args.iter().any(|arg| arg.contains("://") || arg.contains('@'))) =>
        {
            findings.push(Finding::new(
                "git-remote",
                Severity::Strict,
                "this sends commits to a host that the repository did not know: ask the user",
            ));
        }
        "pip" | "pip3" | "npm" | "pnpm" | "yarn" | "gem" | "uv" | "pipx" | "poetry" | "bun"
            if has_url && matches!(verb, "install" | "i" | "add" | "tool" | "pip") =>
        {
            findings.push(Finding::new(
                "package-from-url",
                Severity::Strict,
                "this installs a package from a URL: use the registry's own name and version",
            ));
        }
        "pip" | "pip3" if args.iter().any(|arg| arg.starts_with("--trusted-host")) => {
            findings.push(Finding::new(
                "insecure",
                Severity::Strict,
                "this skips the check of the server's certificate",
            ));
        }
        "curl"
            if args.iter().any(|arg| {
                *arg == "--insecure" || (arg.starts_with('-') && !arg.starts_with("--") && arg.contains('k'))
            }) =>
        {
            findings.push(Finding::new(
                "insecure",
                Severity::Strict,
                "this skips the check of the server's certificate: add the authority with `--cacert`",
            ));
        }
        "wget" if args.contains(&"--no-check-certificate") => {
            findings.push(Finding::new(
                "insecure",
                Severity::Strict,
                "this skips the check of the server's certificate",
            ));
        }
        "kubectl" | "helm" if has_url && matches!(verb, "apply" | "create" | "install" | "upgrade") => {
            findings.push(Finding::new(
                "manifest-from-url",
                Severity::Strict,
                "this applies what a URL holds: download it and look at it first",
            ));
        }
        _ => {}
    }
}

/// A line that could not be understood: if it speaks of a download and of a shell, or of a socket, ask.
fn not_understood(text: &str, line: &[SimpleCommand], findings: &mut Vec<Finding>) {
    // What was understood has been judged.
    let seen = |names: &[&str]| line.iter().any(|command| names.contains(&program(command).as_str()));
    let sockets = line
        .iter()
        .flat_map(|command| &command.redirects)
        .any(|redirect| redirect.target.text.starts_with("/dev/tcp/"));
    let words = || text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.' || c == '/'));
    let any = |names: &[&str]| words().any(|word| names.contains(&word));
    let piped = text.contains('|') || text.contains("<(") || text.contains("$(");
    let downloads = any(&["curl", "wget", "/usr/bin/curl", "/usr/bin/wget"]);
    let shells = any(&["eval", "source"])
        || text.split('|').skip(1).any(|part| {
            matches!(
                part.split_whitespace().next(),
                Some("sh" | "bash" | "zsh" | "python" | "python3" | "perl" | "sudo")
            )
        });
    if !sockets && text.contains("/dev/tcp/") && any(&["bash", "sh", "exec"]) {
        findings.push(Finding::new(
            "unclear-network",
            Severity::Ask,
            "this command cannot be understood and opens a socket: write it as simple commands",
        ));
    } else if downloads && !seen(&["curl", "wget"]) && piped && shells {
        findings.push(Finding::new(
            "unclear-network",
            Severity::Ask,
            "this command cannot be understood and may run what it downloads: write it as simple commands",
        ));
    }
}

#[cfg(target_arch = "wasm32")]
#[cfg(feature = "component")]
hookbox_sdk::export!(GuardNetwork);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cases_of_the_plugin() {
        hookbox_sdk::test::run_cases::<GuardNetwork>(include_str!("../cases.toml"));
    }
}
