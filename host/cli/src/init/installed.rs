//! The entries that are in the agents' configurations now: for `check`.

use super::places::{Machine, PLACES, Place, Scope, Shape};
use super::{addition, change, coverage, entry};
use crate::run::Call;
use anyhow::{Context, Result};
use hookbox::Options;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// One command that an agent runs, and calls hookbox.
pub(crate) struct Installed {
    pub(crate) place: &'static Place,
    /// Of the project, not of the user.
    pub(crate) project: bool,
    pub(crate) file: PathBuf,
    pub(crate) command: String,
    /// A program that is missing blocks.
    pub(crate) closes: bool,
    /// What is not as `init` would write it.
    pub(crate) warnings: Vec<String>,
}

/// Every entry of this user and of this project, each command once.
pub(crate) fn find(project: &Path) -> Result<Vec<Installed>> {
    let options = Options::from_environment();
    let machine = Machine {
        home: options.home.context("there is no home directory\nhint: set HOME")?,
        project: project.to_path_buf(),
        variable: super::variable,
    };
    let mut found: Vec<Installed> = Vec::new();
    for place in PLACES {
        for scope in [Scope::User, Scope::Project] {
            let path = place.path(scope, &machine);
            // Who works in the home directory has both in one file.
            if !found
                .iter()
                .any(|entry| entry.place.agent == place.agent && entry.file == path)
            {
                found.extend(of_place(place, scope, &path, &machine));
            }
        }
    }
    Ok(found)
}

/// What a command calls: the same for all events of an agent.
fn of(command: &str) -> &str {
    entry::call_of(command).unwrap_or(command)
}

fn of_place(place: &'static Place, scope: Scope, path: &Path, machine: &Machine) -> Vec<Installed> {
    // An event that prevents nothing has a shorter command, and the end of a turn one that lets the agent stop where the program is broken; all of
    // them call hookbox alike. What is tried is the command of a call.
    let mut commands: Vec<String> = Vec::new();
    for text in commands_of(place, path) {
        if !(text.contains("hookbox") && text.contains(" run")) {
            continue;
        }
        let text = entry::of_a_call(&text, place);
        match commands.iter_mut().find(|known| of(known) == of(&text)) {
            Some(known) if known.len() >= text.len() => {}
            Some(known) => *known = text,
            None => commands.push(text),
        }
    }
    let entry = |command: String| {
        let mut warnings = Vec::new();
        let mut closes = entry::closes(&command, place);
        if place.shape == Shape::Plugin {
            // The plugin itself blocks when the command fails.
            closes = true;
        }
        let named = command.contains(&format!("--agent {}", place.agent));
        let by_default = place.agent == "claude-code" && !command.contains("--agent");
        if !named && !by_default {
            warnings.push(format!(
                "it does not say `--agent {}`: another agent's answer may not be heard",
                place.agent
            ));
        } else if entry::is_ours(&command, place.agent) && differs(place, scope, machine, of(&command)).unwrap_or(true)
        {
            let flag = if scope == Scope::Project { " --project" } else { "" };
            warnings.push(format!(
                "it is not what `hookbox init` would write for the present configuration: an event may be missing, its trust, or what ends a program that stands still\n\
                 hint: hookbox init --agent {}{flag} --dry-run shows the difference",
                place.agent
            ));
        }
        Installed {
            place,
            project: scope == Scope::Project,
            file: path.to_path_buf(),
            command,
            closes,
            warnings,
        }
    };
    commands.into_iter().map(entry).collect()
}

/// Whether `init` would change something: an event that has handlers now, a timeout, a trusted hash.
fn differs(place: &Place, scope: Scope, machine: &Machine, call: &str) -> Result<bool> {
    let config = entry::config(call).map(PathBuf::from);
    let run = Call {
        agent: "claude-code".into(),
        config,
    };
    let engine = run.engine();
    let covered = coverage::of(&engine.layers(&machine.project.to_string_lossy()));
    let changes = addition(place, scope, machine, &covered, call)?;
    Ok(changes.iter().any(|change| !change.is_none()))
}

/// The texts of a file that may be commands.
fn commands_of(place: &Place, path: &Path) -> Vec<String> {
    let read = |path: &Path| change::read(path).ok().flatten().unwrap_or_default();
    match place.shape {
        Shape::Executables => {
            let files = fs::read_dir(path).into_iter().flatten().flatten();
            let texts = files.map(|file| read(&file.path()));
            texts
                .flat_map(|text| {
                    text.lines()
                        .filter(|line| !line.starts_with('#'))
                        .map(str::to_owned)
                        .collect::<Vec<_>>()
                })
                .collect()
        }
        Shape::Plugin => {
            let text = read(path);
            let command = text.lines().find_map(|line| line.strip_prefix("const COMMAND = "));
            command
                .and_then(|text| serde_json::from_str(text).ok())
                .into_iter()
                .collect()
        }
        _ => {
            let text = read(path);
            // As JSON with comments; an agent that takes none does not read the file either, which is not for hookbox to say.
            let mut texts = Vec::new();
            if let Ok(root) = serde_json::from_str::<Value>(text.trim_start_matches('\u{feff}')) {
                collect(&root, &mut texts);
            }
            texts
        }
    }
}

fn collect(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| collect(value, texts)),
        Value::Object(object) => {
            for (key, value) in object {
                match value {
                    Value::String(text) if matches!(key.as_str(), "command" | "bash") => texts.push(text.clone()),
                    value => collect(value, texts),
                }
            }
        }
        _ => {}
    }
}
