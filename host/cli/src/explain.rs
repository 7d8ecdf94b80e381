//! `hookbox explain`: an event, told. It decides as `run` does.

use crate::args::Explain;
use crate::run;
use anyhow::{Context, Result};
use hookbox::protocol::{Decision, OnFailure};
use hookbox::{Told, Verdict};
use serde_json::{Value, json};
use std::process::ExitCode;

pub(crate) fn run(args: &Explain) -> Result<ExitCode> {
    let engine = args.call.engine();
    let payload = run::stdin(|| ()).context("stdin")?;
    let verdict = engine.run(&args.call.agent, &payload);
    if args.json {
        println!("{}", as_json(&verdict));
    } else {
        print!("{}", as_text(&engine, &verdict));
    }
    Ok(ExitCode::from(if verdict.response.exit == 0 { 0 } else { 2 }))
}

fn as_text(engine: &hookbox::Engine, verdict: &Verdict) -> String {
    let mut text = Lines::default();
    if let Some(event) = &verdict.event {
        let tool = event
            .tool
            .as_ref()
            .map_or_else(String::new, |tool| format!(" {}", tool.name));
        text.add(
            0,
            &format!("{}{tool} from {}, in {}", event.name, event.agent, event.cwd),
        );
        for action in event.tool.iter().flat_map(|tool| &tool.actions) {
            text.add(2, &format!("action: {action:?}"));
        }
        let layers = engine.layers(&event.project);
        for file in layers.files() {
            text.add(2, &format!("configuration: {} ({})", file.file, file.layer));
        }
        let entries = layers.entries(&event.name);
        let ran = |path: &str, file: &str| verdict.told.iter().any(|told| told.path == path && told.file == file);
        for entry in entries.iter().filter(|entry| !ran(&entry.handler.path, &entry.file)) {
            let matcher = entry.matcher.as_deref().unwrap_or("*");
            let condition = entry
                .handler
                .condition
                .as_ref()
                .map_or_else(String::new, |rule| format!(", if {rule}"));
            text.add(
                2,
                &format!("not run: {}: matcher {matcher}{condition}", entry.handler.path),
            );
        }
    }
    for told in &verdict.told {
        handler(&mut text, told);
    }
    for diagnostic in &verdict.diagnostics {
        text.add(2, &diagnostic.to_string());
    }
    let outcome = &verdict.outcome;
    text.add(0, &format!("outcome: {}", Decision::word(outcome.decision)));
    let more = outcome
        .reason
        .iter()
        .chain(&outcome.system_messages)
        .chain(&outcome.additional_context);
    more.for_each(|line| text.add(2, line));
    if let Some(stop) = &outcome.stop {
        text.add(
            2,
            &format!("the turn ends: {}", stop.as_deref().unwrap_or("no reason given")),
        );
    }
    if let Some(input) = &outcome.updated_input {
        text.add(2, &format!("the input becomes: {input}"));
    }
    outcome
        .warnings
        .iter()
        .for_each(|warning| text.add(2, &format!("warning: {warning}")));
    text.add(0, &format!("the agent gets: exit {}", verdict.response.exit));
    if !verdict.response.stdout.is_empty() {
        text.add(2, &format!("stdout: {}", verdict.response.stdout));
    }
    if !verdict.response.stderr.is_empty() {
        text.add(2, &format!("stderr: {}", verdict.response.stderr));
    }
    text.0
}

fn handler(text: &mut Lines, told: &Told) {
    let sandbox = if told.kind == "command" {
        " (command, not sandboxed)"
    } else {
        ""
    };
    let fuel = told.fuel.map_or_else(String::new, |fuel| format!(", fuel {fuel}"));
    let output = &told.output;
    let cost = format!("{:.2} ms{fuel}", told.took.as_secs_f64() * 1e3);
    text.add(
        2,
        &format!(
            "{}{sandbox}: {} [{cost}] {}: {}",
            told.label,
            Decision::word(output.decision),
            told.file,
            told.path
        ),
    );
    output.reason.iter().for_each(|reason| text.add(6, reason));
    if let Some(failure) = &output.failure {
        let means = if told.on_failure == OnFailure::Block {
            "block"
        } else {
            "continue"
        };
        text.add(6, &format!("failed: {} (onFailure: {means})", failure.message));
    }
    output
        .diagnostics
        .iter()
        .for_each(|line| text.add(6, &format!("note: {line}")));
    told.log.iter().for_each(|line| text.add(6, &format!("log: {line}")));
}

fn as_json(verdict: &Verdict) -> Value {
    let told = verdict.told.iter().map(|told| {
        json!({
            "handler": told.label, "type": told.kind, "file": told.file, "path": told.path,
            "decision": Decision::word(told.output.decision), "rule": told.output.rule, "reason": told.output.reason,
            "failure": told.output.failure.as_ref().map(|failure| &failure.message),
            "diagnostics": told.output.diagnostics, "log": told.log, "fuel": told.fuel,
            "micros": u64::try_from(told.took.as_micros()).unwrap_or(u64::MAX),
        })
    });
    json!({
        "event": verdict.event.as_ref().map(|event| &event.name),
        "handlers": told.collect::<Vec<_>>(),
        "diagnostics": verdict.diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "outcome": {
            "decision": Decision::word(verdict.outcome.decision), "reason": verdict.outcome.reason,
            "updatedInput": verdict.outcome.updated_input, "additionalContext": verdict.outcome.additional_context,
            "systemMessages": verdict.outcome.system_messages, "warnings": verdict.outcome.warnings,
            "stop": verdict.outcome.stop.is_some(),
        },
        "fault": verdict.fault,
        "response": { "stdout": verdict.response.stdout, "stderr": verdict.response.stderr, "exit": verdict.response.exit },
    })
}

/// Lines, each indented, without characters that a terminal would obey.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn add(&mut self, indent: usize, text: &str) {
        for line in text.trim_end().lines() {
            self.0.extend(std::iter::repeat_n(' ', indent));
            self.0.extend(line.chars().filter(|c| !c.is_control() || *c == '\t'));
            self.0.push('\n');
        }
    }
}
