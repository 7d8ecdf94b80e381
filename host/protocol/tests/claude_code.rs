//! The dialect `claude-code`: what its events mean, and how an outcome is said so that the CLI hears it.

#![allow(clippy::unwrap_used, clippy::panic)] // A failed unwrap is a failed test.

use hookbox_protocol::dialects::{self, DecodeError, Response, Surroundings};
use hookbox_protocol::{Action, Decision, Event, Outcome};
use serde_json::{Value, json};

fn call(event: &str, tool: &str, input: Value) -> Result<Event, DecodeError> {
    let payload = json!({
        "session_id": "s-1", "transcript_path": "/home/user/t.jsonl", "cwd": "/srv/demo", "permission_mode": "default",
        "hook_event_name": event, "tool_name": tool, "tool_input": input, "tool_use_id": "toolu_1",
    });
    dialects::decode("claude-code", payload)
}

fn actions(tool: &str, input: Value) -> Vec<String> {
    call("PreToolUse", tool, input)
        .unwrap()
        .tool
        .unwrap()
        .actions
        .iter()
        .map(told)
        .collect()
}

fn told(action: &Action) -> String {
    match action {
        Action::Run(command) => format!("{}: {}", command.shell, command.text),
        Action::Read(path) => format!("read {path}"),
        Action::Write(write) => format!("write {}: {}", write.path, write.content.as_deref().unwrap_or("?")),
        Action::Delete(path) => format!("delete {path}"),
        Action::Search(search) => format!("search {:?} in {:?} of {:?}", search.pattern, search.path, search.glob),
        Action::Fetch(url) => format!("fetch {url}"),
        Action::Call(call) => format!("call {}/{}", call.server, call.tool),
    }
}

#[test]
fn every_built_in_tool_has_its_actions() {
    for (tool, input, want) in [
        ("Bash", json!({"command": "ls"}), vec!["bash: ls"]),
        ("PowerShell", json!({"command": "ls"}), vec!["powershell: ls"]),
        ("Monitor", json!({"command": "tail -f x"}), vec!["bash: tail -f x"]),
        (
            "Read",
            json!({"file_path": "/srv/demo/./config/../.env"}),
            vec!["read /srv/demo/.env"],
        ),
        (
            "Read",
            json!({"file_path": "notes.txt"}),
            vec!["read /srv/demo/notes.txt"],
        ),
        (
            "Write",
            json!({"file_path": "a", "content": "x"}),
            vec!["write /srv/demo/a: x"],
        ),
        ("Write", json!({"file_path": "a"}), vec!["write /srv/demo/a: ?"]),
        (
            "Edit",
            json!({"file_path": "a", "old_string": "x", "new_string": "y"}),
            vec!["write /srv/demo/a: y"],
        ),
        (
            "MultiEdit",
            json!({"file_path": "a", "edits": [{"new_string": "x"}, {"new_string": "y"}]}),
            vec!["write /srv/demo/a: x\ny"],
        ),
        (
            "NotebookEdit",
            json!({"notebook_path": "n.ipynb", "new_source": "1"}),
            vec!["write /srv/demo/n.ipynb: 1"],
        ),
        (
            "NotebookRead",
            json!({"notebook_path": "n.ipynb"}),
            vec!["read /srv/demo/n.ipynb"],
        ),
        (
            "Grep",
            json!({"pattern": "a", "path": "/etc", "glob": "*.c"}),
            vec!["search \"a\" in Some(\"/etc\") of Some(\"*.c\")"],
        ),
        (
            "Glob",
            json!({"pattern": "**/.env"}),
            vec!["search \"**/.env\" in None of Some(\"**/.env\")"],
        ),
        (
            "LS",
            json!({"path": "/etc"}),
            vec!["search \"\" in Some(\"/etc\") of None"],
        ),
        (
            "WebFetch",
            json!({"url": "https://example.com", "prompt": "sum"}),
            vec!["fetch https://example.com"],
        ),
        ("Agent", json!({"prompt": "rm -rf /", "description": "x"}), vec![]),
        ("SlashCommand", json!({"command": "/commit"}), vec![]),
        (
            "ReadMcpResourceTool",
            json!({"server": "s", "uri": "file:///etc/passwd"}),
            vec!["read /etc/passwd"],
        ),
        (
            "LSP",
            json!({"operation": "hover", "filePath": "a.rs"}),
            vec!["read /srv/demo/a.rs"],
        ),
    ] {
        assert_eq!(actions(tool, input.clone()), want, "{tool} {input}");
    }
}

#[test]
fn an_mcp_call_is_a_call_and_what_its_arguments_speak_of() {
    for (tool, input, want) in [
        ("mcp__demo__say_it", json!({"text": "hey"}), vec!["call demo/say_it"]),
        (
            "mcp__filesystem__write_file",
            json!({"path": "a", "content": "x"}),
            vec!["call filesystem/write_file", "write /srv/demo/a: x"],
        ),
        (
            "mcp__filesystem__read_file",
            json!({"path": "/etc/passwd"}),
            vec!["call filesystem/read_file", "read /etc/passwd"],
        ),
        (
            "mcp__filesystem__read_multiple_files",
            json!({"paths": ["a", "b"]}),
            vec![
                "call filesystem/read_multiple_files",
                "read /srv/demo/a",
                "read /srv/demo/b",
            ],
        ),
        (
            "mcp__filesystem__move_file",
            json!({"source": "a", "destination": "/etc/b"}),
            vec!["call filesystem/move_file", "delete /srv/demo/a", "write /etc/b: ?"],
        ),
        (
            "mcp__fs__delete_file",
            json!({"path": "a"}),
            vec!["call fs/delete_file", "delete /srv/demo/a"],
        ),
        (
            "mcp__shell__exec",
            json!({"command": "rm -rf /"}),
            vec!["call shell/exec", "bash: rm -rf /"],
        ),
        (
            "mcp__shell__exec",
            json!({"command": "rm", "args": ["-rf", "a b"]}),
            vec!["call shell/exec", "bash: rm -rf 'a b'"],
        ),
        (
            "mcp__win__powershell",
            json!({"command": "rm"}),
            vec!["call win/powershell", "powershell: rm"],
        ),
        (
            "mcp__browser__navigate",
            json!({"url": "https://e.com"}),
            vec!["call browser/navigate", "fetch https://e.com"],
        ),
        (
            "mcp__mail__search",
            json!({"from": "ann", "to": "bob"}),
            vec!["call mail/search"],
        ),
    ] {
        assert_eq!(actions(tool, input.clone()), want, "{tool} {input}");
    }
}

#[test]
fn a_tool_that_nobody_knows_yet_is_judged_by_its_arguments() {
    assert_eq!(actions("Terminal2", json!({"command": "rm -rf /"})), ["bash: rm -rf /"]);
    assert_eq!(
        actions("FileWriter", json!({"file_path": "/etc/x", "content": "y"})),
        ["write /etc/x: y"]
    );
    assert_eq!(actions("apply_thing", json!({"path": "a"})), ["write /srv/demo/a: ?"]);
    assert!(actions("senior-code-reviewer", json!({"x": 1})).is_empty());
}

#[test]
fn a_patch_in_a_shell_command_is_seen() {
    let command = "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: a\n*** End Patch\nEOF";
    assert_eq!(actions("Bash", json!({ "command": command }))[1], "delete /srv/demo/a");
}

#[test]
fn a_command_in_words_is_a_command() {
    assert_eq!(
        actions("Bash", json!({"command": ["rm", "-rf", "a b"]})),
        ["bash: rm -rf 'a b'"]
    );
    assert_eq!(actions("Bash", json!("rm -rf x")), ["bash: rm -rf x"]);
    assert_eq!(actions("Bash", json!({"command": ""})), ["bash: "]);
    assert_eq!(actions("Bash", json!("{\"command\": \"ls\"}")), ["bash: ls"]);
}

#[test]
fn a_call_whose_deciding_field_is_unusable_cannot_be_judged() {
    for event in ["PreToolUse", "PermissionRequest", "PreSkillShellCommand"] {
        for (tool, input, pointer, found) in [
            ("Bash", json!({}), "/tool_input/command", "missing"),
            ("Bash", json!({"command": 5}), "/tool_input/command", "a number"),
            ("Bash", json!({"command": null}), "/tool_input/command", "null"),
            ("Bash", json!(null), "/tool_input/command", "missing"),
            ("Write", json!({"content": "x"}), "/tool_input/file_path", "missing"),
            ("Read", json!({"file_path": []}), "/tool_input/file_path", "a list"),
            ("WebFetch", json!({}), "/tool_input/url", "missing"),
            ("", json!({"command": "ls"}), "/tool_name", "an empty text"),
        ] {
            let error = call(event, tool, input.clone()).unwrap_err();
            assert_eq!(error.event(), Some(event));
            let text = error.to_string();
            assert!(text.contains(pointer) && text.contains(found), "{tool} {input}: {text}");
        }
    }
    let no_name = dialects::decode(
        "claude-code",
        json!({"hook_event_name": "PreToolUse", "tool_input": {"command": "ls"}}),
    );
    assert!(no_name.unwrap_err().to_string().contains("/tool_name"));
}

#[test]
fn after_the_call_what_is_there_is_enough() {
    let event = call("PostToolUse", "Bash", json!({"command": 5})).unwrap();
    assert!(event.tool.unwrap().actions.is_empty());
    let event = call("PostToolUseFailure", "Bash", json!({"command": "ls"})).unwrap();
    assert_eq!(told(&event.tool.unwrap().actions[0]), "bash: ls");
}

#[test]
fn an_event_without_a_name_or_an_object_cannot_be_judged() {
    for payload in [
        json!(null),
        json!([]),
        json!("x"),
        json!({}),
        json!({"hook_event_name": 5}),
        json!({"hook_event_name": " "}),
    ] {
        let error = dialects::decode("claude-code", payload.clone()).unwrap_err();
        assert_eq!(error.event(), None, "{payload}");
    }
    assert!(
        dialects::decode("nope", json!({}))
            .unwrap_err()
            .to_string()
            .contains("hint: one of claude-code")
    );
}

#[test]
fn an_event_that_the_client_added_last_week_is_judged_by_what_is_there() {
    let payload = json!({"hook_event_name": "PreThing", "tool_name": "Bash", "tool_input": {"command": "ls"}});
    let event = dialects::decode("claude-code", payload).unwrap();
    assert_eq!(
        (event.name.as_str(), told(&event.tool.unwrap().actions[0]).as_str()),
        ("PreThing", "bash: ls")
    );
}

#[test]
fn the_project_is_what_the_agent_says_it_is() {
    let payload = json!({"hook_event_name": "Stop", "session_id": "s-1", "cwd": "/srv/demo/sub"});
    let event = dialects::decode("claude-code", payload.clone()).unwrap();
    assert_eq!(
        (event.cwd.as_str(), event.project.as_str(), event.session.as_str()),
        ("/srv/demo/sub", "/srv/demo/sub", "s-1")
    );
    let around = Surroundings {
        project: Some("/srv/demo"),
        ..Default::default()
    };
    let event = dialects::decode_in("claude-code", payload.clone(), &around).unwrap();
    assert_eq!(
        (event.cwd.as_str(), event.project.as_str()),
        ("/srv/demo/sub", "/srv/demo")
    );
    assert_eq!(event.payload, payload);
}

#[test]
fn a_prompt_is_read_or_cannot_be_judged() {
    let prompt = |value: Value| {
        dialects::decode(
            "claude-code",
            json!({"hook_event_name": "UserPromptSubmit", "prompt": value}),
        )
    };
    assert_eq!(prompt(json!("hi")).unwrap().prompt.as_deref(), Some("hi"));
    assert_eq!(prompt(json!("")).unwrap().prompt.as_deref(), Some(""));
    assert_eq!(
        prompt(json!([{"type": "text", "text": "a"}, "b"]))
            .unwrap()
            .prompt
            .as_deref(),
        Some("a\nb")
    );
    assert!(prompt(json!(5)).is_err());
    assert!(dialects::decode("claude-code", json!({"hook_event_name": "UserPromptSubmit"})).is_err());
}

fn answer(event: &str, outcome: &Outcome) -> (i32, String, Value) {
    let Response {
        stdout, stderr, exit, ..
    } = dialects::encode("claude-code", event, outcome);
    let stdout = if stdout.is_empty() {
        Value::Null
    } else {
        serde_json::from_str(&stdout).unwrap()
    };
    (exit, stderr, stdout)
}

fn decided(decision: Decision) -> Outcome {
    Outcome {
        decision: Some(decision),
        reason: Some("because".into()),
        ..Default::default()
    }
}

#[test]
fn no_opinion_is_silence() {
    for event in [
        "PreToolUse",
        "PermissionRequest",
        "UserPromptSubmit",
        "Stop",
        "SessionEnd",
        "Whatever",
    ] {
        assert_eq!(
            dialects::encode("claude-code", event, &Outcome::default()),
            Response::default(),
            "{event}"
        );
    }
}

#[test]
fn a_deny_is_said_in_every_way_that_is_heard() {
    let deny = decided(Decision::Deny);
    for event in ["PreToolUse", "PreModelSwitch", "PreSkillShellCommand"] {
        let (exit, stderr, stdout) = answer(event, &deny);
        assert_eq!((exit, stderr.as_str()), (2, "because\n"));
        let specific =
            json!({"hookEventName": event, "permissionDecision": "deny", "permissionDecisionReason": "because"});
        assert_eq!(stdout, json!({ "hookSpecificOutput": specific }));
    }
    for event in [
        "UserPromptSubmit",
        "PostToolUse",
        "PostToolBatch",
        "Stop",
        "SubagentStop",
        "PreCompact",
        "ConfigChange",
        "TaskCreated",
        "New",
    ] {
        assert_eq!(
            answer(event, &deny),
            (2, "because\n".into(), json!({"decision": "block", "reason": "because"})),
            "{event}"
        );
    }
    let (exit, _, stdout) = answer("PermissionRequest", &deny);
    assert_eq!(
        (exit, &stdout["hookSpecificOutput"]["decision"]),
        (2, &json!({"behavior": "deny", "message": "because"}))
    );
    let (exit, _, stdout) = answer("Elicitation", &deny);
    assert_eq!((exit, &stdout["hookSpecificOutput"]["action"]), (2, &json!("decline")));
}

#[test]
fn a_deny_always_has_a_reason() {
    for reason in [None, Some("  ".to_owned())] {
        let (_, stderr, stdout) = answer(
            "PreToolUse",
            &Outcome {
                reason,
                ..decided(Decision::Deny)
            },
        );
        assert!(stderr.starts_with("blocked by hookbox"));
        assert_eq!(
            stdout["hookSpecificOutput"]["permissionDecisionReason"],
            json!(stderr.trim_end())
        );
    }
}

#[test]
fn what_is_no_block_goes_at_exit_zero() {
    for (decision, word) in [
        (Decision::Ask, "ask"),
        (Decision::Allow, "allow"),
        (Decision::Defer, "defer"),
    ] {
        let (exit, stderr, stdout) = answer("PreToolUse", &decided(decision));
        assert_eq!(
            (
                exit,
                stderr.as_str(),
                &stdout["hookSpecificOutput"]["permissionDecision"]
            ),
            (0, "", &json!(word))
        );
    }
    let outcome = Outcome {
        updated_input: Some(json!({"command": "ls"})),
        additional_context: vec!["one".into(), "two".into()],
        system_messages: vec!["note".into()],
        stop: Some(Some("enough".into())),
        ..Default::default()
    };
    let specific =
        json!({"hookEventName": "PreToolUse", "updatedInput": {"command": "ls"}, "additionalContext": "one\ntwo"});
    let want =
        json!({"continue": false, "stopReason": "enough", "systemMessage": "note", "hookSpecificOutput": specific});
    assert_eq!(answer("PreToolUse", &outcome), (0, String::new(), want));
}

#[test]
fn a_denied_call_is_not_rewritten_but_keeps_its_context() {
    let outcome = Outcome {
        updated_input: Some(json!({})),
        additional_context: vec!["c".into()],
        ..decided(Decision::Deny)
    };
    let (_, _, stdout) = answer("PreToolUse", &outcome);
    assert_eq!(stdout["hookSpecificOutput"]["additionalContext"], "c");
    assert!(stdout["hookSpecificOutput"].get("updatedInput").is_none());
}

#[test]
fn a_permission_request_is_answered_with_a_behaviour_and_asking_is_silence() {
    let allow = Outcome {
        updated_input: Some(json!({"command": "ls"})),
        ..decided(Decision::Allow)
    };
    let (exit, _, stdout) = answer("PermissionRequest", &allow);
    let want = json!({"behavior": "allow", "updatedInput": {"command": "ls"}});
    assert_eq!((exit, &stdout["hookSpecificOutput"]["decision"]), (0, &want));
    assert_eq!(
        answer("PermissionRequest", &decided(Decision::Ask)),
        (0, String::new(), Value::Null)
    );
}

#[test]
fn what_cannot_be_asked_is_blocked_where_a_block_prevents_something() {
    for event in [
        "UserPromptSubmit",
        "UserPromptExpansion",
        "ConfigChange",
        "TaskCreated",
        "PreCompact",
    ] {
        assert_eq!(answer(event, &decided(Decision::Ask)).0, 2, "{event}");
    }
    assert_eq!(dialects::encode("claude-code", "Stop", &decided(Decision::Ask)).exit, 0);
}

#[test]
fn what_an_event_cannot_take_is_dropped_and_recorded() {
    let outcome = Outcome {
        additional_context: vec!["c".into()],
        ..Default::default()
    };
    let response = dialects::encode("claude-code", "SessionEnd", &outcome);
    assert_eq!((response.stdout.as_str(), response.warnings.len()), ("", 1));
    assert_eq!(dialects::encode("claude-code", "PreCompact", &outcome).stdout, "c");
}

#[test]
fn texts_over_the_cap_are_cut_with_a_note() {
    let outcome = Outcome {
        additional_context: vec!["é✓😀".repeat(10_000)],
        ..Default::default()
    };
    let (_, _, stdout) = answer("PostToolUse", &outcome);
    let context = stdout["hookSpecificOutput"]["additionalContext"].as_str().unwrap();
    assert!(context.encode_utf16().count() <= 10_000 && context.ends_with("takes no more]"));
    let whole = Outcome {
        additional_context: vec!["x".repeat(10_000)],
        ..Default::default()
    };
    assert_eq!(
        answer("PostToolUse", &whole).2["hookSpecificOutput"]["additionalContext"]
            .as_str()
            .unwrap()
            .len(),
        10_000
    );
}
