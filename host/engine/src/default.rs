//! What runs where nothing is configured: the pack with its default settings.

use hookbox_protocol::config::{Config, Group, Handler, HandlerKind, Parsed, WasmHandler};
use serde_json::Value;

/// As a file would have it.
pub const DEFAULT_CONFIG: &str = include_str!("default.json");

/// A matcher, and the plugins behind it.
type Groups = &'static [(Option<&'static str>, &'static [&'static str])];

/// The same, ready: most events on most machines would read that text only to get this. A test keeps them equal.
const DEFAULT: &[(&str, Groups)] = &[
    (
        "PreToolUse",
        &[
            (Some("Bash|PowerShell|Monitor"), &["guard-commands", "guard-git"]),
            (Some("mcp__.*"), &["guard-commands", "guard-git"]),
            (None, &["guard-secrets", "guard-paths", "guard-network"]),
        ],
    ),
    (
        "PreSkillShellCommand",
        &[(
            None,
            &[
                "guard-commands",
                "guard-git",
                "guard-secrets",
                "guard-paths",
                "guard-network",
            ],
        )],
    ),
    ("UserPromptSubmit", &[(None, &["guard-secrets"])]),
    ("PostToolUse", &[(None, &["guard-secrets"])]),
];

/// The embedded default, read.
pub(crate) fn parsed() -> Parsed {
    let hooks = DEFAULT.iter().map(|(event, groups)| {
        let group = |(at, (matcher, plugins)): (usize, &(Option<&str>, &[&str]))| {
            let path = format!("hooks.{event}[{at}]");
            Group {
                matcher: matcher.map(str::to_owned),
                handlers: plugins
                    .iter()
                    .enumerate()
                    .map(|(n, plugin)| handler(plugin, &path, n))
                    .collect(),
                path,
            }
        };
        ((*event).to_owned(), groups.iter().enumerate().map(group).collect())
    });
    Parsed {
        config: Config {
            hooks: hooks.collect(),
            ..Config::default()
        },
        ..Parsed::default()
    }
}

fn handler(plugin: &str, group: &str, at: usize) -> Handler {
    Handler {
        kind: HandlerKind::Wasm(WasmHandler {
            plugin: plugin.to_owned(),
            settings: Value::Null,
            settings_file: None,
        }),
        condition: None,
        timeout: None,
        on_failure: None,
        status_message: None,
        path: format!("{group}.hooks[{at}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_what_its_text_says() {
        let read = hookbox_protocol::config::parse(DEFAULT_CONFIG, "the embedded default");
        assert_eq!(parsed(), read);
    }
}
