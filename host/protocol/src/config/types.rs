//! What a configuration says, after reading: types that cannot be wrong. How it is written: `parse.rs`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::diagnostic::Diagnostic;
use crate::output::OnFailure;

/// One file, read. Nothing in it was lost silently: what could not be used is in `error`, `diagnostics` or `skipped`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    pub config: Config,
    /// Set where the file as a whole cannot be used: it is a failure of the host, and blocks.
    pub error: Option<Diagnostic>,
    pub diagnostics: Vec<Diagnostic>,
    /// Handlers that are left to the agent.
    pub skipped: Vec<Skipped>,
}

/// One configuration file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Config {
    /// Event name → groups, both in the order of the file. Names that are not known are kept: a newer agent may send them.
    pub hooks: Vec<(String, Vec<Group>)>,
    /// Plugin name → where it comes from and what it may do.
    pub plugins: BTreeMap<String, PluginEntry>,
    /// Signer name → key.
    pub signers: BTreeMap<String, Signer>,
    /// The default of this layer's handlers, and the least of every lower layer's.
    pub on_failure: Option<OnFailure>,
    /// What an `ask` is where the agent cannot ask.
    pub ask_fallback: Option<AskFallback>,
    /// Managed layer only: nothing of the other layers runs.
    pub allow_managed_hooks_only: bool,
    /// None where the file does not say: a lower layer's `false` overrides a higher one's `true`, except managed.
    pub disable_all_hooks: Option<bool>,
    /// Managed layer only: `command` handlers of the other layers do not run.
    pub forbid_command_handlers: bool,
    /// Every plugin of this layer and those below it that is not built in must name a signer that this layer or a higher one knows.
    pub require_signers: bool,
}

impl Config {
    /// The groups of one event, in the order of the file; empty for an event that the file does not name.
    pub fn groups(&self, event: &str) -> &[Group] {
        self.hooks
            .iter()
            .find(|(name, _)| name == event)
            .map_or(&[], |(_, groups)| groups)
    }

    /// The `limits.timeout` and such of a plugin name; a name without an entry is `builtin:NAME` without grants.
    pub fn plugin(&self, name: &str) -> Option<&PluginEntry> {
        self.plugins.get(name)
    }
}

/// What becomes of an `ask` where the agent cannot ask. The order is the strictness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum AskFallback {
    /// No opinion: what the agent does without hookbox, with a note in the audit.
    Pass,
    #[default]
    Deny,
}

/// A matcher and the handlers behind it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// As written; none where the group has none, which matches everything. `matcher.rs` compiles it.
    pub matcher: Option<String>,
    pub handlers: Vec<Handler>,
    /// JSON path, for messages.
    pub path: String,
}

/// One handler as configured.
#[derive(Clone, Debug, PartialEq)]
pub struct Handler {
    pub kind: HandlerKind,
    /// The `if` rule as written; none where there is none or an empty one. `condition.rs` reads it.
    pub condition: Option<String>,
    /// Seconds, above 0. None means the default of the event and kind.
    pub timeout: Option<f64>,
    /// As written; the effective value also depends on the kind and on the layers (`layers.rs`).
    pub on_failure: Option<OnFailure>,
    pub status_message: Option<String>,
    /// JSON path, for messages.
    pub path: String,
}

/// What a handler runs.
#[derive(Clone, Debug, PartialEq)]
pub enum HandlerKind {
    Command(CommandHandler),
    Wasm(WasmHandler),
    /// A type that hookbox leaves to the agent: `http`, `mcp_tool`, `prompt`, `agent`.
    Other {
        type_name: String,
    },
    /// It could not be loaded. Where it would have matched, the event is blocked with this message.
    Broken {
        error: String,
    },
}

/// A program of the user, not sandboxed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandHandler {
    /// A shell line, or with `args` a program.
    pub command: String,
    /// Present (also when empty): the program is started without a shell.
    pub args: Option<Vec<String>>,
    pub shell: Shell,
    /// Started, and not waited for.
    pub run_async: bool,
    /// Like `run_async`; the agent is woken when it ends.
    pub async_rewake: bool,
}

/// Which shell runs a shell line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Shell {
    /// `/bin/sh`, whatever the name says.
    #[default]
    Bash,
    PowerShell,
}

/// A plugin, in the sandbox.
#[derive(Clone, Debug, PartialEq)]
pub struct WasmHandler {
    /// A key of `plugins`, or the bare name of a built-in plugin.
    pub plugin: String,
    /// What the plugin's `configure` gets; null where there are none.
    pub settings: Value,
    /// The file that holds the settings instead, JSON or TOML; relative to the configuration file.
    pub settings_file: Option<String>,
}

/// Where a plugin comes from and what it may do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PluginEntry {
    pub source: PluginSource,
    /// `sha256:` and 64 hex digits.
    pub digest: Option<String>,
    /// A key of `signers`.
    pub signer: Option<String>,
    pub grants: Grants,
    pub limits: Limits,
    /// Set where the entry cannot be used: its handlers are `Broken` with this message.
    pub error: Option<String>,
    /// JSON path, for messages.
    pub path: String,
}

/// Where the bytes of a plugin are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PluginSource {
    /// In the pack inside the program.
    Builtin(String),
    /// A file; relative to the configuration file's folder.
    Path(String),
    /// `registry/repository:tag` or `…@sha256:…`, without `oci://`.
    Oci(String),
}

impl Default for PluginSource {
    fn default() -> Self {
        PluginSource::Builtin(String::new())
    }
}

/// The authorities that a configuration gives a plugin. Empty: it can only compute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants {
    /// Path patterns it may read; `${project}` and `${home}` stand for those folders.
    pub read: Vec<String>,
    /// Path patterns it may ask existence, type and link target of.
    pub stat: Vec<String>,
    /// Names of environment variables.
    pub env: Vec<String>,
    /// Hosts it may call, as [`HostGrant`](crate::hosts::HostGrant) reads them.
    pub http: Vec<String>,
    /// A key-value store of its own that outlives the event.
    pub state: bool,
    pub clock: bool,
    pub random: bool,
}

impl Grants {
    pub fn is_empty(&self) -> bool {
        *self == Grants::default()
    }
}

/// What a configuration changes of the sandbox's limits; none keeps the default (DESIGN §7).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Limits {
    pub fuel: Option<u64>,
    /// Bytes of linear memory, summed over the store.
    pub memory: Option<u64>,
    /// Seconds, above 0.
    pub timeout: Option<f64>,
    pub table_elements: Option<u64>,
    /// Seconds that preparing it may take.
    pub prepare_time: Option<f64>,
    /// Bytes of wasm stack.
    pub stack: Option<u64>,
    /// Bytes of one answer.
    pub answer: Option<u64>,
}

/// Who may sign a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signer {
    /// A minisign public key, base64 as minisign prints it.
    Minisign(String),
    /// A cosign public key, PEM.
    Cosign(String),
}

/// A handler that hookbox does not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    pub event: String,
    pub type_name: String,
    pub path: String,
}
