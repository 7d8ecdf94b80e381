//! The table of faults, and those of handlers.

use crate::{agent, host};
use hookbox_tests::guest::Guest;
use hookbox_tests::{Place, Ran};
use serde_json::{Value, json};
use std::path::PathBuf;

/// What a fault has to mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Means {
    Block,
    Continue,
    /// Not even the name of the event is known: whatever it is, it is blocked.
    Unknown,
    /// It is in the way of nothing: the verdict is the one without it.
    Judged,
    /// The same, of which the agent gets no more than the exit code and what stands on stderr.
    Unheard,
}

/// What the preparation leaves for the runs.
pub(crate) struct Ready {
    /// The handler of every event.
    pub(crate) handler: Value,
    pub(crate) plugins: Value,
    pub(crate) signers: Value,
}

pub(crate) type Prepare = Box<dyn Fn(&Place) -> Result<Ready, String> + Send + Sync>;
pub(crate) type Run = Box<dyn Fn(&Place, &Ready, &Value) -> Ran + Send + Sync>;

/// One fault.
pub(crate) struct Fault {
    pub(crate) name: String,
    pub(crate) means: Means,
    /// What stands in what the agent is told.
    pub(crate) says: &'static str,
    /// Makes what is needed; an error says why the fault cannot be injected on this machine.
    pub(crate) prepare: Prepare,
    pub(crate) run: Run,
    pub(crate) tidy: fn(&Place),
}

pub(crate) fn all() -> Vec<Fault> {
    let mut faults = Vec::new();
    for (name, guest, extra, says) in PLUGINS {
        for (word, means) in [("block", Means::Block), ("continue", Means::Continue)] {
            faults.push(plugin(name, guest, extra, says, word, means));
        }
    }
    for (name, command, timeout, says) in COMMANDS {
        for (word, means) in [("block", Means::Block), ("continue", Means::Continue)] {
            faults.push(program(name, command, *timeout, says, word, means));
        }
    }
    faults.extend(host::all());
    faults.extend(agent::all());
    faults
}

/// A plugin from the fields of a core module.
pub(crate) fn guest(fields: &str) -> Vec<u8> {
    Guest::read(
        "guest",
        &format!(";; tries: -\n;; class: -\n;; ends: -\n;; says: -\n{fields}"),
    )
    .wasm
}

/// A guard that says no: without a fault, every event that can be blocked is.
pub(crate) fn guard(place: &Place) -> Ready {
    let file = place.write("guard.wasm", guest(""));
    with(
        json!({ "type": "wasm", "plugin": "guard", "onFailure": "continue", "timeout": 60 }),
        &json!({ "guard": { "source": file } }),
    )
}

pub(crate) fn with(handler: Value, plugins: &Value) -> Ready {
    Ready {
        handler,
        plugins: plugins.clone(),
        signers: json!({}),
    }
}

/// The configuration, with the handler on this one event.
pub(crate) fn config(ready: &Ready, event: &Value) -> Value {
    let name = event["hook_event_name"].as_str().expect("a name");
    json!({
        "hooks": { name: [{ "hooks": [ready.handler] }] }, "plugins": ready.plugins, "signers": ready.signers,
    })
}

pub(crate) fn configured(place: &Place, ready: &Ready, event: &Value) -> PathBuf {
    place.write("home/.config/hookbox/hooks.json", config(ready, event).to_string())
}

/// A run without further ado.
pub(crate) fn healthy(place: &Place, ready: &Ready, event: &Value) -> Ran {
    configured(place, ready, event);
    place.run(event)
}

pub(crate) fn nothing(_: &Place) {}

const SLEEP: &str = r#"
    (import "wasi:clocks/monotonic-clock@0.2.0" "subscribe-duration" (func $wait (param i64) (result i32)))
    (import "wasi:io/poll@0.2.0" "[method]pollable.block" (func $block (param i32)))
    (func $handle (param $event i32) (result i32) (call $block (call $wait (i64.const -1))) (call $allow))"#;

/// Name, guest, further keys of the handler, what is said.
const PLUGINS: &[(&str, &str, &str, &str)] = &[
    ("plugin traps", "(func $handle (param i32) (result i32) (unreachable))", "{}", "unreachable"),
    ("plugin runs out of fuel", "(func $handle (param i32) (result i32) (loop $l (br $l)) (unreachable))", "{}", "out of fuel"),
    (
        "plugin runs out of memory",
        "(func $handle (param i32) (result i32) (loop $l (br_if $l (i32.ne (memory.grow (i32.const 99)) (i32.const -1)))) (unreachable))",
        "{}",
        "out of memory",
    ),
    ("plugin times out", SLEEP, r#"{"timeout": 0.1}"#, "timed out"),
    (
        "plugin answers too much",
        "(memory (export \"memory\") 9) (func $handle (param i32) (result i32) (memory.fill (i32.const 131072) (i32.const 97) (i32.const 100000))
         (call $deny (i32.const 131072) (i32.const 100000)))",
        "{}",
        "answer too large",
    ),
    (
        "plugin answers what cannot be read",
        "(func $handle (param i32) (result i32) (i32.store8 (i32.const 96) (i32.const 1)) (i32.store (i32.const 100) (i32.const 32))
         (i32.store (i32.const 104) (i32.const 5)) (call $allow))",
        "{}",
        "is not JSON",
    ),
    ("plugin fails by itself", "(func $handle (param i32) (result i32) (call $fail (i32.const 32) (i32.const 5)))", "{}", "hello"),
    (
        "plugin exits with 0",
        r#"(import "wasi:cli/exit@0.2.0" "exit" (func $exit (param i32)))
           (func $handle (param i32) (result i32) (call $exit (i32.const 0)) (call $allow))"#,
        "{}",
        "exit",
    ),
];

fn plugin(
    name: &str,
    fields: &'static str,
    extra: &'static str,
    says: &'static str,
    word: &'static str,
    means: Means,
) -> Fault {
    Fault {
        name: format!("{name}, `{word}`"),
        means,
        says,
        prepare: Box::new(move |place| {
            let file = place.write("plugin.wasm", guest(fields));
            let mut handler: Value = serde_json::from_str(extra).expect("JSON");
            handler["type"] = json!("wasm");
            handler["plugin"] = json!("p");
            handler["onFailure"] = json!(word);
            // Fuel decides; the clock would on a loaded machine.
            if handler["timeout"].is_null() {
                handler["timeout"] = json!(60);
            }
            Ok(with(handler, &json!({ "p": { "source": file } })))
        }),
        run: Box::new(healthy),
        tidy: nothing,
    }
}

/// Name, command, seconds, what is said.
const COMMANDS: &[(&str, &str, f64, &str)] = &[
    ("command cannot start", "/nonexistent/guard", 60.0, "not found"),
    ("command times out", "exec sleep 1000", 0.1, "timed out"),
    ("command is killed", "echo broken >&2; kill -9 $$", 60.0, "broken"),
    ("command exits with 1", "echo broken >&2; exit 1", 60.0, "broken"),
    ("command exits with 77", "echo broken >&2; exit 77", 60.0, "broken"),
    (
        "command answers what cannot be read",
        r#"echo '{"decision": 7}'"#,
        60.0,
        "decision",
    ),
];

fn program(
    name: &str,
    command: &'static str,
    timeout: f64,
    says: &'static str,
    word: &'static str,
    means: Means,
) -> Fault {
    Fault {
        name: format!("{name}, `{word}`"),
        means,
        says,
        prepare: Box::new(move |_| {
            let handler = json!({ "type": "command", "command": command, "timeout": timeout, "onFailure": word });
            Ok(with(handler, &json!({})))
        }),
        run: Box::new(healthy),
        tidy: nothing,
    }
}
