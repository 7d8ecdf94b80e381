//! Runs one handler on one event and decodes what it answers.

use crate::command::{self, Place};
use crate::label::label;
use crate::plugin::{Store, Wanted};
use crate::program;
use hookbox_protocol::codec::{self, Exit, Run};
use hookbox_protocol::config::{Entry, HandlerKind, tighten};
use hookbox_protocol::{Decision, Dialect, Event, Failure, FailureKind, OnFailure, Output, events};
use hookbox_sandbox::{EventContext, Instances, Loaded, Sandbox};
use std::path::Path;
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::{Duration, Instant};

/// What one handler did: for `explain` and the audit.
#[derive(Clone, Debug)]
pub struct Told {
    /// The plugin's name or the command, as messages name it.
    pub label: String,
    /// `wasm` or `command`.
    pub kind: &'static str,
    pub file: String,
    /// JSON path of the handler in its file.
    pub path: String,
    pub output: Output,
    pub on_failure: OnFailure,
    pub took: Duration,
    /// Units, of a plugin or a plain program.
    pub fuel: Option<u64>,
    pub log: Vec<String>,
}

/// What all handlers of an event share. The engine of WebAssembly starts when the first plugin needs it.
pub(crate) struct Shared<'a> {
    pub(crate) dialect: Dialect,
    pub(crate) event: Arc<EventContext>,
    pub(crate) instances: Instances,
    /// The event as a `command` handler and a plain program get it.
    pub(crate) stdin: OnceLock<Vec<u8>>,
    pub(crate) store: &'a Store,
    pub(crate) sandbox: &'a LazyLock<Result<Sandbox, String>>,
}

impl Shared<'_> {
    pub(crate) fn event(&self) -> &Event {
        self.event.event()
    }

    pub(crate) fn stdin(&self) -> &[u8] {
        self.stdin
            .get_or_init(|| format!("{}\n", self.event().payload).into_bytes())
    }
}

pub(crate) fn kind(entry: &Entry) -> &'static str {
    match entry.handler.kind {
        HandlerKind::Command(_) => "command",
        _ => "wasm",
    }
}

fn begin(entry: &Entry) -> Told {
    Told {
        label: label(entry),
        kind: kind(entry),
        file: entry.file.clone(),
        path: entry.handler.path.clone(),
        output: Output::default(),
        on_failure: entry.on_failure,
        took: Duration::ZERO,
        fuel: None,
        log: Vec::new(),
    }
}

/// A handler whose thread ended without an answer: a fault of the host, which blocks.
pub(crate) fn lost(entry: &Entry, shared: &Shared<'_>) -> Told {
    let mut told = begin(entry);
    let failure = Failure {
        kind: FailureKind::NotLoaded,
        message: "internal error: its thread ended early".into(),
    };
    told.output = codec::failed(&shared.event().name, &told.label, failure, OnFailure::Block);
    told
}

/// Runs the handler.
pub(crate) fn run(entry: &Entry, shared: &Shared<'_>) -> Told {
    crate::inject::panic("handler");
    let begun = Instant::now();
    let mut told = begin(entry);
    told.output = match &entry.handler.kind {
        HandlerKind::Command(handler) => {
            let event = shared.event();
            let workplace = shared.event.world().workplace.as_deref().map(Path::to_string_lossy);
            let place = Place {
                cwd: workplace.as_deref().unwrap_or(&event.cwd),
                project: workplace.as_deref().unwrap_or(&event.project),
            };
            let ran = command::run(handler, &place, shared.stdin(), timeout(entry, &event.name));
            if ran.background {
                codec::background(&event.name, &String::from_utf8_lossy(&ran.stdout))
            } else {
                decode(shared, &told.label, entry.on_failure, &ran)
            }
        }
        HandlerKind::Wasm(_) => plugin(entry, shared, &mut told),
        HandlerKind::Broken { error } => {
            let failure = Failure {
                kind: FailureKind::NotLoaded,
                message: error.clone(),
            };
            codec::failed(&shared.event().name, &told.label, failure, OnFailure::Block)
        }
        HandlerKind::Other { .. } => Output::default(),
    };
    if entry.tighten_only {
        told.output = tighten(std::mem::take(&mut told.output));
    }
    told.took = begun.elapsed();
    told
}

fn timeout(entry: &Entry, event: &str) -> Duration {
    let seconds = entry
        .handler
        .timeout
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    // A clock cannot count further than it has digits.
    let most = Duration::from_secs(365 * 24 * 3600);
    seconds.map_or_else(
        || Duration::from_secs_f64(events::spec(event).timeout),
        |set| set.min(most),
    )
}

fn decode(shared: &Shared<'_>, label: &str, on_failure: OnFailure, ran: &command::Ran) -> Output {
    let exit = match &ran.exit {
        Exit::CouldNotStart(why) => Exit::CouldNotStart(why.clone()),
        other => other.clone(),
    };
    let run = Run {
        label,
        exit,
        stdout: &ran.stdout,
        stderr: &ran.stderr,
    };
    codec::decode(shared.dialect, &shared.event().name, &run, on_failure)
}

fn plugin(entry: &Entry, shared: &Shared<'_>, told: &mut Told) -> Output {
    let event = &shared.event().name;
    let failed = |failure| codec::failed(event, &told.label, failure, entry.on_failure);
    let not_loaded = |message: String| Failure {
        kind: FailureKind::NotLoaded,
        message: printable(&message),
    };
    let (HandlerKind::Wasm(wasm), Some(resolved)) = (&entry.handler.kind, &entry.plugin) else {
        return failed(not_loaded("the plugin was not resolved".into()));
    };
    let sandbox = match &**shared.sandbox {
        Ok(sandbox) => sandbox,
        Err(why) => return failed(not_loaded(why.clone())),
    };
    let wanted = Wanted {
        name: &wasm.plugin,
        plugin: resolved,
        settings: &wasm.settings,
        settings_file: crate::plugin::settings_file(wasm, &entry.file),
        timeout: entry.handler.timeout,
        project: &shared.event().project,
    };
    // A guard that cannot be loaded is a failure of the host: it blocks, whatever its `onFailure` says.
    let plugin = match shared.store.get(sandbox, &wanted) {
        Ok(plugin) => plugin,
        Err(why) => return codec::failed(event, &told.label, not_loaded(why), OnFailure::Block),
    };
    let plugin = match &*plugin {
        Loaded::Plugin(plugin) => plugin,
        Loaded::Program(program) => return program::run(program, entry, shared, told),
    };
    let answer = plugin.call(&wasm.plugin, &shared.event, &shared.instances);
    told.fuel = Some(answer.fuel);
    told.log = answer.log;
    match answer.output {
        Ok(output) => named(output, &told.label),
        Err(fault) => failed_in_sandbox(fault.failure(), entry, event, &told.label),
    }
}

/// What a plugin's failure does.
pub(crate) fn failed_in_sandbox(mut failure: Failure, entry: &Entry, event: &str, label: &str) -> Output {
    failure.message = printable(&failure.message);
    // What could not be loaded is a failure of the host, and blocks.
    let loaded = failure.kind != FailureKind::NotLoaded;
    let on_failure = if loaded { entry.on_failure } else { OnFailure::Block };
    codec::failed(event, label, failure, on_failure)
}

/// Every text of an output, [`printable`].
pub(crate) fn all_printable(mut output: Output) -> Output {
    for text in [
        &mut output.reason,
        &mut output.system_message,
        &mut output.additional_context,
    ] {
        *text = text.as_deref().map(printable);
    }
    output.stop = output.stop.map(|stop| stop.as_deref().map(printable));
    if let Some(failure) = &mut output.failure {
        failure.message = printable(&failure.message);
    }
    output
}

/// A reason names its handler and rule: whoever reads it knows which switch to look for.
fn named(mut output: Output, label: &str) -> Output {
    output.rule = output.rule.as_deref().map(printable);
    let rule = output.rule.as_deref().unwrap_or_default();
    let name = if rule.is_empty() {
        label.to_string()
    } else {
        format!("{label}/{rule}")
    };
    if output.decision.is_some_and(|decision| decision != Decision::Allow) {
        let reason = output
            .reason
            .as_deref()
            .map(printable)
            .filter(|reason| !reason.is_empty());
        output.reason = Some(reason.map_or_else(|| name.clone(), |reason| format!("{name}: {reason}")));
    } else {
        output.reason = output.reason.as_deref().map(printable);
    }
    all_printable(output)
}

/// A plugin's text without what could move a terminal's cursor, turn a part of it around or hide it.
pub fn printable(text: &str) -> String {
    let shown = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    let hides = |c: char| matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
    text.chars().filter(shown).filter(|c| !hides(*c)).collect()
}
