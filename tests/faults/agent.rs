//! Faults seen from the agent: it starts the very line that `init` wrote for the event, and the program is not what it was.

use crate::fault::{Fault, Means, Ready, guard, healthy, nothing};
use crate::host::kill;
use hookbox_protocol::events::EVENTS;
use hookbox_tests::{Place, Ran, end, program, start};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// The line that `hookbox init` writes for an event of Claude Code, where the configuration handles all of them.
pub(crate) fn line(place: &Place, event: &Value) -> String {
    let name = event["hook_event_name"].as_str().expect("a name");
    let settings = place.path("home/.claude/settings.json");
    let settings: Value = serde_json::from_slice(&fs::read(settings).expect("init wrote it")).expect("JSON");
    let command = &settings["hooks"][name][0]["hooks"][0]["command"];
    command.as_str().expect("a command").to_string()
}

/// A guard on every event, and the agent set up by `init`.
pub(crate) fn set_up(place: &Place) -> Result<Ready, String> {
    let ready = guard(place);
    let hooks: serde_json::Map<String, Value> = EVENTS
        .iter()
        .map(|spec| (spec.name.to_string(), json!([{ "hooks": [ready.handler] }])))
        .collect();
    place.configure(&json!({ "hooks": hooks, "plugins": ready.plugins }));
    let ran = place.end(place.command(&["init", "--agent", "claude-code"]), b"");
    assert_eq!(ran.code, Some(0), "init: {ran:?}");
    Ok(ready)
}

/// Runs the line as the agent does, with another program in the place of ours.
fn with_program(place: &Place, event: &Value, other: &str) -> Ran {
    let line = line(place, event);
    let ours = program().canonicalize().expect("the program");
    let ours = ours.to_string_lossy();
    assert!(line.contains(&*ours), "{line}");
    let line = line.replace(&*ours, other);
    place.end(place.other("sh", &["-c", &line]), event.to_string().as_bytes())
}

fn fault(name: &str, says: &'static str, run: fn(&Place, &Ready, &Value) -> Ran) -> Fault {
    Fault {
        name: name.into(),
        means: Means::Block,
        says,
        prepare: Box::new(set_up),
        run: Box::new(run),
        tidy: nothing,
    }
}

pub(crate) fn all() -> Vec<Fault> {
    vec![
        fault("the program is missing", "not found", |place, _, event| {
            with_program(place, event, "/nonexistent/hookbox")
        }),
        fault("the program is no program", "", |place, _, event| {
            let file = place.write("no-program", "\u{7f}ELF");
            let _ = fs::set_permissions(&file, fs::Permissions::from_mode(0o755));
            with_program(place, event, &file.to_string_lossy())
        }),
        fault("the program is killed", "Killed", |place, _, event| {
            let line = line(place, event);
            let shell = start(place.other("sh", &["-c", &line]));
            // It waits for its event, which comes only when it is gone.
            kill(shell.id(), "run");
            end(shell, event.to_string().as_bytes())
        }),
        fault("the program has no memory", "", |place, _, event| {
            let limited = format!("ulimit -v 30000; {}", line(place, event));
            place.end(place.other("sh", &["-c", &limited]), event.to_string().as_bytes())
        }),
        fault(
            "the machine has no room for an instance",
            "could not be loaded",
            |place, ready, event| {
                healthy(place, ready, event);
                // A memory of WebAssembly reserves 4 GiB of addresses.
                let limited = format!("ulimit -v 3000000; {} run", program().to_string_lossy());
                place.end(place.other("sh", &["-c", &limited]), event.to_string().as_bytes())
            },
        ),
        Fault {
            means: Means::Unheard,
            ..fault("stdout is closed", "", |place, _, event| {
                let closed = format!("{} run >&-", program().to_string_lossy());
                place.end(place.other("sh", &["-c", &closed]), event.to_string().as_bytes())
            })
        },
    ]
}
