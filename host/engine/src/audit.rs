//! The audit: for each handler that ran a pair of lines, `hook/invoked` and `hook/result`, under one `handlerId`.
//!
//! One JSON object per line, appended in a single write to `audit.jsonl` in the state folder. It holds what was decided and
//! why, never the tool's input.

use crate::fault::HostFault;
use crate::handler::Told;
use crate::options::Options;
use hookbox_protocol::{Decision, Event, OnFailure, Outcome};
use serde_json::{Value, json};
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// Bytes after which the file is put aside as `audit.1.jsonl`.
const FILE_BYTES: u64 = 32 << 20;

/// The file.
pub fn path(options: &Options) -> Option<PathBuf> {
    options.state.as_ref().map(|state| state.join("audit.jsonl"))
}

/// The word for a decision.
pub fn word(decision: Option<Decision>) -> &'static str {
    match decision {
        None => "none",
        Some(Decision::Allow) => "allow",
        Some(Decision::Ask) => "ask",
        Some(Decision::Defer) => "defer",
        Some(Decision::Deny) => "deny",
    }
}

fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

/// Keeps what the handlers of an event did and what came of it.
pub(crate) fn event(options: &Options, event: &Event, outcome: &Outcome, told: &[Told]) {
    let time = now();
    let mut lines = String::new();
    let mut add = |line: Value| {
        lines.push_str(&line.to_string());
        lines.push('\n');
    };
    for (at, told) in told.iter().enumerate() {
        let id = format!("{time:x}-{:x}-{at}", std::process::id());
        add(json!({
            "type": "hook/invoked", "handlerId": id, "time": time, "agent": event.agent, "session": event.session,
            "event": event.name, "tool": event.tool.as_ref().map(|tool| &tool.name), "toolUseId": event.tool.as_ref().and_then(|tool| tool.id.as_ref()),
            "handler": told.label, "handlerType": told.kind, "file": told.file, "path": told.path,
            "onFailure": if told.on_failure == OnFailure::Block { "block" } else { "continue" },
        }));
        let output = &told.output;
        add(json!({
            "type": "hook/result", "handlerId": id, "decision": word(output.decision), "rule": output.rule, "reason": output.reason,
            "failure": output.failure.as_ref().map(|failure| json!({ "kind": format!("{:?}", failure.kind), "message": failure.message })),
            "stop": output.stop.is_some(), "rewrites": output.updated_input.is_some(), "diagnostics": output.diagnostics,
            "micros": u64::try_from(told.took.as_micros()).unwrap_or(u64::MAX), "fuel": told.fuel, "log": told.log,
        }));
    }
    if !told.is_empty() {
        add(json!({
            "type": "hook/outcome", "time": time, "agent": event.agent, "session": event.session, "event": event.name,
            "decision": word(outcome.decision), "reason": outcome.reason, "stop": outcome.stop.is_some(), "warnings": outcome.warnings,
        }));
    }
    append(options, &lines);
}

/// Keeps that the host failed.
pub(crate) fn fault(options: &Options, agent: &str, event: &str, fault: &HostFault) {
    let line =
        json!({ "type": "host/fault", "time": now(), "agent": agent, "event": event, "fault": fault.to_string() });
    append(options, &format!("{line}\n"));
}

/// An audit that cannot be written changes no verdict; `hookbox check` reports it.
fn append(options: &Options, lines: &str) {
    let Some(path) = path(options).filter(|_| !lines.is_empty()) else {
        return;
    };
    let open = || OpenOptions::new().append(true).create(true).mode(0o600).open(&path);
    let file = open().or_else(|_| {
        let folder = path.parent().unwrap_or(&path);
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        open()
    });
    let Ok(mut file) = file else { return };
    let _ = file.write_all(lines.as_bytes());
    if file.metadata().is_ok_and(|metadata| metadata.len() > FILE_BYTES) {
        let _ = fs::rename(&path, path.with_file_name("audit.1.jsonl"));
    }
}
