//! Each event, answered by a component and by a shell command.

use crate::home::{Home, command, rule};
use serde_json::json;

#[test]
fn a_component_denies_a_call() {
    let home = Home::new().handlers(
        "PreToolUse",
        json!([rule(
            "deny",
            "use the deploy script",
            &json!({ "program": "terraform" })
        )]),
    );
    let ran = home.run(&home.bash("cd infra && sudo terraform apply"));
    ran.assert_blocked_because("rules/test: use the deploy script");
    assert_eq!(ran.json()["hookSpecificOutput"]["permissionDecision"], "deny");
    home.run(&home.bash("echo terraform apply")).assert_silent();
}

#[test]
fn a_command_denies_a_call_by_exit_2() {
    let home = Home::new().handlers("PreToolUse", json!([command("echo not today >&2; exit 2")]));
    home.run(&home.bash("ls"))
        .assert_blocked_because("[echo not today >&2; exit 2]: not today");
}

#[test]
fn a_command_that_fails_is_not_heard_unless_its_failure_blocks() {
    let home = Home::new().handlers("PreToolUse", json!([command("exit 1")]));
    assert_eq!(home.run(&home.bash("ls")).decision(), "none");
    let blocking = json!([{ "type": "command", "command": "exit 1", "onFailure": "block" }]);
    let home = Home::new().handlers("PreToolUse", blocking);
    home.run(&home.bash("ls"))
        .assert_blocked_because("failed; blocking because onFailure is \"block\"");
}

#[test]
fn a_command_gets_the_event_and_a_line_end_on_stdin() {
    let home = Home::new().handlers("PreToolUse", json!([command("cat > got.json")]));
    let event = home.bash("ls -la");
    home.run(&event).assert_silent();
    let got = std::fs::read_to_string(home.path("project/got.json")).unwrap();
    assert!(got.ends_with("}\n"), "{got}");
    let got: serde_json::Value = serde_json::from_str(&got).unwrap();
    for key in [
        "session_id",
        "cwd",
        "hook_event_name",
        "tool_name",
        "tool_input",
        "tool_use_id",
    ] {
        assert_eq!(got[key], event[key], "{key}");
    }
}

#[test]
fn a_prompt_is_stopped_by_either_kind_and_plain_text_becomes_context() {
    for handler in [
        rule("deny", "no secrets", &json!({ "prompt": "password" })),
        command("grep -q password && exit 2; exit 0"),
    ] {
        let home = Home::new().handlers("UserPromptSubmit", json!([handler]));
        let ran = home.run(&home.event("UserPromptSubmit", json!({ "prompt": "my password is x" })));
        assert_eq!(ran.exit, Some(2), "{ran:?}");
        home.run(&home.event("UserPromptSubmit", json!({ "prompt": "hello" })))
            .assert_silent();
    }
    let home = Home::new().handlers("UserPromptSubmit", json!([command("echo today is Monday")]));
    let ran = home.run(&home.event("UserPromptSubmit", json!({ "prompt": "hello" })));
    assert!(ran.stdout.contains("today is Monday"), "{ran:?}");
    assert_eq!(ran.exit, Some(0));
}

#[test]
fn after_a_call_a_block_is_feedback() {
    let after = json!({ "tool_name": "Bash", "tool_input": { "command": "make" }, "tool_response": { "stdout": "warning: x" }, "tool_use_id": "t-1" });
    for handler in [
        rule(
            "deny",
            "fix the warnings",
            &json!({ "event": "PostToolUse", "program": "make" }),
        ),
        command("echo fix the warnings >&2; exit 2"),
    ] {
        let home = Home::new().handlers("PostToolUse", json!([handler]));
        let ran = home.run(&home.event("PostToolUse", after.clone()));
        assert_eq!(ran.decision(), "deny", "{ran:?}");
        assert!(ran.stdout.contains("fix the warnings"), "{ran:?}");
    }
}

#[test]
fn stop_can_be_blocked_and_a_failure_lets_the_agent_stop() {
    let stop = json!({ "stop_hook_active": false, "last_assistant_message": "done" });
    let home = Home::new().handlers("Stop", json!([command("echo run the tests first >&2; exit 2")]));
    let ran = home.run(&home.event("Stop", stop.clone()));
    assert!(
        ran.decision() == "deny" && ran.stdout.contains("run the tests first"),
        "{ran:?}"
    );
    let failing = json!([{ "type": "command", "command": "exit 1", "onFailure": "block" }]);
    let home = Home::new().handlers("Stop", failing);
    assert_eq!(home.run(&home.event("Stop", stop)).decision(), "none");
}

#[test]
fn a_session_starts_with_the_context_of_its_handlers() {
    let home = Home::new().handlers("SessionStart", json!([command("echo branch: main")]));
    let ran = home.run(&home.event("SessionStart", json!({ "source": "startup" })));
    assert!(ran.exit == Some(0) && ran.stdout.contains("branch: main"), "{ran:?}");
}

#[test]
fn without_a_configuration_the_pack_answers() {
    let home = Home::new();
    home.run(&home.bash("git status && sudo rm -rf ~"))
        .assert_blocked_because("guard-commands/rm-home");
    home.run(&home.bash("git commit -m 'why rm -rf ~ is blocked'"))
        .assert_silent();
}

#[test]
fn every_handler_leaves_a_pair_of_lines_in_the_audit() {
    let home = Home::new().handlers(
        "PreToolUse",
        json!([rule("deny", "no", &json!({ "program": "ls" })), command("exit 0")]),
    );
    home.run(&home.bash("ls --secret-input"));
    let lines = home.audit();
    let of = |kind: &str| lines.iter().filter(|line| line["type"] == kind).count();
    assert_eq!((of("hook/invoked"), of("hook/result"), of("hook/outcome")), (2, 2, 1));
    let id = &lines[0]["handlerId"];
    assert_eq!(lines[1]["handlerId"], *id);
    assert_eq!(lines[1]["decision"], "deny");
    assert!(
        !format!("{lines:?}").contains("--secret-input"),
        "the audit repeats the tool's input"
    );
}
