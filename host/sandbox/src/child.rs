//! Prepares a plugin in a child process with limits: what a hostile component does to a compiler stays there.
//!
//! The child is `PROGRAM __prepare`, where PROGRAM calls [`main`]. The job goes to its stdin as JSON and the component's
//! bytes; the artefact comes back on stdout whole, followed by its length and form, or an error on stderr.

use crate::error::PrepareError;
use crate::grants::Grants;
use crate::limits::{Limits, PREPARE_CPU, PREPARE_MEMORY};
use crate::os::own_session;
use crate::prepare::{Form, Job, Prepared};
use rustix::process::{Resource, Rlimit, setrlimit};
use serde_json::{Value, json};
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc;
use std::thread;

/// The argument that makes a program the child.
pub const ARGUMENT: &str = "__prepare";
/// Bytes of an artefact: native code is a few times as large as what it was made from.
const ARTEFACT_BYTES: u64 = 512 << 20;
const MAGIC: &[u8; 8] = b"hookbox2";
/// Bytes after the artefact and the note: two lengths, the form and the magic.
const TRAILER: usize = 32;

/// Runs the job in a child.
///
/// # Errors
/// Those of the job, and what became of a child that did not answer.
pub fn prepare(program: &Path, job: &Job<'_>) -> Result<Prepared, PrepareError> {
    let failed = |error: io::Error| PrepareError::Child(format!("cannot be started: {error}"));
    let mut command = Command::new(program);
    command
        .arg(ARGUMENT)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // `configure` may read the variables that were granted.
    command.envs(
        job.grants
            .env
            .iter()
            .filter_map(|name| Some((name, std::env::var_os(name)?))),
    );
    let mut child = own_session(&mut command).spawn().map_err(failed)?;
    let answer = converse(&mut child, job);
    let _ = child.kill();
    let _ = child.wait();
    answer
}

fn converse(child: &mut Child, job: &Job<'_>) -> Result<Prepared, PrepareError> {
    let broken = || PrepareError::Child("has no pipes".into());
    let mut stdin = child.stdin.take().ok_or_else(broken)?;
    let stdout = child.stdout.take().ok_or_else(broken)?;
    let stderr = child.stderr.take().ok_or_else(broken)?;
    let header = json!({
        "settings": job.settings, "grants": grants_json(job.grants),
        "fuel": job.limits.fuel, "memory": job.limits.memory, "tableElements": job.limits.table_elements,
    });
    thread::scope(|scope| {
        scope.spawn(move || {
            // A child that ends early says why on stderr.
            let _ = writeln!(stdin, "{header}").and_then(|()| stdin.write_all(job.wasm));
        });
        let (done, ended) = mpsc::channel();
        let out = scope.spawn(move || {
            let mut bytes = Vec::new();
            let read = stdout.take(ARTEFACT_BYTES + 1).read_to_end(&mut bytes);
            let _ = done.send(());
            read.map(|_| bytes)
        });
        let err = scope.spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.take(64 << 10).read_to_end(&mut text);
            String::from_utf8_lossy(&text).into_owned()
        });
        let timed_out = ended.recv_timeout(job.limits.prepare).is_err();
        if timed_out {
            let _ = child.kill();
        }
        let status = child.wait().map_err(|error| PrepareError::Child(error.to_string()))?;
        let stdout = out.join().unwrap_or_else(|_| Ok(Vec::new())).unwrap_or_default();
        let stderr = err.join().unwrap_or_default();
        if timed_out {
            return Err(PrepareError::Child(format!(
                "took more than {} s",
                job.limits.prepare.as_secs_f64()
            )));
        }
        match (status.code(), status.signal()) {
            (Some(0), _) => artefact(stdout),
            (Some(3), _) => Err(PrepareError::Refused(stderr.trim_end().into())),
            (Some(code), _) => Err(PrepareError::Child(format!(
                "ended with code {code}: {}",
                stderr.trim_end()
            ))),
            (None, signal) => Err(PrepareError::Child(format!(
                "was killed by signal {}: it may have used more than {} s of processor time or {} MiB",
                signal.unwrap_or(0),
                PREPARE_CPU.as_secs(),
                PREPARE_MEMORY >> 20
            ))),
        }
    })
}

/// Only a whole artefact is one.
fn artefact(mut bytes: Vec<u8>) -> Result<Prepared, PrepareError> {
    let cut = || PrepareError::Child("gave an artefact that is cut short".into());
    let trailer = bytes.len().checked_sub(TRAILER).ok_or_else(cut)?;
    let number = |at: usize| -> Option<usize> {
        usize::try_from(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?)).ok()
    };
    let (compiled, why) = (number(trailer).ok_or_else(cut)?, number(trailer + 8).ok_or_else(cut)?);
    if bytes.get(trailer + 24..) != Some(MAGIC) || compiled.checked_add(why) != Some(trailer) {
        return Err(cut());
    }
    let note = String::from_utf8_lossy(&bytes[compiled..trailer]).into_owned();
    let form = match number(trailer + 16) {
        Some(0) => Form::Snapshotted,
        Some(1) => Form::Unsnapshotted(note),
        Some(2) => Form::Command,
        Some(3) => Form::Module,
        _ => return Err(cut()),
    };
    bytes.truncate(compiled);
    Ok(Prepared { compiled: bytes, form })
}

/// What the child does. Its limits come first, before it has read a byte of the plugin.
pub fn main() -> ExitCode {
    match limit_myself().and_then(|()| work()) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(refused)) => {
            eprintln!("{refused}");
            ExitCode::from(3)
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn limit_myself() -> io::Result<()> {
    let limit = |resource, value: u64| {
        setrlimit(
            resource,
            Rlimit {
                current: Some(value),
                maximum: Some(value),
            },
        )
    };
    limit(Resource::Cpu, PREPARE_CPU.as_secs())?;
    limit(Resource::Core, 0)?;
    // Not 0: images of memories are files in memory, and count.
    limit(Resource::Fsize, ARTEFACT_BYTES)?;
    Ok(limit(Resource::Data, PREPARE_MEMORY)?)
}

fn work() -> io::Result<Result<(), PrepareError>> {
    let mut input = Vec::new();
    io::stdin().lock().read_to_end(&mut input)?;
    let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
    let header: Value = serde_json::from_slice(&input[..end])?;
    let wasm = input.get(end + 1..).unwrap_or_default();
    let number = |key: &str| header[key].as_u64().unwrap_or(0);
    let limits = Limits {
        fuel: number("fuel"),
        memory: usize::try_from(number("memory")).unwrap_or(0),
        table_elements: usize::try_from(number("tableElements")).unwrap_or(0),
        ..Limits::default()
    };
    let grants = grants_from(&header["grants"]);
    let job = Job {
        wasm,
        settings: header["settings"].as_str().unwrap_or("{}"),
        grants: &grants,
        limits: &limits,
    };
    let prepared = match job.run() {
        Ok(prepared) => prepared,
        Err(error) => return Ok(Err(error)),
    };
    let (form, note) = match &prepared.form {
        Form::Snapshotted => (0_u64, ""),
        Form::Unsnapshotted(why) => (1, why.as_str()),
        Form::Command => (2, ""),
        Form::Module => (3, ""),
    };
    let mut out = io::stdout().lock();
    out.write_all(&prepared.compiled)?;
    out.write_all(note.as_bytes())?;
    out.write_all(&(prepared.compiled.len() as u64).to_le_bytes())?;
    out.write_all(&(note.len() as u64).to_le_bytes())?;
    out.write_all(&form.to_le_bytes())?;
    out.write_all(MAGIC)?;
    out.flush()?;
    Ok(Ok(()))
}

/// Which imports are granted is all that preparing needs to know, and which variables.
fn grants_json(grants: &Grants) -> Value {
    json!({
        "read": grants.read, "stat": grants.stat, "env": grants.env, "http": grants.http,
        "state": grants.state, "clock": grants.clock, "random": grants.random,
    })
}

fn grants_from(value: &Value) -> Grants {
    let texts = |key: &str| -> Vec<String> {
        let list = value[key].as_array().map(Vec::as_slice).unwrap_or_default();
        list.iter()
            .filter_map(|text| text.as_str().map(str::to_string))
            .collect()
    };
    let flag = |key: &str| value[key].as_bool().unwrap_or(false);
    Grants {
        read: texts("read"),
        stat: texts("stat"),
        env: texts("env").into_iter().collect(),
        http: texts("http").into_iter().collect(),
        state: value["state"].as_str().map(str::to_string),
        clock: flag("clock"),
        random: flag("random"),
    }
}
