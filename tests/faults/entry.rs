//! What the matrix does not show: faults of one event alone.

use crate::fault::{Ready, guard, healthy};
use crate::host::{KEY, SIGNATURE};
use hookbox_tests::{Place, Ran, program};
use serde_json::{Value, json};

/// Runs a line as the agent does, through `sh -c`.
fn line(place: &Place, line: &str, event: &Value) -> Ran {
    place.end(place.other("sh", &["-c", line]), event.to_string().as_bytes())
}

fn entry(program: &str) -> String {
    format!("{program} run --agent claude-code || exit 2")
}

#[test]
fn the_agents_entry_blocks_although_its_own_handler_kills_the_program() {
    let place = Place::new();
    let event = place.tool_event("PreToolUse", "ls");
    place.configure(&json!({ "hooks": { "PreToolUse": [{ "hooks": [
        { "type": "command", "command": "kill -9 $PPID; sleep 5", "timeout": 60 }
    ] }] } }));
    let ran = line(&place, &entry(&program().to_string_lossy()), &event);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn a_program_without_memory_never_agrees() {
    let place = Place::new();
    let ready = guard(&place);
    let event = place.tool_event("PreToolUse", "ls");
    assert_eq!(healthy(&place, &ready, &event).code, Some(2));
    for kib in [10_000, 30_000, 60_000, 100_000, 200_000, 1_000_000, 4_000_000] {
        let limited = format!("ulimit -v {kib}; {}", entry(&program().to_string_lossy()));
        let ran = line(&place, &limited, &event);
        assert_eq!(ran.code, Some(2), "{kib} KiB: {ran:?}");
    }
}

#[test]
fn who_cannot_be_heard_does_not_agree() {
    let place = Place::new();
    place.configure(&json!({ "hooks": { "PreToolUse": [{ "hooks": [
        { "type": "command", "command": r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"sure?"}}'"# }
    ] }] } }));
    let event = place.tool_event("PreToolUse", "ls");
    let program = program().to_string_lossy().into_owned();
    assert_eq!(line(&place, &format!("{program} run"), &event).code, Some(0));
    for closed in [">&-", ">/dev/full", ">/dev/null"] {
        let ran = line(&place, &format!("{program} run {closed}"), &event);
        assert_eq!(ran.code, Some(2), "{closed}: {ran:?}");
    }
}

#[test]
fn an_event_that_never_ends_is_blocked() {
    let place = Place::new();
    // The line's own process keeps the pipe open, as an agent that hangs does.
    let text = format!(
        r#"(printf '{{"hook_event_name":"PreToolUse",'; sleep 40) | {} run"#,
        program().to_string_lossy()
    );
    let ran = place.end(place.other("bash", &["-c", &text]), b"");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("was not complete after 20 s"), "{ran:?}");
}

#[test]
fn a_signed_plugin_is_taken_and_an_altered_one_is_not() {
    let place = Place::new();
    let ready = guard(&place);
    let event = place.tool_event("PreToolUse", "ls");
    let says = |content: &str| {
        let file = place.write("signed.wasm", content);
        place.write("signed.wasm.minisig", SIGNATURE);
        let plugins = json!({ "guard": { "source": file, "signer": "minisign" } });
        let signers = json!({ "minisign": { "minisign": KEY } });
        healthy(
            &place,
            &Ready {
                handler: ready.handler.clone(),
                plugins,
                signers,
            },
            &event,
        )
        .stderr
    };
    // The signed file of minisign's own example is no component, which is seen only after its signature was checked.
    let signed = says("test");
    assert!(signed.contains("not a WebAssembly component"), "{signed}");
    let altered = says("tesT");
    assert!(altered.contains("does not verify"), "{altered}");
}
