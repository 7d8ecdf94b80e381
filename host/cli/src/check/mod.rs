//! `hookbox check`: what is wrong in the configuration, its plugins and the agents' entries, and how to mend it.

mod entries;

use crate::args::Check;
use crate::run::Call;
use anyhow::Result;
use entries::Tried;
use hookbox::Engine;
use hookbox::protocol::config::{HandlerKind, PluginSource, Severity};
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn run(args: &Check) -> Result<ExitCode> {
    let engine = Call {
        agent: "claude-code".into(),
        config: args.config.clone(),
    }
    .engine();
    let project = std::env::current_dir()?.to_string_lossy().into_owned();
    let layers = engine.layers(&project);
    let diagnostics = layers.diagnostics();
    let plugins = engine.prepare(&project);
    // A file that was named is not what the entries run with.
    let entries = match &args.config {
        Some(_) => Vec::new(),
        None => entries::all(Path::new(&project), denies_canary(&engine, &project))?,
    };
    let wrong = entries.iter().any(|entry| !entry.errors.is_empty())
        || diagnostics.iter().any(|found| found.severity == Severity::Error)
        || plugins.iter().any(|(_, ready)| ready.is_err());
    if args.json {
        let files: Vec<_> = layers
            .files()
            .iter()
            .map(|file| json!({ "layer": file.layer.name(), "file": file.file, "trusted": file.trusted }))
            .collect();
        let found: Vec<_> = diagnostics
            .iter()
            .map(|found| {
                json!({
                    "severity": found.severity.name(), "file": found.file, "path": found.path,
                    "message": found.message, "hint": found.hint,
                })
            })
            .collect();
        let plugins: Vec<_> = plugins
            .iter()
            .map(|(handler, ready)| json!({ "handler": handler, "error": ready.as_ref().err(), "notes": ready.as_ref().ok() }))
            .collect();
        println!(
            "{}",
            json!({
                "files": files, "diagnostics": found, "plugins": plugins,
                "entries": entries.iter().map(entries::Tried::json).collect::<Vec<_>>(),
            })
        );
    } else {
        for file in layers.files() {
            let trust = if file.trusted {
                ""
            } else {
                ", not trusted: it may only tighten"
            };
            println!("{} ({}{trust})", file.file, file.layer);
        }
        for (file, skipped) in layers.skipped() {
            println!(
                "left to the agent: {}: {}: type {}",
                file.file, skipped.path, skipped.type_name
            );
        }
        for (handler, ready) in &plugins {
            match ready {
                Ok(notes) => {
                    println!("ready: {handler}");
                    notes.iter().for_each(|note| println!("note: {handler}: {note}"));
                }
                Err(why) => println!("error: {handler}: {why}"),
            }
        }
        for found in &diagnostics {
            println!("{found}");
        }
        entries.iter().for_each(print);
        if entries.is_empty() && args.config.is_none() {
            println!("no agent calls hookbox yet\nhint: hookbox init");
        }
        println!(
            "{}",
            if wrong {
                "something is wrong: see the errors above"
            } else {
                "all is well"
            }
        );
    }
    Ok(if wrong { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

/// Whether a guard answers calls of the shell that denies the canary.
fn denies_canary(engine: &Engine, project: &str) -> bool {
    engine.layers(project).entries("PreToolUse").iter().any(|entry| {
        let everything = entry.matcher.as_deref().is_none_or(|matcher| matcher.is_empty() || matcher.contains("Bash"));
        let HandlerKind::Wasm(wasm) = &entry.handler.kind else { return false };
        let pack = entry.plugin.as_ref().is_some_and(|plugin| matches!(&plugin.entry.source, PluginSource::Builtin(name) if name.is_empty() || name == "guard-commands"));
        everything && entry.handler.condition.is_none() && pack && wasm.plugin == "guard-commands" && wasm.settings.is_null()
    })
}

/// An agent's entry and what running it showed.
fn print(entry: &Tried) {
    let Tried {
        agent,
        file,
        works,
        errors,
        warnings,
        ..
    } = entry;
    let said = |kind: &str, text: &String| println!("{kind}: {agent}: {file}: {text}");
    errors.iter().for_each(|error| said("error", error));
    warnings.iter().for_each(|warning| said("warning", warning));
    if errors.is_empty() {
        println!("works: {agent}: {file}: {}", works.join(", "));
    }
}
