//! How a plugin fails, and why one cannot be prepared.

use hookbox_protocol::{Failure, FailureKind};
use std::path::PathBuf;

/// How a plugin failed on an event.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error("out of fuel after {0} units; raise `limits.fuel` if the plugin needs more")]
    OutOfFuel(u64),
    #[error("out of fuel: the host handled more than {limit} bytes for it", limit = crate::limits::HOST_WORK)]
    HostWork,
    #[error("timed out after {0} ms")]
    TimedOut(u128),
    #[error("out of memory: more than {0} bytes; raise `limits.memory` if the plugin needs more")]
    OutOfMemory(usize),
    #[error("trapped: {0}")]
    Trap(String),
    #[error("answer too large: {what} has {size} bytes, at most {limit} are taken")]
    TooLarge {
        what: &'static str,
        size: usize,
        limit: usize,
    },
    #[error("answered what cannot be read: {0}")]
    BadAnswer(String),
    #[error("failed: {0}")]
    Plugin(String),
    #[error("settings: {0}")]
    Configure(String),
    #[error("could not be loaded: {0}")]
    NotLoaded(String),
}

impl Fault {
    /// The same, as every kind of handler reports it.
    pub fn failure(&self) -> Failure {
        let kind = match self {
            Fault::OutOfFuel(_) | Fault::HostWork => FailureKind::OutOfFuel,
            Fault::TimedOut(_) => FailureKind::TimedOut,
            Fault::OutOfMemory(_) => FailureKind::OutOfMemory,
            Fault::Trap(_) => FailureKind::Trap,
            Fault::TooLarge { .. } => FailureKind::TooLarge,
            Fault::BadAnswer(_) => FailureKind::BadAnswer,
            Fault::Plugin(_) => FailureKind::Plugin,
            Fault::Configure(_) | Fault::NotLoaded(_) => FailureKind::NotLoaded,
        };
        Failure {
            kind,
            message: self.to_string(),
        }
    }
}

/// Why a plugin cannot be prepared.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    #[error("the file has {0} bytes, at most {limit} are taken", limit = crate::limits::PLUGIN_BYTES)]
    TooLarge(usize),
    #[error("not a WebAssembly component: {0}")]
    NotAComponent(String),
    #[error("imports `{import}`, which was not granted\nhint: {hint}")]
    NotGranted { import: String, hint: String },
    #[error("imports `{0}`, which hookbox does not offer")]
    UnknownImport(String),
    #[error("exports no `hookbox:hook/handler@0.1.0`\nhint: {0}")]
    NoHandler(String),
    #[error(
        "not a WebAssembly component, and no plain program either: a core module without `_start`\nhint: build a WASI command, not a library"
    )]
    NoStart,
    #[error("the grant {0:?} is a file: a plain program can be granted folders alone\nhint: grant its folder")]
    FileGrant(String),
    #[error("settings: {0}")]
    Settings(String),
    #[error("`configure` failed: {0}")]
    Configure(Fault),
    #[error("cannot be compiled: {0}")]
    Compile(String),
    /// What a child process refused, in the words of the other variants.
    #[error("{0}")]
    Refused(String),
    #[error("the child process that prepares it {0}")]
    Child(String),
    #[error("cache {path}: {message}")]
    Cache { path: PathBuf, message: String },
}
