//! Events that no table has: the agent's next version added them.

use crate::dialects::{engine, matrix::CWD};
use hookbox::protocol::{Decision, dialects};
use serde_json::{Value, json};

/// The event with another name, in the agent's own way of naming it.
fn renamed(agent: &str, name: &str, mut payload: Value) -> Value {
    for key in dialects::event_keys(agent) {
        if payload.get(*key).is_some() {
            payload[*key] = json!(name);
            return payload;
        }
    }
    payload[dialects::event_keys(agent)[0]] = json!(name);
    payload
}

fn agents() -> impl Iterator<Item = &'static str> {
    dialects::capabilities().map(|row| row.name)
}

/// The commands of an event that no table has, for every agent: what each comes to.
fn of_new_events(names: &[&str], command: &str) -> Vec<(String, hookbox::Verdict)> {
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path());
    let mut verdicts = Vec::new();
    for agent in agents() {
        for name in names {
            let payload = renamed(agent, name, dialects::probe(agent, command, CWD).unwrap());
            let verdict = engine.run(agent, payload.to_string().as_bytes());
            verdicts.push((format!("{agent}: {name}: {command}"), verdict));
        }
    }
    // Each is in the audit, with or without handlers.
    let audit = std::fs::read_to_string(home.path().join("state/audit.jsonl")).unwrap();
    for agent in agents() {
        for name in names {
            let told = |line: &&str| {
                line.contains(&format!("\"agent\":\"{agent}\"")) && line.contains(&format!("\"event\":\"{name}\""))
            };
            let said = |line: &str| line.contains("\"hook/outcome\"") && line.contains("that this version knows");
            assert!(audit.lines().filter(told).any(said), "{agent}: {name}: {audit}");
        }
    }
    verdicts
}

/// Names that say that the call comes first, and names that do not say when it is made.
const MAY_COME_BEFORE: &[&str] = &["PreThing", "before_thing", "ToolGate"];

#[test]
fn a_call_in_an_event_that_was_added_last_week_is_judged_as_one_about_to_run_for_every_agent() {
    for (command, expected) in [
        ("rm -rf /", "deny"),
        ("git push --force origin main", "deny"),
        ("ls -la", "none"),
    ] {
        for (what, verdict) in of_new_events(MAY_COME_BEFORE, command) {
            assert_eq!(
                Decision::word(verdict.outcome.decision),
                expected,
                "{what}: {:?}",
                verdict.outcome
            );
            assert!(verdict.fault.is_none(), "{what}: {:?}", verdict.fault);
            let heard = verdict.response.exit == 2
                || verdict.response.stdout.contains("deny")
                || verdict.response.stdout.contains("\"cancel\":true");
            assert_eq!(heard, expected == "deny", "{what}: {:?}", verdict.response);
        }
    }
}

#[test]
fn what_has_to_be_asked_about_is_blocked_in_an_event_that_was_added_last_week() {
    for (what, verdict) in of_new_events(&["PreThing"], "git reset --hard HEAD~3") {
        assert_eq!(Decision::word(verdict.outcome.decision), "ask", "{what}");
        let response = verdict.response;
        let denied =
            response.exit == 2 || response.stdout.contains("deny") || response.stdout.contains("\"cancel\":true");
        assert!(denied, "{what}: {response:?}");
    }
}

#[test]
fn a_call_that_has_been_made_is_not_blocked_afterwards_whatever_the_event_is_called() {
    for (what, verdict) in of_new_events(&["PostThing", "after_thing", "ToolCompleted"], "rm -rf /") {
        assert_eq!(verdict.outcome.decision, None, "{what}: {:?}", verdict.outcome);
        assert_eq!(verdict.response.exit, 0, "{what}");
        assert!(
            verdict.outcome.warnings[0].contains("has been made"),
            "{what}: {:?}",
            verdict.outcome.warnings
        );
    }
}

#[test]
fn a_call_that_cannot_be_read_is_blocked_in_an_event_that_comes_before_it() {
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path());
    for (event, expected) in [
        (
            json!({"hook_event_name": "PreThing", "tool_name": "Bash", "tool_input": {"command": 7}}),
            "deny",
        ),
        (
            json!({"hook_event_name": "PreThing", "tool_name": "Bash", "tool_input": {}}),
            "deny",
        ),
        (json!({"hook_event_name": "PreThing", "tool_name": "Bash"}), "deny"),
        // Nothing says that a call is about to run, and there is nothing in it that could.
        (json!({"hook_event_name": "ToolListed", "tool_name": "Bash"}), "none"),
        (json!({"hook_event_name": "PostThing", "tool_name": "Bash"}), "none"),
        (json!({"hook_event_name": "PreThing", "mood": "good"}), "none"),
        // A call by other names, beside the event's fields and inside of one.
        (
            json!({"hook_event_name": "Gate", "toolName": "Bash", "arguments": {"command": "rm -rf /"}}),
            "deny",
        ),
        (
            json!({"hook_event_name": "Gate", "call": {"name": "Bash", "input": {"command": "rm -rf /"}}}),
            "deny",
        ),
        (json!({"hook_event_name": "Gate", "command": "rm -rf /"}), "deny"),
        (
            json!({"hook_event_name": "Gate", "request": {"command": "rm -rf /"}}),
            "deny",
        ),
        (
            json!({"hook_event_name": "Gate", "tool_name": "Write", "tool_input": {"file_path": "/etc/passwd", "content": ""}}),
            "deny",
        ),
        // What there is to choose from is no call.
        (
            json!({"hook_event_name": "CommandsLoaded", "commands": ["rm -rf /"]}),
            "none",
        ),
        // A result says that the call has been made.
        (
            json!({"hook_event_name": "Gate", "tool_name": "Bash", "tool_input": {"command": "rm -rf /"}, "tool_response": "no"}),
            "none",
        ),
        (
            json!({"hook_event_name": "Gate", "tool_name": "Bash", "tool_input": {"command": "rm -rf /"}, "tool_response": null}),
            "deny",
        ),
    ] {
        let mut event = event;
        event["cwd"] = json!(CWD);
        let verdict = engine.run("claude-code", event.to_string().as_bytes());
        assert_eq!(
            Decision::word(verdict.outcome.decision),
            expected,
            "{event}: {:?}",
            verdict.outcome
        );
        assert_eq!(
            verdict.response.exit == 2,
            expected == "deny",
            "{event}: {:?}",
            verdict.response
        );
    }
}

#[test]
fn an_event_that_is_named_is_not_taken_for_another_agents_of_the_same_shape() {
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path());
    // To Copilot, whose events have no names, a session with a `reason` has ended.
    let event = json!({
        "hookEventName": "PreThing", "sessionId": "s", "cwd": CWD, "reason": "other",
        "tool_name": "run_in_terminal", "tool_input": { "command": "rm -rf /" },
    });
    let verdict = engine.run("vscode", event.to_string().as_bytes());
    assert_eq!(verdict.outcome.decision, Some(Decision::Deny), "{verdict:?}");
}

#[test]
fn handlers_for_the_name_of_a_new_event_run_beside_those_that_judge_its_call() {
    let home = tempfile::tempdir().unwrap();
    let says = |text: &str, exit: u8| json!([{"hooks": [{"type": "command", "command": format!("echo {text} >&2; exit {exit}")}]}]);
    let decided = |hooks: Value| {
        std::fs::create_dir_all(home.path().join("config")).unwrap();
        std::fs::write(
            home.path().join("config/hooks.json"),
            json!({"hooks": hooks}).to_string(),
        )
        .unwrap();
        let event =
            json!({"hook_event_name": "PreThing", "cwd": CWD, "tool_name": "Bash", "tool_input": {"command": "ls"}});
        let verdict = engine(home.path()).run("claude-code", event.to_string().as_bytes());
        let reason = verdict.outcome.reason.clone().unwrap_or_default();
        (Decision::word(verdict.outcome.decision), verdict.told.len(), reason)
    };
    let (decision, ran, reason) = decided(json!({"PreThing": says("mine", 2), "PreToolUse": says("", 0)}));
    assert_eq!((decision, ran), ("deny", 2));
    assert!(reason.contains("mine"), "{reason}");
    // One that has no objection takes none back.
    let (decision, ran, reason) = decided(json!({"PreThing": says("", 0), "PreToolUse": says("theirs", 2)}));
    assert_eq!((decision, ran), ("deny", 2));
    assert!(reason.contains("theirs"), "{reason}");
    let (decision, ran, _) = decided(json!({"Stop": says("no", 2)}));
    assert_eq!((decision, ran), ("none", 0));
}
