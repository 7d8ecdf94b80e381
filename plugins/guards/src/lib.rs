//! guards: the guards that run where nothing is configured, in one component.
//!
//! Reading a compiled component costs more than calling it, and these five share most of their code, and what they ask the host.
//! Each is still asked by itself, with its own fuel, deadline and grants, in an instance that all of an event share and none of
//! another. `event.plugin` says which one. Whoever gives a guard settings, grants or a pin gets that guard's own component
//! instead.

use guard_commands::GuardCommands;
use guard_git::GuardGit;
use guard_network::GuardNetwork;
use guard_paths::GuardPaths;
use guard_secrets::GuardSecrets;
use hookbox_sdk::{Event, Host, Output, Plugin};
use serde::Deserialize;

/// There are none.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {}

/// The guards, with their default settings.
#[derive(Debug)]
pub struct Guards {
    commands: GuardCommands,
    git: GuardGit,
    network: GuardNetwork,
    paths: GuardPaths,
    secrets: GuardSecrets,
}

fn by_default<P: Plugin>() -> Result<P, String> {
    P::configure(serde_json::from_str("{}").map_err(|error| error.to_string())?)
}

impl Plugin for Guards {
    type Settings = Settings;

    fn configure(Settings {}: Settings) -> Result<Self, String> {
        Ok(Guards {
            commands: by_default()?,
            git: by_default()?,
            network: by_default()?,
            paths: by_default()?,
            secrets: by_default()?,
        })
    }

    fn handle(&self, event: &Event, host: &impl Host) -> Result<Output, String> {
        match event.plugin.as_str() {
            "guard-commands" => self.commands.handle(event, host),
            "guard-git" => self.git.handle(event, host),
            "guard-network" => self.network.handle(event, host),
            "guard-paths" => self.paths.handle(event, host),
            "guard-secrets" => self.secrets.handle(event, host),
            // No opinion would be a pass.
            other => Err(format!("{other:?} is none of the guards in this component")),
        }
    }
}

hookbox_sdk::export!(Guards);
