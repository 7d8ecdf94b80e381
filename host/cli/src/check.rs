//! `hookbox check`: what is wrong in the configuration and its plugins, and how to mend it.

use crate::args::Check;
use crate::run::Call;
use anyhow::Result;
use hookbox::protocol::config::Severity;
use serde_json::json;
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
    let wrong = diagnostics.iter().any(|found| found.severity == Severity::Error)
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
            json!({ "files": files, "diagnostics": found, "plugins": plugins })
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
