//! guard-paths: no writes outside the project, into system folders or through symlinks that lead there; nothing that changes
//! the agent's own settings and hooks, hookbox, or what starts by itself. Reading is free (secrets are guard-secrets').
//!
//! [`protected`] is the table of files that control something, [`zones`] says where a path is, [`commands`] what changes
//! them without naming a file. Which files a command touches is the pack's (`touch`).

mod commands;
mod protected;
mod zones;

use hookbox_pack::touch::{self, Access};
use hookbox_pack::{Finding, Level, Severity, glob, spell, verdict};
use hookbox_sdk::{Action, Event, Host, Output, Plugin, SimpleCommand, Word};
use serde::Deserialize;
use serde_json::Value;
use zones::{Folders, Zone};

/// The settings; their JSON Schema is in `plugin.json`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Settings {
    level: Level,
    /// Paths that may be written beside the project: globs; relative ones are the project's, `~/` is home.
    allow: Vec<String>,
    /// Paths that nothing may change: globs of the same kind.
    protect: Vec<String>,
    /// Rules that are switched off, by id.
    off: Vec<String>,
}

/// The plugin.
#[derive(Debug)]
pub struct GuardPaths {
    settings: Settings,
}

/// How many of a line's files are followed through symlinks: the rest is judged by name.
const FOLLOWED: usize = 64;
/// How many words of a line that was not understood are looked at.
const MOST_WORDS: usize = 2_000;

impl Plugin for GuardPaths {
    type Settings = Settings;

    fn configure(settings: Settings) -> Result<Self, String> {
        for (index, pattern) in settings.allow.iter().enumerate() {
            if pattern.chars().all(|c| matches!(c, '*' | '/' | '.' | '~')) {
                return Err(format!(
                    "settings.allow[{index}]: {pattern:?} would allow every path: name a folder"
                ));
            }
        }
        Ok(GuardPaths { settings })
    }

    fn handle(&self, event: &Event, host: &impl Host) -> Result<Output, String> {
        let mut judge = Judge {
            settings: &self.settings,
            event,
            host,
            folders: Folders::new(&event.project, &event.cwd, &event.home),
            followed: 0,
            links: Vec::new(),
            findings: Vec::new(),
        };
        for action in event.actions() {
            judge.action(action);
        }
        let mut findings = judge.findings;
        findings.retain(|finding| !self.settings.off.iter().any(|off| *off == finding.rule));
        Ok(verdict(&findings, self.settings.level))
    }
}

struct Judge<'a, H> {
    settings: &'a Settings,
    event: &'a Event,
    host: &'a H,
    folders: Folders,
    followed: usize,
    /// Links that the line makes: where, and what they point to.
    links: Vec<(String, String)>,
    findings: Vec<Finding>,
}

/// Who changes a file: the agent's own tool, or a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Tool,
    Command,
}

impl<H: Host> Judge<'_, H> {
    fn action(&mut self, action: &Action) {
        match action {
            Action::Write(write) => self.path(&write.path, Access::Write, By::Tool),
            Action::Delete(path) => self.path(path, Access::Delete, By::Tool),
            Action::Run(command) => {
                let analysis = self.host.analyze(&command.text, &command.shell);
                for command in &analysis.commands {
                    self.command(command);
                }
                if !analysis.complete {
                    self.not_understood(&command.text, &analysis.commands);
                }
            }
            Action::Call(call) => self.call(&call.tool, &call.arguments),
            Action::Read(_) | Action::Search(_) | Action::Fetch(_) => {}
        }
    }

    fn command(&mut self, command: &SimpleCommand) {
        self.findings.extend(commands::judge(command));
        // A container has files of its own.
        if command.via.iter().any(|via| inside_container(via)) {
            return;
        }
        let cwd = command
            .cwd
            .as_ref()
            .map(|cwd| spell::absolute(&cwd.text, &self.event.cwd, &self.event.home));
        let absolute = |path: &str| spell::absolute(path, cwd.as_deref().unwrap_or(&self.event.cwd), &self.event.home);
        let links = matches!(touch::program(command).as_str(), "ln" | "link" | "gln" | "mount");
        let mut copied = Vec::new();
        let mut linked = Vec::new();
        for touch in touch::touches(command) {
            let (Access::Copy, Some(to)) = (touch.access, touch.to.as_deref()) else {
                continue;
            };
            let (from, to) = (absolute(&touch.path.text), absolute(to));
            // `cp settings.json .claude/` writes `.claude/settings.json`.
            let into = format!("{to}/{}", spell::name(&from));
            if links {
                linked.extend([(to, from.clone()), (into.clone(), from)]);
            }
            copied.push(into);
        }
        self.links.extend(linked);
        for path in copied {
            if let Some(row) =
                protected::protected(&path, &self.event.home).filter(|row| row.severity == Severity::Block)
            {
                self.protected(row, Access::Write);
            }
        }
        for touch in touch::touches(command) {
            if !matches!(touch.access, Access::Read | Access::Send | Access::Copy) {
                self.word(&touch.path, touch.access, cwd.as_deref());
            }
        }
    }

    /// A word of a command: a path, a glob, or something that is known only in part.
    fn word(&mut self, word: &Word, access: Access, cwd: Option<&str>) {
        let text = word.text.as_str();
        if text.is_empty() || text.len() > 4096 || text.contains('\n') {
            return;
        }
        if !word.known && starts_unknown(text) {
            let temporary = [
                "$TMPDIR",
                "${TMPDIR",
                "$TMP",
                "$(mktemp",
                "`mktemp",
                "$RUNNER_TEMP",
                "%TEMP%",
                "$env:TEMP",
            ];
            if temporary.iter().any(|name| text.starts_with(name)) && !text.contains("..") {
                return;
            }
            // The folder is unknown, the rest may still tell.
            let rest = text.find('/').map_or("", |at| &text[at..]);
            let unknown = format!("/{{unknown}}{rest}");
            if let Some(row) = protected::protected(&unknown, &self.event.home).filter(|row| !row.rule.is_empty()) {
                self.protected(row, access);
            } else if matches!(access, Access::Write | Access::Delete) {
                self.findings.push(Finding::new(
                    "unknown-target",
                    Severity::Strict,
                    "where this writes cannot be known: write the path out",
                ));
            }
            return;
        }
        let base = cwd.unwrap_or(&self.event.cwd);
        let path = spell::absolute(text, base, &self.event.home);
        if text.contains(['*', '?', '[']) && access != Access::Make {
            self.glob(&path, access);
        }
        self.absolute(&path, access, By::Command);
        // A link that the same line makes is not there yet.
        let through = self.links.iter().find_map(|(link, target)| {
            let rest = path.strip_prefix(link.as_str())?;
            (rest.is_empty() || rest.starts_with('/')).then(|| (format!("{target}{rest}"), link.len() < path.len()))
        });
        if let Some((real, true)) = through {
            self.place(&real, access, By::Command, Some(&path));
        }
    }

    /// What a shell may expand a glob to.
    fn glob(&mut self, pattern: &str, access: Access) {
        let folders = [self.event.project.clone(), self.event.home.clone()];
        let meant = folders.iter().flat_map(|folder| {
            protected::EXAMPLES
                .iter()
                .map(move |example| format!("{}/{example}", folder.trim_end_matches('/')))
        });
        let hit = meant.filter(|path| glob::expands_to(pattern, path)).find_map(|path| {
            let row = protected::protected(&path, &self.event.home).filter(|row| !row.rule.is_empty());
            row.or_else(|| protected::holder(&path).filter(|_| access == Access::Delete))
        });
        if let Some(row) = hit {
            self.protected(row, access);
        }
    }

    fn path(&mut self, path: &str, access: Access, by: By) {
        let path = spell::absolute(path, &self.event.cwd, &self.event.home);
        self.absolute(&path, access, by);
    }

    /// A path, as it is spelled and where its symlinks lead.
    fn absolute(&mut self, path: &str, access: Access, by: By) {
        let before = self.findings.len();
        self.place(path, access, by, None);
        if self.followed >= FOLLOWED || self.findings.len() > before {
            return;
        }
        self.followed += 1;
        let Ok(real) = self.host.resolve(path) else { return };
        let real = spell::absolute(&real, &self.event.cwd, &self.event.home);
        if real == *path {
            return;
        }
        // Where the project itself is reached through a symlink, its real place is the project too.
        for folder in self.folders.project.clone() {
            if let Ok(folder) = self.host.resolve(&folder) {
                let folder = spell::absolute(&folder, "/", &self.event.home);
                if !self.folders.project.contains(&folder) && folder != "/" {
                    self.folders.project.push(folder);
                }
            }
        }
        self.place(&real, access, by, Some(path));
    }

    fn place(&mut self, path: &str, access: Access, by: By, link: Option<&str>) {
        if self.listed(&self.settings.protect, path) {
            self.findings.push(Finding::new(
                "protected-path",
                Severity::Block,
                "the settings protect this path: leave it as it is, and tell the user what should change",
            ));
            return;
        }
        if self.listed(&self.settings.allow, path) {
            return;
        }
        if matches!(access, Access::Delete | Access::Change)
            && let Some(row) = protected::holder(path)
        {
            self.protected(row, access);
            return;
        }
        if let Some(row) = protected::protected(path, &self.event.home) {
            if !row.rule.is_empty() {
                self.protected(row, access);
            }
            // A file of a home folder or of the system is judged by its row alone.
            if row.rule.is_empty() || row.severity != Severity::Strict {
                return;
            }
        }
        let zone = self.folders.zone(path);
        if let Some((rule, severity, reason)) = outside(zone, access, by) {
            let reason = match link {
                Some(_) => format!("a symlink leads out of the project here: {reason}"),
                None => reason.to_string(),
            };
            let (rule, severity) = match link {
                // Nobody names a symlink by accident: it is no work in a far folder.
                Some(_) => ("symlink-out", severity.max(Severity::Ask)),
                None => (rule, severity),
            };
            self.findings.push(Finding::new(rule, severity, reason));
        }
    }

    fn protected(&mut self, row: &'static protected::Protected, access: Access) {
        let severity = match access {
            Access::Make => Severity::Strict,
            // `chmod +x` of an own hook is ordinary; of an agent's or hookbox's it is not.
            Access::Change if row.rule.starts_with("agent") || row.rule == "hookbox" => row.severity,
            Access::Change => Severity::Strict,
            _ => row.severity,
        };
        self.findings.push(Finding::new(row.rule, severity, row.reason));
    }

    /// Whether a glob of the settings means this path.
    fn listed(&self, patterns: &[String], path: &str) -> bool {
        patterns.iter().any(|pattern| {
            let pattern = match pattern.strip_prefix("~/") {
                Some(rest) => format!("{}/{rest}", self.event.home.trim_end_matches('/')),
                None if pattern.starts_with('/') || pattern.starts_with("**/") => pattern.clone(),
                None => format!("{}/{pattern}", self.event.project.trim_end_matches('/')),
            };
            let pattern = pattern.trim_end_matches('/');
            glob::matches(pattern, path) || glob::matches(&format!("{pattern}/**"), path)
        })
    }

    /// A tool that hookbox does not know: by its name and what its arguments call a path.
    fn call(&mut self, tool: &str, arguments: &str) {
        let tool = tool.to_ascii_lowercase();
        let writes = [
            "write", "edit", "create", "save", "update", "append", "put", "patch", "move", "rename", "copy", "replace",
            "insert",
        ];
        let deletes = ["delete", "remove", "trash"];
        let access = if deletes.iter().any(|verb| tool.contains(verb)) {
            Access::Delete
        } else if writes.iter().any(|verb| tool.contains(verb)) {
            Access::Write
        } else {
            return;
        };
        let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(arguments) else {
            return;
        };
        for (name, field) in &fields {
            let name = name.to_ascii_lowercase();
            let names_path = name.contains("path")
                || name.contains("file")
                || matches!(name.as_str(), "destination" | "target" | "dest" | "to");
            if let (true, Some(path)) = (names_path, field.as_str())
                && path.len() < 4096
                && (path.starts_with(['/', '~', '.']) || path.contains('/') || path.contains('\\'))
                && !path.contains("://")
            {
                self.path(path, access, By::Command);
            }
        }
    }

    /// A line that could not be understood: if one of its words names something protected, ask.
    fn not_understood(&mut self, text: &str, line: &[SimpleCommand]) {
        let changes = text.contains('>')
            || ["tee", "cp ", "mv ", "sed", "write", "rm ", "ln ", "install", "open("]
                .iter()
                .any(|word| text.contains(word));
        let mut words = touch::unread(text, line)
            .filter(|word| word.contains(['/', '.']))
            .take(MOST_WORDS);
        let named = words.find_map(|word| {
            let path = spell::absolute(word, &self.event.cwd, &self.event.home);
            protected::protected(&path, &self.event.home)
                .filter(|row| row.severity == Severity::Block && !row.rule.is_empty())
        });
        if let (true, Some(_)) = (changes, named) {
            self.findings.push(Finding::new(
                "unclear-target",
                Severity::Ask,
                "this command cannot be understood and mentions a protected file: write it as simple commands",
            ));
        }
    }
}

/// Whether a word begins with something that only the shell will know.
fn starts_unknown(text: &str) -> bool {
    text.starts_with(['$', '`', '%']) || text.starts_with("<(") || text.starts_with(">(")
}

/// Whether a step on the way to a command enters a container or another machine.
fn inside_container(via: &str) -> bool {
    [
        "docker", "podman", "nerdctl", "kubectl", "oc ", "ssh", "lxc", "vagrant", "chroot",
    ]
    .iter()
    .any(|step| via.starts_with(step))
}

/// What a change in a zone is.
fn outside(zone: Zone, access: Access, by: By) -> Option<(&'static str, Severity, &'static str)> {
    const SYSTEM: &str =
        "this changes a folder of the system: work in the project, and tell the user what the system needs";
    const OUTSIDE: &str = "this changes something outside the project: write into the project or a temporary folder, or ask the user to add the path to `allow` of guard-paths";
    let make = access == Access::Make;
    match zone {
        Zone::Sink | Zone::Project | Zone::Temporary | Zone::Cache => None,
        Zone::System | Zone::Device if make => Some(("system-folder", Severity::Ask, SYSTEM)),
        Zone::System | Zone::Device => Some((
            "system-folder",
            if access == Access::Change {
                Severity::Ask
            } else {
                Severity::Block
            },
            SYSTEM,
        )),
        Zone::Local => Some((
            "outside-project",
            if make && by == By::Command {
                Severity::Strict
            } else {
                Severity::Ask
            },
            OUTSIDE,
        )),
        Zone::Home | Zone::Elsewhere if access == Access::Change => None,
        // What is lost by deleting is guard-commands' to say.
        Zone::Home | Zone::Elsewhere if by == By::Command && (make || access == Access::Delete) => {
            Some(("outside-project", Severity::Strict, OUTSIDE))
        }
        Zone::Home => Some(("outside-project", Severity::Ask, OUTSIDE)),
        // Mounted disks, a machine's own folders: a command that is told to copy there is ordinary work.
        Zone::Elsewhere if by == By::Command => Some(("outside-project", Severity::Strict, OUTSIDE)),
        Zone::Elsewhere => Some(("outside-project", Severity::Ask, OUTSIDE)),
    }
}

#[cfg(target_arch = "wasm32")]
#[cfg(feature = "component")]
hookbox_sdk::export!(GuardPaths);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cases_of_the_plugin() {
        hookbox_sdk::test::run_cases::<GuardPaths>(include_str!("../cases.toml"));
    }
}
