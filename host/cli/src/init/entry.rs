//! What `init` puts into an agent's configuration: the command, for the events that the configuration has handlers for.

use super::places::{Place, Shape};
use hookbox::protocol::dialects::{self, TimeoutUnit};
use hookbox::protocol::events::{self, Blocking};
use serde_json::{Map, Value, json};

/// Seconds that the agent gives hookbox. Its handlers have their own deadlines, well inside.
pub(crate) const TIMEOUT: u32 = 60;

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
    /// A block makes the agent go on working (Stop and its like).
    pub(crate) keeps_working: bool,
}

impl Hook {
    /// Its command. Where a block makes the agent go on working, one that fails must not block: it would never end. The agent
    /// gets the code of a missing or killed program, and hookbox's own 2 where a handler said so.
    pub(crate) fn command(&self, command: &str) -> String {
        match command.strip_suffix(BLOCKS) {
            Some(plain) if self.keeps_working => format!("{plain}{PASSES_ON}"),
            _ => command.into(),
        }
    }
}

const BLOCKS: &str = " || exit 2";
const PASSES_ON: &str = " || exit $?";

/// The command of a call, of one that may be the command of Stop and its like.
pub(crate) fn of_a_call(command: &str) -> String {
    match command.strip_suffix(PASSES_ON) {
        Some(plain) => format!("{plain}{BLOCKS}"),
        None => command.into(),
    }
}

/// True where a program that is missing or killed blocks.
pub(crate) fn closes(command: &str) -> bool {
    command.ends_with(BLOCKS)
}

/// The configuration file that an entry's command names.
pub(crate) fn config(command: &str) -> Option<String> {
    let (_, rest) = command.split_once(" --config ")?;
    let word = rest.strip_suffix(BLOCKS)?;
    let quoted = word.strip_prefix('\'').and_then(|word| word.strip_suffix('\''));
    Some(quoted.unwrap_or(word).replace("'\\''", "'"))
}

/// The shell command of an entry. A program that is missing or was killed is a block too.
pub(crate) fn command(program: &str, agent: &str, config: Option<&str>) -> String {
    let config = config
        .map(|file| format!(" --config {}", quoted(file)))
        .unwrap_or_default();
    format!("{} run --agent {agent}{config}{BLOCKS}", quoted(program))
}

/// True for a command that `init` wrote for this agent.
pub(crate) fn is_ours(command: &str, agent: &str) -> bool {
    command.contains("hookbox")
        && command.contains(&format!(" run --agent {agent}"))
        && (command.ends_with(BLOCKS) || command.ends_with(PASSES_ON))
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
                keeps_working: events::spec(event).blocks == Blocking::KeepsWorking,
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
pub(crate) fn handler(place: &Place, hook: &Hook, command: &str) -> Map<String, Value> {
    let mut handler = Map::new();
    let (command_key, timeout_key) = match place.shape {
        Shape::Flat { command, timeout } => (command, timeout),
        _ => ("command", Some("timeout")),
    };
    // Windsurf and Cursor have no types.
    if !matches!(place.agent, "windsurf" | "cursor") {
        handler.insert("type".into(), json!("command"));
    }
    handler.insert(command_key.into(), json!(hook.command(command)));
    if let Some(key) = timeout_key {
        handler.insert(key.into(), json!(timeout(place.agent)));
    }
    if place.agent == "gemini" {
        handler.insert("name".into(), json!("hookbox"));
    }
    for (key, value) in place.closing.iter().filter(|_| !hook.keeps_working) {
        handler.insert((*key).into(), if *value == "true" { json!(true) } else { json!(value) });
    }
    handler
}

/// One group: a matcher and its handler.
pub(crate) fn group(place: &Place, hook: &Hook, command: &str) -> Value {
    let mut group = Map::new();
    group.extend(
        hook.matcher
            .as_ref()
            .map(|matcher| ("matcher".to_owned(), json!(matcher))),
    );
    group.insert("hooks".into(), json!([handler(place, hook, command)]));
    Value::Object(group)
}
