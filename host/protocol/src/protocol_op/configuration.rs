//! A parsed configuration as JSON, in the shape in which it is written.

use serde_json::{Map, Value, json};

use super::values::{joined, object, said};
use crate::config::{Config, Diagnostic, Grants, Handler, HandlerKind, Parsed, PluginEntry, PluginSource, Shell};
use crate::output::OnFailure;

pub(super) fn parsed(parsed: &Parsed, linted: &[Diagnostic]) -> Value {
    json!({
        "config": if parsed.error.is_some() { Value::Null } else { config(&parsed.config) },
        "skipped": parsed.skipped.iter().map(|skipped| {
            json!({ "event": skipped.event, "type": skipped.type_name, "path": skipped.path })
        }).collect::<Vec<_>>(),
        "warnings": parsed.diagnostics.iter().chain(linted).map(said).collect::<Vec<_>>(),
        "error": parsed.error.as_ref().map(said),
    })
}

fn config(config: &Config) -> Value {
    let mut hooks = Map::new();
    for (event, groups) in &config.hooks {
        let groups = groups.iter().map(|group| {
            object([
                ("matcher", json!(group.matcher)),
                ("hooks", Value::Array(group.handlers.iter().map(handler).collect())),
            ])
        });
        hooks.insert(event.clone(), groups.collect());
    }
    let plugins: Map<String, Value> = config
        .plugins
        .iter()
        .map(|(name, entry)| (name.clone(), plugin(entry)))
        .collect();
    object([
        ("hooks", Value::Object(hooks)),
        ("plugins", Value::Object(plugins)),
        ("onFailure", on_failure(config.on_failure)),
        ("allowManagedHooksOnly", json!(config.allow_managed_hooks_only)),
        ("disableAllHooks", json!(config.disable_all_hooks)),
    ])
}

fn on_failure(on_failure: Option<OnFailure>) -> Value {
    match on_failure {
        None => Value::Null,
        Some(OnFailure::Continue) => json!("continue"),
        Some(OnFailure::Block) => json!("block"),
    }
}

fn handler(handler: &Handler) -> Value {
    let own = match &handler.kind {
        HandlerKind::Command(command) => object([
            ("type", json!("command")),
            ("command", json!(command.command)),
            ("args", json!(command.args)),
            (
                "shell",
                if command.shell == Shell::PowerShell {
                    json!("powershell")
                } else {
                    Value::Null
                },
            ),
            ("async", json!(command.run_async)),
            ("asyncRewake", json!(command.async_rewake)),
        ]),
        HandlerKind::Wasm(wasm) => object([
            ("type", json!("wasm")),
            ("plugin", json!(wasm.plugin)),
            ("settings", wasm.settings.clone()),
            ("settingsFile", json!(wasm.settings_file)),
        ]),
        HandlerKind::Other { type_name } => object([("type", json!(type_name)), ("skipped", json!(true))]),
        HandlerKind::Broken { error } => object([("type", json!("broken")), ("error", json!(error))]),
    };
    let common = object([
        ("if", json!(handler.condition)),
        ("timeout", json!(handler.timeout)),
        ("onFailure", on_failure(handler.on_failure)),
        ("statusMessage", json!(handler.status_message)),
    ]);
    joined(own, common)
}

fn plugin(entry: &PluginEntry) -> Value {
    let source = match &entry.source {
        PluginSource::Builtin(name) => format!("builtin:{name}"),
        PluginSource::Path(path) => path.clone(),
        PluginSource::Oci(reference) => format!("oci://{reference}"),
    };
    let Grants {
        read,
        stat,
        env,
        http,
        state,
        clock,
        random,
    } = &entry.grants;
    object([
        ("source", json!(source)),
        ("digest", json!(entry.digest)),
        ("signer", json!(entry.signer)),
        (
            "grants",
            object([
                ("read", json!(read)),
                ("stat", json!(stat)),
                ("env", json!(env)),
                ("http", json!(http)),
                ("state", json!(state)),
                ("clock", json!(clock)),
                ("random", json!(random)),
            ]),
        ),
        ("error", json!(entry.error)),
    ])
}
