//! guard-commands: no commands that destroy: files, disks, repositories, containers, clusters, databases, clouds, backups.
//!
//! [`judge`] goes from a command to what is found; the tables under [`tables`] say most of it, the other modules what a
//! table cannot: where paths lead, what an SQL statement or an HTTP call does.

mod disks;
mod files;
mod http;
mod judge;
mod obfuscated;
mod permissions;
mod repositories;
mod safe;
mod scripts;
mod search;
mod sql;
mod stores;
mod tables;
mod windows;

use hookbox_pack::{AllowList, Level, Rules, verdict};
use hookbox_sdk::{Action, Event, Host, Output, Plugin};
use serde::Deserialize;

/// The settings; their JSON Schema is in `plugin.json`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase", deny_unknown_fields)]
pub struct Settings {
    level: Level,
    /// Command lines that pass: `rm -rf ./old`, `docker rm -f *`.
    allow: Vec<String>,
    /// Folders whose content may be deleted, beside build output and temporary folders.
    safe_paths: Vec<String>,
    /// Paths that no command may delete or overwrite.
    protected_paths: Vec<String>,
    /// Rules that are switched off, by id.
    off: Vec<String>,
}

/// The plugin.
#[derive(Debug)]
pub struct GuardCommands {
    level: Level,
    allow: AllowList,
    safe_paths: Vec<String>,
    protected_paths: Vec<String>,
    off: Vec<String>,
    rules: Rules,
}

impl Plugin for GuardCommands {
    type Settings = Settings;

    fn configure(settings: Settings) -> Result<Self, String> {
        Ok(GuardCommands {
            level: settings.level,
            allow: AllowList::new(&settings.allow)?,
            safe_paths: settings.safe_paths,
            protected_paths: settings.protected_paths,
            off: settings.off,
            rules: Rules::new(&tables::ALL),
        })
    }

    fn handle(&self, event: &Event, host: &impl Host) -> Result<Output, String> {
        let mut findings = Vec::new();
        for action in event.actions() {
            if let Action::Run(command) = action {
                judge::line(self, event, host, &command.text, &command.shell, 0, &mut findings);
            }
        }
        findings.retain(|finding| !self.off.iter().any(|off| *off == finding.rule));
        Ok(verdict(&findings, self.level))
    }
}

#[cfg(target_arch = "wasm32")]
#[cfg(feature = "component")]
hookbox_sdk::export!(GuardCommands);
