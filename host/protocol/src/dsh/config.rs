//! The bridge's configuration: seven events, commands alone, an invalid expression refuses everything.

use serde_json::Value;

use super::matcher_diagnostic;
use crate::dialect::DshMode;

/// The events that the bridge knows, in its order.
pub const EVENTS: [&str; 7] = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "Stop",
    "SubagentStart",
    "SubagentStop",
];

/// What takes the place of `${CLAUDE_PLUGIN_ROOT}` and `${CLAUDE_PROJECT_DIR}`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variables {
    pub plugin_root: Option<String>,
    pub project_dir: Option<String>,
}

/// One group of a parsed configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub matcher: Option<String>,
    pub hooks: Vec<Hook>,
}

/// One command of a group.
#[derive(Clone, Debug, PartialEq)]
pub struct Hook {
    pub command: String,
    /// Seconds, as the configuration has them.
    pub timeout: Option<serde_json::Number>,
    /// Its place among everything that the configuration lists for the event, from 0.
    pub place: usize,
}

/// A parsed configuration: the commands by event, and the hooks of other types.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParsedConfig {
    pub config: Vec<(&'static str, Vec<Group>)>,
    /// Event and type.
    pub skipped: Vec<(&'static str, String)>,
}

/// Why a whole configuration is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{diagnostic} on event {event:?}")]
pub struct ConfigError {
    pub diagnostic: String,
    pub event: &'static str,
}

/// Replaces the two variables where they have a value.
#[must_use]
pub fn substitute_command(command: &str, variables: &Variables) -> String {
    let mut out = command.to_owned();
    if let Some(root) = &variables.plugin_root {
        out = out.replace("${CLAUDE_PLUGIN_ROOT}", root);
    }
    if let Some(dir) = &variables.project_dir {
        out = out.replace("${CLAUDE_PROJECT_DIR}", dir);
    }
    out
}

/// Parses a configuration: `{"settings": {"hooks": …}}`, `{"hooks": …}` or a bare event map.
///
/// # Errors
/// A matcher of a supported event, in a group with a command, is an invalid expression: nothing of the file is taken.
pub fn parse_config(raw: &Value, variables: &Variables) -> Result<ParsedConfig, ConfigError> {
    let mut parsed = ParsedConfig::default();
    let root = raw
        .get("settings")
        .filter(|inner| inner.get("hooks").is_some_and(Value::is_object))
        .unwrap_or(raw);
    let map = root.get("hooks").filter(|hooks| hooks.is_object()).unwrap_or(root);
    for event in EVENTS {
        let Some(Value::Array(raw_groups)) = map.get(event) else {
            continue;
        };
        let mut groups = Vec::new();
        let mut place = 0;
        for raw_group in raw_groups {
            let hooks = commands(event, raw_group, variables, &mut place, &mut parsed.skipped);
            if hooks.is_empty() {
                continue;
            }
            let subject = !matches!(event, "UserPromptSubmit" | "Stop");
            let matcher = raw_group.get("matcher").and_then(Value::as_str).filter(|_| subject);
            if let Some(diagnostic) = matcher_diagnostic(matcher, DshMode::ClaudeCode) {
                return Err(ConfigError { diagnostic, event });
            }
            groups.push(Group {
                matcher: matcher.map(str::to_owned),
                hooks,
            });
        }
        if !groups.is_empty() {
            parsed.config.push((event, groups));
        }
    }
    Ok(parsed)
}

fn commands(
    event: &'static str,
    group: &Value,
    variables: &Variables,
    place: &mut usize,
    skipped: &mut Vec<(&'static str, String)>,
) -> Vec<Hook> {
    let mut hooks = Vec::new();
    let raw = group
        .get("hooks")
        .and_then(Value::as_array)
        .map_or(&[][..], Vec::as_slice);
    for hook in raw {
        let here = *place;
        *place += 1;
        match hook.get("type") {
            _ if !hook.is_object() => {}
            Some(Value::String(other)) if other != "command" => skipped.push((event, other.clone())),
            _ => {
                let Some(command) = hook.get("command").and_then(Value::as_str) else {
                    continue;
                };
                let timeout = hook.get("timeout").and_then(Value::as_number).cloned();
                hooks.push(Hook {
                    command: substitute_command(command, variables),
                    timeout,
                    place: here,
                });
            }
        }
    }
    hooks
}
