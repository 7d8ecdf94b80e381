//! What a plain program finds around it: the event on stdin, its settings, and what was granted.
//!
//! What a language's run-time asks for itself gets an answer that is the same on every machine: a clock that starts at 0 and
//! advances by a millisecond with each look at it (a program that waits for time to pass goes on), and fixed random bytes.

use super::Settings;
use crate::grants::Grants;
use crate::limits::{RANDOM_BYTES, STDIO_BYTES};
use crate::wasi;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use wasmtime_wasi::clocks::{HostMonotonicClock, HostWallClock};
use wasmtime_wasi::p1::WasiP1Ctx;
use wasmtime_wasi::p2::pipe::{MemoryInputPipe, MemoryOutputPipe};
use wasmtime_wasi::random::Deterministic;
use wasmtime_wasi::{FsPerms, WasiCtxBuilder};

/// The variable that holds `settings` which are no list of texts.
const SETTINGS: &str = "HOOKBOX_SETTINGS";
/// The variable that shell hooks have: the project's root.
const PROJECT: &str = "CLAUDE_PROJECT_DIR";
/// The first argument: there is no file that the program was started from.
const NAME: &str = "plugin";

/// Random bytes where none were granted: no generator, and no zeros, which some run-times take for a fault.
const CHANCE: [u8; 16] = *b"hookbox: chance!";

/// What a program prints, readable when it has ended. One byte more than is taken, so that more can be told from enough.
pub(super) struct Said {
    pub(super) stdout: MemoryOutputPipe,
    pub(super) stderr: MemoryOutputPipe,
}

impl Default for Said {
    fn default() -> Self {
        Said {
            stdout: MemoryOutputPipe::new(STDIO_BYTES + 1),
            stderr: MemoryOutputPipe::new(STDIO_BYTES + 1),
        }
    }
}

/// `project`: the event's project root. None of it is opened before it is granted.
pub(super) fn make(
    stdin: Vec<u8>,
    said: &Said,
    project: &str,
    settings: &Settings,
    grants: &Grants,
) -> wasmtime::Result<WasiP1Ctx> {
    let mut builder = WasiCtxBuilder::new();
    builder
        .max_random_size(RANDOM_BYTES)
        .stdin(MemoryInputPipe::new(stdin))
        .stdout(said.stdout.clone())
        .stderr(said.stderr.clone())
        .arg(NAME)
        .args(&settings.arguments);
    if !grants.clock {
        let clock = Looks::default();
        builder.wall_clock(clock.clone()).monotonic_clock(clock);
    }
    if !grants.random {
        builder
            .secure_random(Deterministic::new(CHANCE.to_vec()))
            .insecure_random(Deterministic::new(CHANCE.to_vec()))
            .insecure_random_seed(u128::from_le_bytes(CHANCE));
    }
    let granted = grants
        .env
        .iter()
        .filter(|name| ![SETTINGS, PROJECT].contains(&name.as_str()));
    for name in granted {
        if let Ok(value) = std::env::var(name) {
            builder.env(name, value);
        }
    }
    builder.env(PROJECT, project);
    if let Some(variable) = &settings.variable {
        builder.env(SETTINGS, variable);
    }
    // A folder that is not there is not found, as with `files.read`. A file is no folder, whatever it was when it was prepared.
    for folder in grants.read.iter().filter(|path| Path::new(path).is_dir()) {
        builder.preopened_dir(folder, folder, FsPerms::ReadOnly)?;
    }
    Ok(wasi::bounded(&mut builder))
}

/// A clock that counts how often it was looked at, in milliseconds.
#[derive(Clone, Default)]
struct Looks(Arc<AtomicU64>);

impl Looks {
    fn look(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

impl HostWallClock for Looks {
    fn resolution(&self) -> Duration {
        Duration::from_millis(1)
    }
    fn now(&self) -> Duration {
        self.look()
    }
}

impl HostMonotonicClock for Looks {
    fn resolution(&self) -> u64 {
        1_000_000
    }
    fn now(&self) -> u64 {
        u64::try_from(self.look().as_nanos()).unwrap_or(u64::MAX)
    }
}
