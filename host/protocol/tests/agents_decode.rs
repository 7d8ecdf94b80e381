//! Every agent's way to say the same thing is the same event: one row per action, one column per agent.

#![allow(clippy::unwrap_used, clippy::panic)] // A failed unwrap is a failed test.

mod matrix;

use hookbox_protocol::dialects;
use hookbox_protocol::{Action, Event};
use matrix::{CWD, call, matrix};
use serde_json::{Value, json};

fn decoded(agent: &str, tool: &str, input: &Value) -> Event {
    let payload = call(agent, tool, input.clone());
    let event = dialects::decode(agent, payload.clone()).unwrap_or_else(|error| panic!("{agent} {payload}: {error}"));
    assert_eq!(
        (event.agent.as_str(), event.name.as_str(), event.session.as_str()),
        (agent, "PreToolUse", "s-1"),
        "{payload}"
    );
    assert_eq!(event.payload["hook_event_name"], "PreToolUse", "{payload}");
    event
}

fn told(action: &Action) -> String {
    match action {
        Action::Run(command) => format!("{}: {}", command.shell, command.text),
        Action::Read(path) => format!("read {path}"),
        Action::Write(write) => format!(
            "write {}: {}",
            write.path,
            write.content.as_deref().unwrap_or("?").trim_end()
        ),
        Action::Delete(path) => format!("delete {path}"),
        Action::Search(search) => {
            format!(
                "search {} in {} of {}",
                search.pattern,
                search.path.as_deref().unwrap_or("?"),
                search.glob.as_deref().unwrap_or("?")
            )
        }
        Action::Fetch(url) => format!("fetch {url}"),
        Action::Call(call) => format!("call {}/{} {}", call.server, call.tool, call.arguments),
    }
}

#[test]
fn the_same_action_is_the_same_for_every_agent() {
    for (action, tool, rows) in matrix() {
        for (agent, theirs, input) in rows {
            let event = decoded(agent, theirs, &input);
            let call = event.tool.unwrap();
            let actions: Vec<String> = call.actions.iter().map(told).collect();
            assert_eq!(
                (actions.join("; ").as_str(), call.name.as_str()),
                (action, tool),
                "{agent} {theirs} {input}"
            );
        }
    }
}

#[test]
fn every_agent_has_a_shell_and_its_missing_command_cannot_be_judged() {
    let (_, _, rows) = &matrix()[0];
    for row in dialects::capabilities() {
        let (agent, tool, _) = rows.iter().find(|(agent, ..)| *agent == row.name).unwrap();
        let error = dialects::decode(agent, call(agent, tool, json!({}))).unwrap_err();
        assert_eq!(error.event(), Some("PreToolUse"), "{agent}: {error}");
        assert!(error.to_string().contains("/tool_input/command"), "{agent}: {error}");
    }
}

#[test]
fn the_input_has_the_canonical_argument_names() {
    for (agent, tool, input, want) in [
        (
            "copilot",
            "create",
            json!({"path": "/a", "file_text": "x"}),
            json!({"file_path": "/a", "content": "x"}),
        ),
        (
            "copilot",
            "edit",
            json!({"path": "/a", "old_str": "x", "new_str": "y"}),
            json!({"file_path": "/a", "old_string": "x", "new_string": "y"}),
        ),
        (
            "opencode",
            "read",
            json!({"filePath": "/a"}),
            json!({"file_path": "/a"}),
        ),
        (
            "antigravity",
            "run_command",
            json!({"CommandLine": "ls"}),
            json!({"command": "ls"}),
        ),
        ("codex", "exec_command", json!({"cmd": "ls"}), json!({"command": "ls"})),
        // Nothing is lost where both are there.
        (
            "copilot",
            "view",
            json!({"path": "/a", "file_path": "/b"}),
            json!({"path": "/a", "file_path": "/b"}),
        ),
    ] {
        assert_eq!(
            decoded(agent, tool, &input).payload["tool_input"],
            want,
            "{agent} {tool}"
        );
    }
}

#[test]
fn a_path_given_under_two_names_is_judged_under_both() {
    let event = decoded("copilot", "view", &json!({"path": "/a", "file_path": "/b"}));
    let actions: Vec<String> = event.tool.unwrap().actions.iter().map(told).collect();
    assert_eq!(actions, ["read /b", "read /a"]);
}

#[test]
fn typing_into_a_running_shell_is_a_command() {
    for (agent, tool, input) in [
        ("codex", "write_stdin", json!({"session_id": 1, "chars": "rm -rf x\n"})),
        ("copilot", "write_bash", json!({"sessionId": "1", "input": "rm -rf x"})),
    ] {
        let actions = decoded(agent, tool, &input).tool.unwrap().actions;
        assert!(
            matches!(&actions[0], Action::Run(command) if command.text.trim() == "rm -rf x"),
            "{agent}"
        );
    }
    assert!(
        decoded("codex", "write_stdin", &json!({"session_id": 1, "chars": ""}))
            .tool
            .unwrap()
            .actions
            .is_empty()
    );
}

#[test]
fn copilot_tells_its_events_apart_by_their_shape_only() {
    let base = json!({"sessionId": "s-1", "timestamp": 1, "cwd": CWD});
    for (fields, want) in [
        (json!({"toolName": "bash", "toolArgs": {"command": "ls"}}), "PreToolUse"),
        (
            json!({"toolName": "bash", "toolArgs": "{\"command\":\"ls\"}"}),
            "PreToolUse",
        ),
        (
            json!({"toolName": "bash", "toolArgs": {"command": "ls"}, "toolResult": {"resultType": "success"}}),
            "PostToolUse",
        ),
        (
            json!({"hookName": "permissionRequest", "toolName": "bash", "toolInput": {"command": "ls"}}),
            "PermissionRequest",
        ),
        (json!({"prompt": "hi"}), "UserPromptSubmit"),
        (
            json!({"prompt": "hi", "transformedPrompt": "hi"}),
            "UserPromptTransformed",
        ),
        (json!({"source": "new", "initialPrompt": "hi"}), "SessionStart"),
        (json!({"reason": "complete"}), "SessionEnd"),
        (json!({"stopReason": "end_turn", "stop_hook_active": false}), "Stop"),
        (json!({"agentName": "g", "transcriptPath": "/t"}), "SubagentStart"),
        (json!({"agentName": "g", "stopReason": "end_turn"}), "SubagentStop"),
        (
            json!({"hook_event_name": "Notification", "message": "m"}),
            "Notification",
        ),
    ] {
        let mut payload = base.clone();
        payload
            .as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        let event = dialects::decode("copilot", payload.clone()).unwrap();
        assert_eq!(
            (event.name.as_str(), event.session.as_str()),
            (want, "s-1"),
            "{payload}"
        );
        if let Some(tool) = event.tool {
            assert_eq!(told(&tool.actions[0]), "bash: ls", "{payload}");
        }
    }
    assert!(dialects::decode("copilot", base).is_err());
}

#[test]
fn copilots_other_spelling_has_claude_codes_names_over_its_own_arguments() {
    for (tool, input, want) in [
        ("Write", json!({"path": "/a", "file_text": "x"}), "write /a: x"),
        (
            "Edit",
            json!({"path": "/a", "old_str": "x", "new_str": "y"}),
            "write /a: y",
        ),
        ("Read", json!({"path": "/a"}), "read /a"),
        ("Bash", json!({"command": "ls"}), "bash: ls"),
    ] {
        let payload = json!({"hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": CWD, "tool_name": tool, "tool_input": input});
        let event = dialects::decode("copilot", payload).unwrap();
        assert_eq!(told(&event.tool.unwrap().actions[0]), want);
    }
    let edit = json!({"hookName": "permissionRequest", "sessionId": "s", "cwd": CWD, "toolName": "edit",
        "toolInput": {"file_path": "/a", "diff": "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n+ONE\n"}});
    let event = dialects::decode("copilot", edit).unwrap();
    assert_eq!(told(&event.tool.unwrap().actions[0]), "write /a: ONE");
}

#[test]
fn gemini_says_which_server_a_tool_is_of() {
    let payload = json!({"hook_event_name": "BeforeTool", "session_id": "s", "cwd": CWD, "tool_name": "mcp_my_server_say_it",
        "tool_input": {"command": "ls"}, "mcp_context": {"server_name": "my_server", "tool_name": "say_it"}});
    let event = dialects::decode("gemini", payload).unwrap();
    let call = event.tool.unwrap();
    assert_eq!(call.name, "mcp__my_server__say_it");
    assert_eq!(told(&call.actions[1]), "bash: ls");
}

#[test]
fn cursors_events_of_one_kind_of_call_are_calls() {
    let base = json!({"conversation_id": "s-1", "cursor_version": "2", "workspace_roots": ["/srv/demo"]});
    for (fields, want) in [
        (
            json!({"hook_event_name": "beforeShellExecution", "command": "ls", "cwd": "/srv/demo/x"}),
            "bash: ls",
        ),
        (
            json!({"hook_event_name": "beforeReadFile", "file_path": ".env"}),
            "read /srv/demo/.env",
        ),
        (
            json!({"hook_event_name": "beforeMCPExecution", "mcp_server_name": "demo", "tool_name": "say_it", "tool_input": "{\"text\":\"hey\"}"}),
            "call demo/say_it {\"text\":\"hey\"}",
        ),
        (
            json!({"hook_event_name": "preToolUse", "tool_name": "MCP:say_it", "tool_input": {}}),
            "call cursor/say_it {}",
        ),
        (
            json!({"hook_event_name": "preToolUse", "tool_name": "Delete", "tool_input": {"path": "a"}}),
            "delete /srv/demo/a",
        ),
    ] {
        let mut payload = base.clone();
        payload
            .as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        let event = dialects::decode("cursor", payload.clone()).unwrap();
        assert_eq!(
            (event.name.as_str(), event.session.as_str(), event.project.as_str()),
            ("PreToolUse", "s-1", "/srv/demo")
        );
        assert_eq!(told(&event.tool.unwrap().actions[0]), want, "{payload}");
    }
    let prompt = json!({"hook_event_name": "beforeSubmitPrompt", "prompt": "hi", "conversation_id": "s"});
    assert_eq!(
        dialects::decode("cursor", prompt).unwrap().prompt.as_deref(),
        Some("hi")
    );
}

#[test]
fn a_prompt_is_a_prompt_for_every_agent_that_sends_one() {
    for (agent, payload) in [
        ("codex", json!({"hook_event_name": "UserPromptSubmit", "prompt": "hi"})),
        ("gemini", json!({"hook_event_name": "BeforeAgent", "prompt": "hi"})),
        ("copilot", json!({"sessionId": "s", "prompt": "hi"})),
        ("qwen", json!({"hook_event_name": "UserPromptSubmit", "prompt": "hi"})),
        (
            "opencode",
            json!({"hook_event_name": "UserPromptSubmit", "prompt": "hi"}),
        ),
        ("vscode", json!({"hookEventName": "UserPromptSubmit", "prompt": "hi"})),
        (
            "windsurf",
            json!({"agent_action_name": "pre_user_prompt", "tool_info": {"user_prompt": "hi"}}),
        ),
        ("kiro", json!({"hook_event_name": "userPromptSubmit", "prompt": "hi"})),
        ("goose", json!({"event": "UserPromptSubmit", "message": "hi"})),
        (
            "cline",
            json!({"hookName": "UserPromptSubmit", "userPromptSubmit": {"prompt": "hi"}}),
        ),
    ] {
        let event = dialects::decode(agent, payload.clone()).unwrap();
        assert_eq!(
            (event.name.as_str(), event.prompt.as_deref()),
            ("UserPromptSubmit", Some("hi")),
            "{payload}"
        );
    }
}

#[test]
fn another_agents_payload_under_the_wrong_name_is_judged_by_its_shape() {
    for (told_agent, agent, tool, input) in [
        (
            "claude-code",
            "gemini",
            "run_shell_command",
            json!({"command": "rm -rf x"}),
        ),
        (
            "claude-code",
            "vscode",
            "run_in_terminal",
            json!({"command": "rm -rf x"}),
        ),
        ("claude-code", "cursor", "Shell", json!({"command": "rm -rf x"})),
        (
            "codex",
            "windsurf",
            "pre_run_command",
            json!({"command_line": "rm -rf x"}),
        ),
        ("gemini", "goose", "developer__shell", json!({"command": "rm -rf x"})),
        ("gemini", "copilot", "bash", json!({"command": "rm -rf x"})),
        (
            "claude-code",
            "antigravity",
            "run_command",
            json!({"CommandLine": "rm -rf x"}),
        ),
        ("codex", "cline", "execute_command", json!({"command": "rm -rf x"})),
    ] {
        let event = dialects::decode(told_agent, call(agent, tool, input)).unwrap();
        assert_eq!(
            (event.agent.as_str(), event.payload["native"]["registered_as"].as_str()),
            (agent, Some(told_agent))
        );
        assert!(
            matches!(&event.tool.unwrap().actions[0], Action::Run(command) if command.text == "rm -rf x"),
            "{agent}"
        );
    }
    // Same event names: a key that only Codex sends tells it, so that it is not answered with an `ask` that it would ignore.
    for told_agent in ["claude-code", "qwen", "droid", "opencode"] {
        let payload = json!({"hook_event_name": "PreToolUse", "turn_id": "t", "cwd": CWD, "tool_name": "Bash", "tool_input": {"command": "ls"}});
        assert_eq!(
            dialects::decode(told_agent, payload).unwrap().agent,
            "codex",
            "{told_agent}"
        );
    }
    let display = json!({"hook_event_name": "MessageDisplay", "turn_id": "t", "delta": "hi"});
    assert_eq!(dialects::decode("claude-code", display).unwrap().agent, "claude-code");
    // Same event names: the tools are known all the same.
    for tool in ["run_shell_command", "Execute", "shell", "run_in_terminal"] {
        let payload = json!({"hook_event_name": "PreToolUse", "cwd": CWD, "tool_name": tool, "tool_input": {"command": "rm -rf x"}});
        let event = dialects::decode("claude-code", payload).unwrap();
        assert_eq!(told(&event.tool.unwrap().actions[0]), "bash: rm -rf x", "{tool}");
    }
}

#[test]
fn nothing_that_an_agent_could_send_panics() {
    let values = [
        json!(null),
        json!(5),
        json!(""),
        json!([]),
        json!({}),
        json!([{"path": 1}]),
        json!("{}"),
        json!(true),
        json!("\u{0}"),
    ];
    for row in dialects::capabilities() {
        for key in [
            "hook_event_name",
            "hookEventName",
            "agent_action_name",
            "event",
            "hookName",
        ] {
            for name in [
                "PreToolUse",
                "preToolUse",
                "BeforeTool",
                "pre_mcp_tool_use",
                "beforeMCPExecution",
                "UserPromptSubmit",
                "Nope",
            ] {
                for value in &values {
                    let payload = json!({key: name, "tool_name": value, "tool_input": value, "cwd": value, "session_id": value,
                        "toolCall": value, "tool_info": value, "prompt": value, "preToolUse": value, "workspace_roots": value, "mcp_context": value});
                    let _ = dialects::decode(row.name, payload);
                }
            }
        }
    }
}

#[test]
fn handlers_of_a_shell_meet_every_shell() {
    for (agent, tool, input) in [
        // Another agent's name, and names that the next version could bring.
        ("codex", "run_in_terminal", json!({"command": "rm -rf x"})),
        ("gemini", "terminal_v2", json!({"command": "rm -rf x"})),
        ("codex", "write_stdin", json!({"chars": "rm -rf x"})),
        ("cursor", "Terminal", json!({"cmd": "rm -rf x"})),
    ] {
        let event = decoded(agent, tool, &input);
        assert_eq!(event.payload["tool_name"], "Bash", "{agent} {tool}");
        let call = event.tool.unwrap();
        assert_eq!(
            (call.name.as_str(), told(&call.actions[0]).as_str()),
            ("Bash", "bash: rm -rf x"),
            "{agent} {tool}"
        );
    }
    let write = decoded("gemini", "scribble", &json!({"path": "a", "content": "x"}));
    assert_eq!(write.tool.unwrap().name, "Write");
    let new =
        json!({"hook_event_name": "PreToolUse", "cwd": CWD, "tool_name": "Terminal2", "tool_input": {"command": "ls"}});
    assert_eq!(
        dialects::decode("claude-code", new).unwrap().tool.unwrap().name,
        "Terminal2"
    );
}

#[test]
fn one_configurations_lists_of_tools_match_for_every_agent() {
    for row in dialects::capabilities() {
        for written in ["Bash|Read", "Bash,Read", "Read, Bash", "Bash"] {
            let dialect = hookbox_protocol::Dialect::of_agent(row.name);
            let (matcher, _) = hookbox_protocol::Matcher::new(dialect, "PreToolUse", Some(written));
            assert!(
                matcher.matches("Bash") && !matcher.matches("BashOutput"),
                "{}: {written}",
                row.name
            );
        }
    }
}

#[test]
fn a_guard_of_edits_or_writes_judges_patches_of_every_agent() {
    let patch = json!({"input": "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch"});
    for (agent, tool) in [
        ("codex", "apply_patch"),
        ("copilot", "apply_patch"),
        ("vscode", "apply_patch"),
        ("droid", "ApplyPatch"),
    ] {
        let event = decoded(agent, tool, &patch);
        for written in ["Edit", "Write", "Edit|MultiEdit"] {
            let dialect = hookbox_protocol::Dialect::of_agent(agent);
            let (matcher, _) = hookbox_protocol::Matcher::new(dialect, "PreToolUse", Some(written));
            assert!(matcher.matches_event(&event), "{agent}: {written}");
        }
    }
}
