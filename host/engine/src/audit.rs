//! The audit: for each handler that ran a pair of lines, `hook/invoked` and `hook/result`, under one `handlerId`.
//!
//! One JSON object per line, appended in a single write to `audit.jsonl` in the state folder. It holds what was decided and
//! why, never the tool's input.

use crate::fault::HostFault;
use crate::handler::Told;
use crate::open;
use crate::options::Options;
use hookbox_protocol::{Decision, Event, OnFailure, Outcome};
use serde::Serialize;
use serde_json::{Value, json};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Bytes after which the file is put aside as `audit.1.jsonl`.
const FILE_BYTES: u64 = 32 << 20;

/// The file, which a host that goes on keeps open.
pub(crate) struct Audit {
    path: Option<PathBuf>,
    open: Mutex<Option<Open>>,
    keeps: bool,
}

/// A file, and which one it is.
struct Open {
    file: Arc<File>,
    device: u64,
    inode: u64,
}

fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invoked<'a> {
    r#type: &'static str,
    handler_id: &'a str,
    time: u64,
    agent: &'a str,
    session: &'a str,
    event: &'a str,
    tool: Option<&'a str>,
    tool_use_id: Option<&'a str>,
    handler: &'a str,
    handler_type: &'static str,
    file: &'a str,
    path: &'a str,
    on_failure: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Ended<'a> {
    r#type: &'static str,
    handler_id: &'a str,
    decision: &'static str,
    rule: Option<&'a str>,
    reason: Option<&'a str>,
    failure: Option<Value>,
    stop: bool,
    rewrites: bool,
    diagnostics: &'a [String],
    micros: u64,
    fuel: Option<u64>,
    log: &'a [String],
}

#[derive(Serialize)]
struct Came<'a> {
    r#type: &'static str,
    time: u64,
    agent: &'a str,
    session: &'a str,
    event: &'a str,
    decision: &'static str,
    reason: Option<&'a str>,
    stop: bool,
    warnings: &'a [String],
}

impl Audit {
    /// `keeps`: the file stays open between events.
    pub(crate) fn new(options: &Options, keeps: bool) -> Self {
        Audit {
            path: options.state.as_ref().map(|state| state.join("audit.jsonl")),
            open: Mutex::default(),
            keeps,
        }
    }

    /// Keeps what the handlers of an event did and what came of it.
    pub(crate) fn event(&self, event: &Event, outcome: &Outcome, told: &[Told]) {
        let time = now();
        let mut lines = Vec::new();
        for (at, told) in told.iter().enumerate() {
            let id = format!("{time:x}-{:x}-{at}", std::process::id());
            let call = event.tool.as_ref();
            let invoked = Invoked {
                r#type: "hook/invoked",
                handler_id: &id,
                time,
                agent: &event.agent,
                session: &event.session,
                event: &event.name,
                tool: call.map(|tool| tool.name.as_str()),
                tool_use_id: call.and_then(|tool| tool.id.as_deref()),
                handler: &told.label,
                handler_type: told.kind,
                file: &told.file,
                path: &told.path,
                on_failure: if told.on_failure == OnFailure::Block {
                    "block"
                } else {
                    "continue"
                },
            };
            add(&mut lines, &invoked);
            let output = &told.output;
            let failure = output.failure.as_ref();
            let ended = Ended {
                r#type: "hook/result",
                handler_id: &id,
                decision: Decision::word(output.decision),
                rule: output.rule.as_deref(),
                reason: output.reason.as_deref(),
                failure: failure
                    .map(|failure| json!({ "kind": format!("{:?}", failure.kind), "message": failure.message })),
                stop: output.stop.is_some(),
                rewrites: output.updated_input.is_some(),
                diagnostics: &output.diagnostics,
                micros: u64::try_from(told.took.as_micros()).unwrap_or(u64::MAX),
                fuel: told.fuel,
                log: &told.log,
            };
            add(&mut lines, &ended);
        }
        // What nobody was asked about leaves no line, but for what hookbox itself has to say of it.
        if !told.is_empty() || !outcome.warnings.is_empty() {
            let came = Came {
                r#type: "hook/outcome",
                time,
                agent: &event.agent,
                session: &event.session,
                event: &event.name,
                decision: Decision::word(outcome.decision),
                reason: outcome.reason.as_deref(),
                stop: outcome.stop.is_some(),
                warnings: &outcome.warnings,
            };
            add(&mut lines, &came);
        }
        self.append(&lines);
    }

    /// Keeps that the host failed.
    pub(crate) fn fault(&self, agent: &str, event: &str, fault: &HostFault) {
        let line =
            json!({ "type": "host/fault", "time": now(), "agent": agent, "event": event, "fault": fault.to_string() });
        self.append(format!("{line}\n").as_bytes());
    }

    /// An audit that cannot be written changes no verdict; `hookbox check` reports it.
    fn append(&self, lines: &[u8]) {
        let Some(path) = self.path.as_deref().filter(|_| !lines.is_empty()) else {
            return;
        };
        let Some((file, length)) = self.file(path) else { return };
        let _ = (&*file).write_all(lines);
        if length + lines.len() as u64 > FILE_BYTES {
            let _ = fs::rename(path, path.with_file_name("audit.1.jsonl"));
        }
    }

    /// The file that has this name now, and its length.
    fn file(&self, path: &Path) -> Option<(Arc<File>, u64)> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = open.as_ref().filter(|_| self.keeps)
            && let Ok(named) = fs::symlink_metadata(path)
            && (named.dev(), named.ino()) == (open.device, open.inode)
        {
            return Some((Arc::clone(&open.file), named.len()));
        }
        let file = || open::regular(path, OpenOptions::new().append(true).create(true).mode(0o600));
        let file = file().or_else(|_| {
            let folder = path.parent().unwrap_or(path);
            DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
            file()
        });
        let file = Arc::new(file.ok()?);
        let metadata = file.metadata().ok()?;
        *open = Some(Open {
            file: Arc::clone(&file),
            device: metadata.dev(),
            inode: metadata.ino(),
        });
        Some((file, metadata.len()))
    }
}

/// A line that could not be written as JSON would be left out: there is none, all is texts and numbers.
fn add(lines: &mut Vec<u8>, line: &impl Serialize) {
    if serde_json::to_writer(&mut *lines, line).is_ok() {
        lines.push(b'\n');
    }
}
