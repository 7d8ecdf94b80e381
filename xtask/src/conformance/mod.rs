//! `cargo xtask conformance FOLDER [--all] [--hookbox PROGRAM]`: a folder of cases against the protocol, by kind, with the rows that differ.
//!
//! FOLDER holds `cases/case-*.json`, `matcher-truth.json`, `if-truth.json`, `shell-truth*.json`, `configs/*.json` and
//! `payloads/<agent>/*.json`; what is not there is left out. Every answer comes from the pure crates, and nothing runs; only with a
//! program are the rows about policies asked of it.

mod cases;
mod policy;
mod truth;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use hookbox_protocol::protocol_op;
use serde_json::{Value, json};

use crate::generate::{self, Argued};

/// How many differing rows of a kind are printed unless `--all` is given.
const SHOWN: usize = 25;

/// What was found, kind by kind.
#[derive(Default)]
struct Report {
    kinds: BTreeMap<String, Kind>,
    /// Rows that hookbox answers in its own way, by the start of their name.
    argued: Vec<Argued>,
    /// Rows whose sources disagree or changed, and what hookbox answers.
    contested: Vec<String>,
    /// Kinds that another command measures.
    elsewhere: BTreeMap<String, usize>,
}

#[derive(Default)]
struct Kind {
    right: usize,
    argued: Vec<String>,
    wrong: Vec<String>,
}

impl Report {
    fn mark(&mut self, kind: &str, right: bool, row: impl FnOnce() -> String) {
        let kind = self.kinds.entry(kind.to_owned()).or_default();
        if right {
            kind.right += 1;
            return;
        }
        let row = row();
        match self
            .argued
            .iter()
            .find(|argued| row.trim_start_matches('"').starts_with(&argued.id))
        {
            Some(argued) => kind.argued.push(format!("{row}\n        {}", argued.why)),
            None => kind.wrong.push(row),
        }
    }
}

pub(crate) fn run(args: &[String]) -> Result<()> {
    let (mut folder, mut all, mut program) = (None, false, None);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--all" => all = true,
            "--hookbox" => program = Some(PathBuf::from(args.next().context("--hookbox: which program?")?)),
            flag if flag.starts_with("--") => {
                bail!("{flag}: unknown\nhint: conformance FOLDER [--all] [--hookbox PROGRAM]")
            }
            place => folder = Some(PathBuf::from(place)),
        }
    }
    let folder = folder.context("which folder?\nhint: conformance FOLDER [--all] [--hookbox PROGRAM]")?;
    let folder = folder.as_path();
    ensure!(folder.is_dir(), "{}: no such folder", folder.display());

    let mut report = Report {
        argued: generate::argued()?,
        ..Report::default()
    };
    truth::matchers(folder, &mut report)?;
    truth::rules(folder, &mut report)?;
    truth::shell(folder, &mut report)?;
    cases::cases(folder, program.as_deref(), &mut report)?;
    configurations(folder, &mut report)?;
    payloads(folder, &mut report)?;
    ensure!(!report.kinds.is_empty(), "{}: no cases in it", folder.display());
    print(&report, all);
    let wrong: usize = report.kinds.values().map(|kind| kind.wrong.len()).sum();
    ensure!(wrong == 0, "{wrong} rows differ");
    Ok(())
}

/// Real configurations are read, or refused with a hint how to mend them.
fn configurations(folder: &Path, report: &mut Report) -> Result<()> {
    for path in files(&folder.join("configs"), "")? {
        let answer = ask(json!({ "op": "parse", "config_text": read(&path)? }));
        let refused = answer["error"].as_str().is_some_and(|error| error.contains("hint:"));
        let right = refused || answer["config"].is_object();
        report.mark("configs", right, || format!("{}: {}", path.display(), answer["error"]));
    }
    Ok(())
}

/// Events as real agents sent them are understood.
fn payloads(folder: &Path, report: &mut Report) -> Result<()> {
    let folders = std::fs::read_dir(folder.join("payloads")).into_iter().flatten();
    let mut agents: Vec<PathBuf> = folders.filter_map(|entry| Some(entry.ok()?.path())).collect();
    agents.sort();
    for folder in agents {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let agent = if name == "claude" { "claude-code" } else { &name };
        for path in files(&folder, "")? {
            let answer = ask(json!({ "op": "action", "dialect": agent, "event": value(&path)? }));
            report.mark("payloads", answer["error"].is_null(), || {
                format!("{}: {}", path.display(), answer["error"])
            });
        }
    }
    Ok(())
}

fn print(report: &Report, all: bool) {
    for (name, kind) in &report.kinds {
        println!(
            "{name}: {}/{}",
            kind.right,
            kind.right + kind.wrong.len() + kind.argued.len()
        );
        for row in kind.wrong.iter().take(if all { usize::MAX } else { SHOWN }) {
            println!("    {row}");
        }
    }
    for row in report.kinds.values().flat_map(|kind| &kind.argued) {
        println!("answered otherwise: {row}");
    }
    if !report.contested.is_empty() {
        println!("contested or drifted (docs/protocol.md says why):");
        for row in &report.contested {
            println!("    {row}");
        }
    }
    for (kind, rows) in &report.elsewhere {
        println!("{kind}: {rows} rows, measured by another command");
    }
    let right: usize = report.kinds.values().map(|kind| kind.right).sum();
    let rows = right
        + report
            .kinds
            .values()
            .map(|kind| kind.wrong.len() + kind.argued.len())
            .sum::<usize>();
    println!("{right} of {rows} rows right");
}

fn ask(request: Value) -> Value {
    protocol_op::answer(&request)
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| path.display().to_string())
}

fn value(path: &Path) -> Result<Value> {
    serde_json::from_str(&read(path)?).with_context(|| path.display().to_string())
}

/// The JSON files of a folder whose names start with `prefix`, in order; none where there is no such folder.
fn files(folder: &Path, prefix: &str) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let named = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with(prefix));
        if named && path.extension().is_some_and(|extension| extension == "json") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// The strings of a list.
fn texts(list: &Value) -> Vec<&str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

fn rows(document: &Value) -> &[Value] {
    document["rows"].as_array().map_or(&[], Vec::as_slice)
}
