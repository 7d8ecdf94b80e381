//! Reads a whole file: which of the accepted shapes it has, the keys of its top level, and what is at the wrong place.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::diagnostic::Diagnostic;
use super::duplicates::rescue;
use super::handlers;
use super::json::{self, Document};
use super::plugins::{on_failure, read_plugins, read_signers};
use super::reader::{Field, Findings, Object};
use super::suggest::nearest;
use super::types::{AskFallback, Config, Parsed};
use crate::events;

/// The keys of hookbox's own at the top level.
pub(super) const OWN_KEYS: &[&str] = &[
    "hooks",
    "plugins",
    "signers",
    "onFailure",
    "askFallback",
    "allowManagedHooksOnly",
    "disableAllHooks",
    "forbidCommandHandlers",
    "requireSigners",
];

/// Events, and handlers, that one file may have. Far above what people write; a file with more could make every event slow, and an
/// agent goes on without a hook that is too slow.
const MOST_EVENTS: usize = 256;
const MOST_HANDLERS: usize = 1_024;

/// Keys of the top level that are an agent's own settings, or notes.
pub(super) const AGENTS_KEYS: &[&str] = &[
    "$schema",
    "allowedHttpHookUrls",
    "allowedMcpServers",
    "alwaysThinkingEnabled",
    "apiKeyHelper",
    "attribution",
    "author",
    "availableModels",
    "cleanupPeriodDays",
    "deniedMcpServers",
    "description",
    "disableSkillShellExecution",
    "disabledMcpjsonServers",
    "enableAllProjectMcpServers",
    "enabledMcpjsonServers",
    "enabledPlugins",
    "env",
    "extraKnownMarketplaces",
    "features",
    "fileSuggestion",
    "forceLoginMethod",
    "general",
    "homepage",
    "httpHookAllowedEnvVars",
    "includeCoAuthoredBy",
    "keywords",
    "language",
    "license",
    "mcp",
    "mcpServers",
    "model",
    "name",
    "outputStyle",
    "performance",
    "permissions",
    "repository",
    "sandbox",
    "security",
    "settings",
    "statusLine",
    "strictPluginOnlyCustomization",
    "tools",
    "ui",
    "version",
];

/// Reads a configuration: `{"hooks": …}`, `{"settings": {"hooks": …}}`, a bare event map, or an agent's whole settings file.
/// `file` is for messages.
pub fn parse(text: &str, file: &str) -> Parsed {
    let mut parsed = match json::read(text) {
        Ok(document) => from_document(document),
        Err(error) => Parsed {
            error: Some(error),
            ..Parsed::default()
        },
    };
    for diagnostic in parsed.diagnostics.iter_mut().chain(parsed.error.as_mut()) {
        file.clone_into(&mut diagnostic.file);
    }
    parsed
}

/// The same for a value that was read already, without the checks that need the text.
pub fn parse_value(value: &Value, file: &str) -> Parsed {
    let mut parsed = from_document(Document {
        value: value.clone(),
        duplicates: Vec::new(),
    });
    for diagnostic in parsed.diagnostics.iter_mut().chain(parsed.error.as_mut()) {
        file.clone_into(&mut diagnostic.file);
    }
    parsed
}

fn from_document(mut document: Document) -> Parsed {
    let mut findings = Findings::default();
    rescue(&mut document, &mut findings);
    let Value::Object(root) = &document.value else {
        let error = Diagnostic::error(
            "",
            format!("a configuration is an object, not {}", json::kind(&document.value)),
        )
        .hint("the smallest one is {\"hooks\": {}}");
        return Parsed {
            error: Some(error),
            diagnostics: findings.into_list(),
            ..Parsed::default()
        };
    };
    let mut parsed = Parsed::default();
    match event_maps(root, &mut findings) {
        Ok(maps) => {
            for (map, path) in maps {
                handlers::read_map(
                    &map,
                    &path,
                    &mut parsed.config.hooks,
                    &mut parsed.skipped,
                    &mut findings,
                );
            }
        }
        Err(error) => parsed.error = Some(error),
    }
    top_level(root, &mut parsed.config, &mut findings);
    parsed.diagnostics = findings.into_list();
    parsed
}

/// An event map and its path.
type EventMap<'a> = (Cow<'a, Map<String, Value>>, String);

/// The event maps of a file, with their paths. More than one where events also stand beside `hooks`: they are read too.
fn event_maps<'a>(root: &'a Map<String, Value>, findings: &mut Findings) -> Result<Vec<EventMap<'a>>, Diagnostic> {
    let mut maps = Vec::new();
    let inner = root
        .get("settings")
        .and_then(|settings| Some((settings.get("hooks")?, "settings.hooks")));
    for (value, path) in root.get("hooks").map(|hooks| (hooks, "hooks")).into_iter().chain(inner) {
        match value {
            Value::Object(map) => maps.push((Cow::Borrowed(map), path.to_owned())),
            other => {
                return Err(Diagnostic::error(
                    path,
                    format!("hooks must be an object of event and groups, not {}", json::kind(other)),
                )
                .hint("write \"hooks\": { \"PreToolUse\": [ { \"matcher\": \"Bash\", \"hooks\": [ … ] } ] }"));
            }
        }
    }
    for (key, value) in root {
        if let Some(map) = misspelt_map(key, value) {
            findings.add(
                Diagnostic::error(
                    json::join("", key),
                    format!("unknown key {key:?}: its handlers are read, and an agent does not read them"),
                )
                .hint("rename it to \"hooks\""),
            );
            maps.push((Cow::Borrowed(map), json::join("", key)));
        }
    }
    // Events beside or without `hooks`: a bare event map, or a slip. Their guards are loaded either way.
    let bare: Map<String, Value> = root
        .iter()
        .filter(|(key, value)| is_event(key, value))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if !bare.is_empty() {
        if !maps.is_empty() {
            for event in bare.keys() {
                findings.add(
                    Diagnostic::warning(
                        json::join("", event),
                        "an event beside \"hooks\": an agent does not read it",
                    )
                    .hint("move it into \"hooks\""),
                );
            }
        }
        maps.push((Cow::Owned(bare), String::new()));
    }
    within_bounds(&maps)?;
    Ok(maps)
}

fn within_bounds(maps: &[EventMap<'_>]) -> Result<(), Diagnostic> {
    let events: usize = maps.iter().map(|(map, _)| map.len()).sum();
    if events > MOST_EVENTS {
        return Err(Diagnostic::error(
            "hooks",
            format!("{events} events: a file may have {MOST_EVENTS}"),
        ));
    }
    let groups = maps
        .iter()
        .flat_map(|(map, _)| map.values())
        .filter_map(Value::as_array)
        .flatten();
    let handlers: usize = groups
        .map(|group| group.get("hooks").and_then(Value::as_array).map_or(1, Vec::len).max(1))
        .sum();
    if handlers > MOST_HANDLERS {
        return Err(Diagnostic::error(
            "hooks",
            format!("{handlers} handlers: a file may have {MOST_HANDLERS}"),
        ));
    }
    Ok(())
}

/// Whether a key of the top level is an event of a bare event map: it holds a list of groups, or of what should be groups.
fn is_event(key: &str, value: &Value) -> bool {
    let groups = value.as_array().is_some_and(|groups| {
        groups.iter().any(|group| {
            ["hooks", "type", "command", "matcher"]
                .iter()
                .any(|key| group.get(key).is_some())
        })
    });
    (groups || events::spec(key).known()) && !OWN_KEYS.contains(&key)
}

/// The event map under a key that was meant to be `hooks`.
fn misspelt_map<'a>(key: &str, value: &'a Value) -> Option<&'a Map<String, Value>> {
    let map = value.as_object()?;
    let own = OWN_KEYS.contains(&key) || AGENTS_KEYS.contains(&key) || key == "settings" || key.starts_with(['_', '$']);
    let meant = !own && nearest(key, ["hooks"]).is_some();
    (meant && map.iter().any(|(event, groups)| is_event(event, groups))).then_some(map)
}

fn top_level(root: &Map<String, Value>, config: &mut Config, findings: &mut Findings) {
    let object = Object::new(root, "");
    if let Some(plugins) = root.get("plugins") {
        config.plugins = read_plugins(plugins, "plugins", findings);
    }
    if let Some(signers) = root.get("signers") {
        config.signers = read_signers(signers, "signers", findings);
    }
    config.on_failure = on_failure(&object, findings);
    config.ask_fallback = ask_fallback(&object, findings);
    config.allow_managed_hooks_only = switch(&object, "allowManagedHooksOnly", findings);
    config.forbid_command_handlers = switch(&object, "forbidCommandHandlers", findings);
    config.require_signers = switch(&object, "requireSigners", findings);
    config.disable_all_hooks = object.boolean("disableAllHooks", findings).ok();
    for (key, value) in root.iter().filter(|(key, _)| !OWN_KEYS.contains(&key.as_str())) {
        if findings.is_full() {
            break;
        }
        let at = json::join("", key);
        if AGENTS_KEYS.contains(&key.as_str())
            || key.starts_with(['_', '$'])
            || is_event(key, value)
            || misspelt_map(key, value).is_some()
        {
            continue;
        }
        findings.add(match nearest(key, OWN_KEYS.iter().copied()) {
            Some(meant) => Diagnostic::warning(at, format!("unknown key {key:?}: it has no effect"))
                .hint(format!("did you mean {meant:?}?")),
            None => Diagnostic::lint(at, format!("{key:?} is no key of hookbox: it is left to the agent")),
        });
    }
}

/// A value that cannot be read is the strict one.
fn ask_fallback(object: &Object<'_>, findings: &mut Findings) -> Option<AskFallback> {
    match object.map.get("askFallback")? {
        Value::String(word) if word == "deny" => Some(AskFallback::Deny),
        Value::String(word) if word == "none" => Some(AskFallback::Pass),
        other => {
            findings.add(
                Diagnostic::error(
                    object.at("askFallback"),
                    format!("askFallback must be \"deny\" or \"none\", not {other}: read as \"deny\""),
                )
                .hint("leave it out: an agent that cannot ask is told a deny"),
            );
            Some(AskFallback::Deny)
        }
    }
}

/// A restriction: where it cannot be read it holds.
fn switch(object: &Object<'_>, key: &str, findings: &mut Findings) -> bool {
    match object.boolean(key, findings) {
        Field::Ok(value) => value,
        Field::Absent => false,
        Field::Bad => true,
    }
}
