//! What `init` puts into an agent's configuration: the command, for the events that the configuration has handlers for.
//!
//! A *call* is how hookbox is started (`hookbox run --agent NAME`), a *command* the call with what closes it, as it stands in the agent's file.

use super::places::{Place, Shape};
use super::watch;
use hookbox::protocol::dialects::{self, Ability, TimeoutUnit};
use hookbox::protocol::events::{self, Blocking};
use serde_json::{Map, Value, json};

/// Seconds that an entry gives hookbox, where it can say so. Its handlers have their own deadlines, well inside.
pub(crate) const TIMEOUT: u32 = 60;

/// Seconds that the agent waits for the entry that `init` writes.
pub(crate) fn patience(agent: &str) -> u32 {
    match dialects::agent(agent).map(|agent| &agent.capabilities) {
        // The shim of OpenCode has a timer of its own.
        Some(row) if row.timeout_unit == TimeoutUnit::None && row.closes == Ability::No => row.timeout_default,
        _ => TIMEOUT,
    }
}

/// Which events and which values of their matcher the configuration has handlers for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Covered {
    /// The canonical name.
    pub(crate) event: String,
    /// Plain names; none where everything is covered.
    pub(crate) names: Option<Vec<String>>,
}

/// One hook of an agent, in its own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hook {
    pub(crate) event: String,
    pub(crate) matcher: Option<String>,
    /// What a block does.
    pub(crate) blocks: Blocking,
}

impl Hook {
    /// Its command. Where a block makes the agent go on working, a program that fails must not block: it would never end. The agent
    /// gets another code than 2 then, and hookbox's own 2 where a handler said so.
    pub(crate) fn command(&self, place: &Place, call: &str) -> String {
        match self.blocks {
            Blocking::Prevents | Blocking::KeepsWorking if watch::watches(place.agent) => {
                watch::command(call, place.agent, self.blocks)
            }
            Blocking::KeepsWorking => format!("{call}{PASSES_ON}"),
            _ => format!("{call}{BLOCKS}"),
        }
    }
}

pub(super) const BLOCKS: &str = " || exit 2";
const PASSES_ON: &str = " || exit $?";

/// The command of a call, of one that may be the command of Stop and its like.
pub(crate) fn of_a_call(command: &str, place: &Place) -> String {
    let hook = Hook {
        event: String::new(),
        matcher: None,
        blocks: Blocking::Prevents,
    };
    match call_of(command) {
        Some(call) if !command.ends_with(BLOCKS) => hook.command(place, call),
        _ => command.into(),
    }
}

/// The call in a command, as this version or an earlier one of `init` writes it.
pub(crate) fn call_of(command: &str) -> Option<&str> {
    match watch::call(command) {
        Some(rest) => Some(rest.strip_suffix(BLOCKS).unwrap_or(rest)),
        None => command.strip_suffix(BLOCKS).or_else(|| command.strip_suffix(PASSES_ON)),
    }
}

/// True where a program that is missing or killed blocks.
pub(crate) fn closes(command: &str, place: &Place) -> bool {
    // Cline takes a hook that fails for none; it has to be told in JSON.
    command.ends_with(BLOCKS) && (place.agent != "cline" || watch::call(command).is_some())
}

/// The configuration file that a call names.
pub(crate) fn config(call: &str) -> Option<String> {
    let (_, word) = call.split_once(" --config ")?;
    let quoted = word.strip_prefix('\'').and_then(|word| word.strip_suffix('\''));
    Some(quoted.unwrap_or(word).replace("'\\''", "'"))
}

/// How an entry starts hookbox.
pub(crate) fn call(program: &str, agent: &str, config: Option<&str>) -> String {
    let config = config
        .map(|file| format!(" --config {}", quoted(file)))
        .unwrap_or_default();
    format!("{} run --agent {agent}{config}", quoted(program))
}

/// True for a command that `init` wrote for this agent.
pub(crate) fn is_ours(command: &str, agent: &str) -> bool {
    call_of(command).is_some_and(|call| call.contains("hookbox") && call.contains(&format!(" run --agent {agent}")))
}

/// A word as a POSIX shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./+@%:,=".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The hooks that cover the configuration, as narrow as the agent allows without losing one.
pub(crate) fn hooks(place: &Place, covered: &[Covered]) -> Vec<Hook> {
    let mut hooks = Vec::new();
    for Covered { event, names } in covered {
        let theirs = dialects::native_events(place.agent, event);
        let chosen: Vec<&str> = match place.agent {
            // One event for each kind of call.
            "windsurf" => theirs,
            // The spelling that names its event in the payload.
            "copilot" => theirs
                .into_iter()
                .filter(|name| name.starts_with(char::is_uppercase))
                .collect(),
            "kiro" => theirs
                .into_iter()
                .filter(|name| name.starts_with(char::is_uppercase))
                .collect(),
            _ => theirs.into_iter().take(1).collect(),
        };
        for name in chosen {
            // Other agents have other names for the tools: only Claude Code's are known to be the configuration's.
            let names = names.as_ref().filter(|_| place.agent == "claude-code");
            hooks.push(Hook {
                event: name.into(),
                matcher: names.map(|names| names.join("|")),
                blocks: events::spec(event).blocks,
            });
        }
    }
    hooks
}

/// The timeout in the agent's unit.
pub(crate) fn timeout(agent: &str) -> u32 {
    let unit = dialects::agent(agent).map(|agent| agent.capabilities.timeout_unit);
    if unit == Some(TimeoutUnit::Milliseconds) {
        TIMEOUT * 1000
    } else {
        TIMEOUT
    }
}

/// One handler of a group or of a flat list.
pub(crate) fn handler(place: &Place, hook: &Hook, call: &str) -> Map<String, Value> {
    let mut handler = Map::new();
    let (command_key, timeout_key) = match place.shape {
        Shape::Flat { command, timeout } => (command, timeout),
        _ => ("command", Some("timeout")),
    };
    // Windsurf and Cursor have no types.
    if !matches!(place.agent, "windsurf" | "cursor") {
        handler.insert("type".into(), json!("command"));
    }
    handler.insert(command_key.into(), json!(hook.command(place, call)));
    if let Some(key) = timeout_key {
        handler.insert(key.into(), json!(timeout(place.agent)));
    }
    if place.agent == "gemini" {
        handler.insert("name".into(), json!("hookbox"));
    }
    for (key, value) in place.closing.iter().filter(|_| hook.blocks != Blocking::KeepsWorking) {
        handler.insert((*key).into(), if *value == "true" { json!(true) } else { json!(value) });
    }
    handler
}

/// One group: a matcher and its handler.
pub(crate) fn group(place: &Place, hook: &Hook, call: &str) -> Value {
    let mut group = Map::new();
    group.extend(
        hook.matcher
            .as_ref()
            .map(|matcher| ("matcher".to_owned(), json!(matcher))),
    );
    group.insert("hooks".into(), json!([handler(place, hook, call)]));
    Value::Object(group)
}
