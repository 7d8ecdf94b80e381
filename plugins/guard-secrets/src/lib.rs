//! guard-secrets: no reading, printing, copying or sending of secrets, by any tool; no keys in prompts and in written files;
//! and what a tool gave back is shown without them.
//!
//! [`files`] knows which files are secrets, [`doors`] how a command reaches them, [`environment`] the secrets that are no
//! files, [`keys`] what a key looks like, [`redact`] how one is taken out. A secret itself never stands in a reason.

mod checksum;
mod doors;
mod environment;
mod files;
mod formats;
mod keys;
mod redact;
mod values;

use files::Secret;
use hookbox_pack::{Finding, Level, Severity, glob, spell, verdict};
use hookbox_sdk::{Action, Basic, Event, FileWrite, Host, Output, Plugin, Search};
use keys::Sure;
use serde::Deserialize;
use serde_json::Value;

/// The settings; their JSON Schema is in `plugin.json`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Settings {
    level: Level,
    /// Files that are no secrets, as globs of paths (`fixtures/**`, `*.test.pem`).
    allow: Vec<String>,
    /// Further files that are, as globs of paths.
    secrets: Vec<String>,
    /// Whether outputs of tools are redacted.
    redact: bool,
    /// Rules that are switched off, by id.
    off: Vec<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            level: Level::Standard,
            allow: Vec::new(),
            secrets: Vec::new(),
            redact: true,
            off: Vec::new(),
        }
    }
}

/// The plugin.
#[derive(Debug)]
pub struct GuardSecrets {
    settings: Settings,
}

impl Plugin for GuardSecrets {
    type Settings = Settings;

    fn configure(settings: Settings) -> Result<Self, String> {
        for (index, pattern) in settings.allow.iter().enumerate() {
            if pattern.chars().all(|c| matches!(c, '*' | '/' | '.')) {
                return Err(format!(
                    "settings.allow[{index}]: {pattern:?} would allow every file: name a folder or an ending"
                ));
            }
        }
        Ok(GuardSecrets { settings })
    }

    fn handle(&self, event: &Event, host: &impl Host) -> Result<Output, String> {
        if event.name == "PostToolUse" {
            return self.redacted(host);
        }
        let mut findings = Vec::new();
        if let Some(prompt) = &event.prompt {
            findings.extend(keys::scan(prompt).first().map(|found| in_prompt(found.kind)));
        }
        for action in event.actions() {
            self.action(event, host, action, &mut findings);
        }
        findings.retain(|finding| !self.settings.off.iter().any(|off| *off == finding.rule));
        Ok(verdict(&findings, self.settings.level))
    }
}

impl GuardSecrets {
    /// What the file of this absolute path holds, by the table and the settings.
    fn secret(&self, path: &str, event: &Event) -> Option<Secret> {
        let named = |patterns: &[String]| {
            patterns.iter().any(|pattern| {
                let relative = path
                    .strip_prefix(event.project.as_str())
                    .map(|rest| rest.trim_start_matches('/'));
                let name = spell::name(path);
                [Some(path), relative, Some(name)]
                    .into_iter()
                    .flatten()
                    .any(|text| glob::matches(pattern, text))
            })
        };
        if named(&self.settings.allow) {
            return None;
        }
        if named(&self.settings.secrets) {
            return Some(Secret {
                kind: "secret of this project",
                severity: Severity::Block,
            });
        }
        files::secret(path, &event.home)
    }

    fn action(&self, event: &Event, host: &impl Host, action: &Action, findings: &mut Vec<Finding>) {
        let at = |path: &str| self.secret(&spell::absolute(path, &event.cwd, &event.home), event);
        match action {
            Action::Run(command) => {
                let analysis = host.analyze(&command.text, &command.shell);
                doors::line(self, event, &analysis, &command.text, findings);
                findings.extend(strongest(&command.text).and_then(|(kind, sure)| in_command(kind, sure)));
            }
            Action::Read(path) => findings.extend(at(path).map(|secret| file_finding("read", secret))),
            Action::Search(search) => self.search(event, search, findings),
            Action::Write(write) => self.write(event, host, write, at(&write.path), findings),
            Action::Fetch(url) => {
                if url.starts_with("file:") {
                    findings.extend(at(url).map(|secret| file_finding("read", secret)));
                }
                findings.extend(strongest(url).and_then(|(kind, sure)| in_command(kind, sure)));
            }
            Action::Call(call) => {
                findings.extend(strongest(&call.arguments).and_then(|(kind, sure)| in_command(kind, sure)));
                self.arguments(event, &call.arguments, findings);
            }
            Action::Delete(_) => {}
        }
    }

    fn search(&self, event: &Event, search: &Search, findings: &mut Vec<Finding>) {
        let path = search.path.as_deref().unwrap_or(".");
        let secret = self.secret(&spell::absolute(path, &event.cwd, &event.home), event);
        // Searching by name (the glob is the pattern) shows names and no content.
        let names_only = search.glob.as_deref() == Some(search.pattern.as_str());
        let by_glob = search.glob.as_deref().filter(|_| !names_only).and_then(|glob| {
            let any = glob::braces(glob);
            let plain = any
                .iter()
                .find_map(|glob| self.secret(&spell::absolute(glob, &event.cwd, &event.home), event));
            plain.or_else(|| files::glob_names_secret(glob, false))
        });
        if !names_only {
            findings.extend(secret.or(by_glob).map(|secret| file_finding("read", secret)));
        }
    }

    fn write(
        &self,
        event: &Event,
        host: &impl Basic,
        write: &FileWrite,
        secret: Option<Secret>,
        findings: &mut Vec<Finding>,
    ) {
        if let Some(secret) = secret {
            let reason = format!(
                "this changes a file that holds secrets ({}): tell the user what should be in it, or write a template (`.env.example`)",
                secret.kind
            );
            findings.push(Finding::new("write-secret-file", Severity::Ask, reason));
            return;
        }
        let Some((kind, sure)) = host.content(write).as_deref().and_then(strongest) else {
            return;
        };
        let path = spell::absolute(&write.path, &event.cwd, &event.home).to_ascii_lowercase();
        let severity = match sure {
            Sure::Certain if in_tests(&path) => Severity::Ask,
            Sure::Certain => Severity::Block,
            Sure::Likely if !in_tests(&path) => Severity::Ask,
            Sure::Guess if is_configuration(&path) && !in_tests(&path) => Severity::Ask,
            Sure::Likely | Sure::Guess => Severity::Strict,
        };
        let reason = format!(
            "this writes what looks like a secret ({kind}) into a file: read it from the environment or a secret store; in examples and tests use a placeholder (`EXAMPLE`)"
        );
        findings.push(Finding::new("write-secret", severity, reason));
    }

    /// Paths among the arguments of a call whose tool hookbox does not know.
    fn arguments(&self, event: &Event, arguments: &str, findings: &mut Vec<Finding>) {
        let Ok(value) = serde_json::from_str::<Value>(arguments) else {
            return;
        };
        let Some(fields) = value.as_object() else { return };
        for (name, field) in fields {
            let name = name.to_ascii_lowercase();
            if !["path", "file", "uri", "source", "src"]
                .iter()
                .any(|part| name.contains(part))
            {
                continue;
            }
            let one = field.as_str().into_iter();
            let many = field.as_array().into_iter().flatten().filter_map(Value::as_str);
            for path in one.chain(many).filter(|path| path.len() < 4096) {
                let secret = self.secret(&spell::absolute(path, &event.cwd, &event.home), event);
                findings.extend(secret.map(|secret| file_finding("read", secret)));
            }
        }
    }

    fn redacted(&self, host: &impl Basic) -> Result<Output, String> {
        let Some(text) = host.payload_text("/tool_response").filter(|_| self.settings.redact) else {
            return Ok(Output::none());
        };
        // Most outputs hold nothing: the text is looked at before it is taken apart.
        if keys::scan(&text).is_empty() {
            return Ok(Output::none());
        }
        let mut value: Value = serde_json::from_str(&text).map_err(|error| format!("tool_response: {error}"))?;
        let changed = redact::value(&mut value);
        if changed == 0 {
            return Ok(Output::none());
        }
        Ok(Output {
            updated_output: Some(value.to_string()),
            rule: Some("redact".into()),
            additional_context: Some(
                "guard-secrets took secrets out of this output; `[redacted: KIND]` stands in their places.".into(),
            ),
            ..Output::none()
        })
    }
}

fn strongest(text: &str) -> Option<(&'static str, Sure)> {
    keys::scan(text)
        .into_iter()
        .max_by_key(|found| found.sure)
        .map(|found| (found.kind, found.sure))
}

/// A file that is read, copied or committed.
pub(crate) fn file_finding(verb: &'static str, secret: Secret) -> Finding {
    let rule = match verb {
        "commit" => "commit-secret-file",
        "copy" => "copy-secret-file",
        _ => "read-secret-file",
    };
    let reason = match verb {
        "commit" => format!(
            "this puts a secret ({}) into the repository: add it to `.gitignore`, and commit a template",
            secret.kind
        ),
        _ => format!(
            "this would {verb} a secret ({}): {}",
            secret.kind,
            files::instead(secret.kind)
        ),
    };
    Finding::new(rule, secret.severity, reason)
}

fn in_prompt(kind: &str) -> Finding {
    Finding::new(
        "secret-in-prompt",
        Severity::Block,
        format!(
            "the prompt holds what looks like a secret ({kind}): it was not sent. Take it out, put it into an environment variable or `.env`, and name the variable instead; if it was ever sent, replace it"
        ),
    )
}

fn in_command(kind: &str, sure: Sure) -> Option<Finding> {
    let severity = if sure == Sure::Certain {
        Severity::Block
    } else {
        Severity::Strict
    };
    let reason = format!(
        "this call holds what looks like a secret ({kind}), which ends up in histories and logs: put it into an environment variable and use `\"$NAME\"`"
    );
    Some(Finding::new("secret-in-command", severity, reason))
}

fn in_tests(path: &str) -> bool {
    const PLACES: [&str; 12] = [
        "/test/",
        "/tests/",
        "/__tests__/",
        "/testdata/",
        "/fixtures/",
        "/spec/",
        "/examples/",
        "/docs/",
        "_test.",
        ".test.",
        ".spec.",
        "/mocks/",
    ];
    PLACES.iter().any(|place| path.contains(place)) || path.ends_with(".md") || path.ends_with(".mdx")
}

fn is_configuration(path: &str) -> bool {
    const ENDINGS: [&str; 12] = [
        "json",
        "yaml",
        "yml",
        "toml",
        "ini",
        "properties",
        "tf",
        "conf",
        "cfg",
        "config",
        "xml",
        "env",
    ];
    let name = spell::name(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    let lock = name.contains("lock") || name == "go.sum";
    !lock && (ENDINGS.contains(&extension) || name.starts_with("dockerfile") || name.starts_with("docker-compose"))
}

#[cfg(target_arch = "wasm32")]
#[cfg(feature = "component")]
hookbox_sdk::export!(GuardSecrets);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cases_of_the_plugin() {
        hookbox_sdk::test::run_cases::<GuardSecrets>(include_str!("../cases.toml"));
    }
}
