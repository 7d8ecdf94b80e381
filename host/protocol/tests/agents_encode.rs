//! Every agent is told an outcome in the way it hears, and never one that makes it ignore the answer.

#![allow(clippy::unwrap_used, clippy::panic)] // A failed unwrap is a failed test.

use hookbox_protocol::dialects::{self, Response};
use hookbox_protocol::{Decision, Event, Outcome};
use serde_json::{Value, json};

const AGENTS: &[&str] = &[
    "claude-code",
    "codex",
    "gemini",
    "copilot",
    "cursor",
    "qwen",
    "opencode",
    "vscode",
    "droid",
    "windsurf",
    "kiro",
    "goose",
    "cline",
    "antigravity",
];

/// A shell command about to run.
fn shell_call(agent: &str) -> Event {
    let input = json!({"command": "ls"});
    let payload = match agent {
        "gemini" => json!({"hook_event_name": "BeforeTool", "tool_name": "run_shell_command", "tool_input": input}),
        "copilot" => json!({"sessionId": "s", "toolName": "bash", "toolArgs": input}),
        "cursor" => json!({"hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": input}),
        "vscode" => json!({"hookEventName": "PreToolUse", "tool_name": "run_in_terminal", "tool_input": input}),
        "windsurf" => json!({"agent_action_name": "pre_run_command", "tool_info": {"command_line": "ls"}}),
        "kiro" => json!({"hook_event_name": "preToolUse", "tool_name": "execute_bash", "tool_input": input}),
        "goose" => json!({"event": "PreToolUse", "tool_name": "developer__shell", "tool_input": input}),
        "cline" => {
            json!({"hookName": "PreToolUse", "preToolUse": {"toolName": "execute_command", "parameters": input}})
        }
        "antigravity" => json!({"toolCall": {"name": "run_command", "args": {"CommandLine": "ls"}}}),
        "qwen" => json!({"hook_event_name": "PreToolUse", "tool_name": "run_shell_command", "tool_input": input}),
        "opencode" => json!({"hook_event_name": "PreToolUse", "tool_name": "bash", "tool_input": input}),
        "droid" => json!({"hook_event_name": "PreToolUse", "tool_name": "Execute", "tool_input": input}),
        _ => json!({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": input}),
    };
    dialects::decode(agent, payload).unwrap()
}

fn decided(decision: Decision) -> Outcome {
    Outcome {
        decision: Some(decision),
        reason: Some("because".into()),
        ..Default::default()
    }
}

fn json_of(response: &Response) -> Value {
    if response.stdout.is_empty() {
        Value::Null
    } else {
        serde_json::from_str(&response.stdout).unwrap()
    }
}

/// Does the agent hear a block of the call in this answer? By what is documented or was measured for it.
fn blocks(agent: &str, response: &Response) -> bool {
    let told = json_of(response);
    let exit_2 = response.exit == 2 && !response.stderr.trim().is_empty();
    let nested = |key: &str| told["hookSpecificOutput"][key].as_str();
    match agent {
        // stdout is read at any exit code and wins.
        "gemini" => told["decision"] == "deny" && told["reason"].as_str().is_some_and(|reason| !reason.is_empty()),
        // Only JSON, only at exit 0, only flat.
        "copilot" => {
            response.exit == 0 && told["permissionDecision"] == "deny" && told["permissionDecisionReason"].is_string()
        }
        // A later hook's allow undoes a deny that has no `continue: false`; at exit 2 stdout is not read.
        "qwen" => response.exit == 0 && nested("permissionDecision") == Some("deny") && told["continue"] == false,
        "cline" => told["cancel"] == true,
        "antigravity" => told["decision"] == "deny",
        "codex" | "claude-code" | "vscode" | "droid" | "opencode" => {
            exit_2 && nested("permissionDecision") == Some("deny")
        }
        "goose" => exit_2 && told["decision"] == "block",
        "cursor" => exit_2 && told["permission"] == "deny",
        _ => exit_2,
    }
}

/// Does the agent take this answer for `no opinion`?
fn is_silence(agent: &str, response: &Response) -> bool {
    match agent {
        // Nothing is a deny.
        "antigravity" => json_of(response) == json!({"decision": "allow"}),
        _ => (response.exit, response.stdout.as_str(), response.stderr.as_str()) == (0, "", ""),
    }
}

#[test]
fn a_deny_is_heard_by_every_agent_with_its_reason() {
    for agent in AGENTS {
        let response = dialects::encode_event(&shell_call(agent), &decided(Decision::Deny));
        assert!(blocks(agent, &response), "{agent}: {response:?}");
        assert!(
            response.stdout.contains("because") || response.stderr.contains("because"),
            "{agent}: {response:?}"
        );
        assert!(
            [0, 2].contains(&response.exit) && response.warnings.is_empty(),
            "{agent}: {response:?}"
        );
    }
}

#[test]
fn a_deny_without_an_event_is_heard_too() {
    for agent in AGENTS {
        let response = dialects::encode(agent, "PreToolUse", &decided(Decision::Deny));
        assert!(blocks(agent, &response), "{agent}: {response:?}");
        // Not even the event's name could be read.
        let response = dialects::encode(agent, "", &decided(Decision::Deny));
        let closed_by_itself = ["antigravity", "cline"].contains(agent);
        assert!(
            response.exit == 2 || closed_by_itself || response.stdout.contains("deny"),
            "{agent}: {response:?}"
        );
    }
    assert_eq!(
        dialects::encode("nobody", "PreToolUse", &decided(Decision::Deny)).exit,
        2
    );
}

#[test]
fn no_opinion_is_what_the_agent_takes_for_silence() {
    for agent in AGENTS {
        let response = dialects::encode_event(&shell_call(agent), &Outcome::default());
        assert!(is_silence(agent, &response), "{agent}: {response:?}");
    }
}

#[test]
fn an_allow_is_said_only_where_it_is_taken() {
    for agent in AGENTS {
        let response = dialects::encode_event(&shell_call(agent), &decided(Decision::Allow));
        let silent = ["codex", "qwen", "opencode", "windsurf", "kiro", "cline"].contains(agent);
        assert_eq!(response.stdout.is_empty(), silent, "{agent}: {response:?}");
        assert_eq!((response.exit, response.stderr.as_str()), (0, ""), "{agent}");
    }
}

#[test]
fn an_ask_is_a_question_or_a_deny_that_says_so() {
    for agent in AGENTS {
        let response = dialects::encode_event(&shell_call(agent), &decided(Decision::Ask));
        if [
            "claude-code",
            "gemini",
            "copilot",
            "qwen",
            "vscode",
            "droid",
            "antigravity",
        ]
        .contains(agent)
        {
            assert!(
                response.stdout.contains("ask\"") && response.exit == 0,
                "{agent}: {response:?}"
            );
        } else {
            assert!(blocks(agent, &response), "{agent}: {response:?}");
            assert!(
                format!("{response:?}").contains("cannot ask in a hook"),
                "{agent}: {response:?}"
            );
        }
    }
    let shell = json!({"hook_event_name": "beforeShellExecution", "command": "ls", "cwd": "/"});
    let event = dialects::decode("cursor", shell).unwrap();
    assert_eq!(
        json_of(&dialects::encode_event(&event, &decided(Decision::Ask)))["permission"],
        "ask"
    );
}

#[test]
fn a_defer_is_never_less_than_a_question() {
    for agent in AGENTS {
        let response = dialects::encode_event(&shell_call(agent), &decided(Decision::Defer));
        assert!(!is_silence(agent, &response), "{agent}: {response:?}");
        assert!(
            *agent == "claude-code" || response.stdout.contains("ask\"") || blocks(agent, &response),
            "{agent}: {response:?}"
        );
    }
}

#[test]
fn a_rewrite_is_applied_in_the_agents_words_or_the_call_is_denied() {
    for agent in AGENTS {
        let outcome = Outcome {
            updated_input: Some(json!({"command": "ls -l"})),
            ..Default::default()
        };
        let response = dialects::encode_event(&shell_call(agent), &outcome);
        let told = json_of(&response);
        let rewritten = match *agent {
            "codex" => {
                assert_eq!(told["hookSpecificOutput"]["permissionDecision"], "allow");
                &told["hookSpecificOutput"]["updatedInput"]
            }
            "claude-code" | "opencode" | "vscode" | "droid" => &told["hookSpecificOutput"]["updatedInput"],
            "gemini" => &told["hookSpecificOutput"]["tool_input"],
            "copilot" => &told["modifiedArgs"],
            "cursor" => &told["updated_input"],
            _ => {
                assert!(blocks(agent, &response), "{agent}: {response:?}");
                assert!(
                    format!("{}{}", response.stdout, response.stderr).contains("ls -l"),
                    "{agent}: {response:?}"
                );
                continue;
            }
        };
        assert_eq!((rewritten, response.exit), (&json!({"command": "ls -l"}), 0), "{agent}");
    }
}

#[test]
fn a_rewrite_goes_back_under_the_agents_argument_names() {
    let write = json!({"sessionId": "s", "cwd": "/w", "toolName": "create", "toolArgs": {"path": "a", "file_text": "x", "overwrite": true}});
    let event = dialects::decode("copilot", write).unwrap();
    let mut input = event.payload["tool_input"].clone();
    assert_eq!(input, json!({"file_path": "a", "content": "x", "overwrite": true}));
    input["content"] = json!("y");
    let response = dialects::encode_event(
        &event,
        &Outcome {
            updated_input: Some(input),
            ..Default::default()
        },
    );
    assert_eq!(
        json_of(&response)["modifiedArgs"],
        json!({"path": "a", "file_text": "y", "overwrite": true})
    );
}

#[test]
fn a_rewrite_that_codex_would_void_is_a_deny() {
    let outcome = Outcome {
        updated_input: Some(json!({"cmd": "ls"})),
        ..Default::default()
    };
    assert!(blocks("codex", &dialects::encode_event(&shell_call("codex"), &outcome)));
    let call = json!({"hook_event_name": "PreToolUse", "tool_name": "mcp__demo__say_it", "tool_input": {"text": "a"}});
    let event = dialects::decode("codex", call).unwrap();
    let outcome = Outcome {
        updated_input: Some(json!({"text": "b"})),
        ..Default::default()
    };
    let told = json_of(&dialects::encode_event(&event, &outcome));
    assert_eq!(told["hookSpecificOutput"]["updatedInput"]["text"], "b");
}

#[test]
fn the_end_of_the_turn_before_a_call_keeps_the_call_from_running() {
    for agent in AGENTS {
        let outcome = Outcome {
            stop: Some(Some("enough".into())),
            ..Default::default()
        };
        let response = dialects::encode_event(&shell_call(agent), &outcome);
        let stops = ["claude-code", "gemini", "qwen"].contains(agent) && json_of(&response)["continue"] == false;
        assert!(stops || blocks(agent, &response), "{agent}: {response:?}");
    }
}

#[test]
fn context_that_an_agent_does_not_take_is_recorded_and_goes_with_a_deny() {
    for agent in AGENTS {
        let context = Outcome {
            additional_context: vec!["mind the gap".into()],
            ..Default::default()
        };
        let response = dialects::encode_event(&shell_call(agent), &context);
        assert_eq!(
            response.stdout.contains("mind the gap"),
            response.warnings.is_empty(),
            "{agent}: {response:?}"
        );
        let denied = Outcome {
            additional_context: vec!["mind the gap".into()],
            ..decided(Decision::Deny)
        };
        let response = dialects::encode_event(&shell_call(agent), &denied);
        assert!(
            format!("{response:?}").contains("mind the gap"),
            "{agent}: {response:?}"
        );
    }
}

#[test]
fn codex_gets_no_field_that_voids_its_answer() {
    let everything = |decision| Outcome {
        ask_passes: false,
        decision,
        reason: Some("because".into()),
        updated_input: Some(json!({"command": "ls"})),
        updated_output: Some(json!({"stdout": "x"})),
        additional_context: vec!["c".into()],
        system_messages: vec!["m".into()],
        stop: None,
        suppress_output: true,
        extra: json!({"sessionTitle": "t"}).as_object().unwrap().clone(),
        warnings: vec![],
    };
    let allowed: &[(&str, &[&str], &[&str])] = &[
        (
            "PreToolUse",
            &["systemMessage", "hookSpecificOutput"],
            &[
                "hookEventName",
                "permissionDecision",
                "permissionDecisionReason",
                "updatedInput",
                "additionalContext",
            ],
        ),
        (
            "PermissionRequest",
            &["systemMessage", "hookSpecificOutput"],
            &["hookEventName", "decision"],
        ),
        (
            "PostToolUse",
            &["systemMessage", "decision", "reason", "hookSpecificOutput"],
            &["hookEventName", "additionalContext"],
        ),
        (
            "UserPromptSubmit",
            &["systemMessage", "decision", "reason", "hookSpecificOutput"],
            &["hookEventName", "additionalContext"],
        ),
        (
            "SessionStart",
            &["systemMessage", "hookSpecificOutput"],
            &["hookEventName", "additionalContext"],
        ),
        ("Stop", &["systemMessage", "decision", "reason"], &[]),
        ("SubagentStop", &["systemMessage", "decision", "reason"], &[]),
        ("PreCompact", &["systemMessage", "continue", "stopReason"], &[]),
        ("SessionEnd", &[], &[]),
        ("Interrupt", &["systemMessage"], &[]),
    ];
    for decision in [
        None,
        Some(Decision::Allow),
        Some(Decision::Ask),
        Some(Decision::Defer),
        Some(Decision::Deny),
    ] {
        for (event, top, specific) in allowed {
            let told = json_of(&dialects::encode("codex", event, &everything(decision)));
            let Value::Object(object) = &told else { continue };
            assert!(object.keys().all(|key| top.contains(&key.as_str())), "{event} {told}");
            if let Some(Value::Object(inner)) = object.get("hookSpecificOutput") {
                assert!(
                    inner.keys().all(|key| specific.contains(&key.as_str())),
                    "{event} {told}"
                );
                let bare_allow =
                    inner.get("permissionDecision") == Some(&json!("allow")) && !inner.contains_key("updatedInput");
                assert!(!bare_allow, "{event} {told}");
            }
        }
    }
}

#[test]
fn a_prompt_is_stopped_where_the_agent_can() {
    for (agent, event, want) in [
        (
            "claude-code",
            "UserPromptSubmit",
            json!({"decision": "block", "reason": "because"}),
        ),
        (
            "codex",
            "UserPromptSubmit",
            json!({"decision": "block", "reason": "because"}),
        ),
        (
            "gemini",
            "BeforeAgent",
            json!({"decision": "deny", "reason": "because"}),
        ),
        (
            "qwen",
            "UserPromptSubmit",
            json!({"decision": "block", "reason": "because"}),
        ),
        (
            "copilot",
            "userPromptSubmitted",
            json!({"decision": "block", "reason": "because"}),
        ),
        (
            "cursor",
            "beforeSubmitPrompt",
            json!({"continue": false, "user_message": "because"}),
        ),
        (
            "cline",
            "UserPromptSubmit",
            json!({"cancel": true, "errorMessage": "because"}),
        ),
    ] {
        let response = dialects::encode(agent, event, &decided(Decision::Deny));
        assert_eq!(json_of(&response), want, "{agent}");
    }
    for agent in ["windsurf", "kiro", "vscode", "droid", "opencode"] {
        assert_eq!(
            dialects::encode(agent, "UserPromptSubmit", &decided(Decision::Deny)).exit,
            2,
            "{agent}"
        );
    }
    // Goose only shows its prompts: that is said.
    assert!(
        !dialects::encode("goose", "UserPromptSubmit", &decided(Decision::Deny))
            .warnings
            .is_empty()
    );
}

#[test]
fn the_end_of_a_turn_is_blocked_where_the_agent_can() {
    for (agent, event, want) in [
        ("claude-code", "Stop", json!({"decision": "block", "reason": "because"})),
        ("codex", "Stop", json!({"decision": "block", "reason": "because"})),
        ("gemini", "AfterAgent", json!({"decision": "deny", "reason": "because"})),
        ("qwen", "Stop", json!({"decision": "block", "reason": "because"})),
        (
            "copilot",
            "agentStop",
            json!({"decision": "block", "reason": "because"}),
        ),
        ("cursor", "stop", json!({"followup_message": "because"})),
        (
            "vscode",
            "Stop",
            json!({"hookSpecificOutput": {"hookEventName": "Stop", "decision": "block", "reason": "because"}}),
        ),
        ("goose", "Stop", json!({"decision": "block", "reason": "because"})),
    ] {
        assert_eq!(
            json_of(&dialects::encode(agent, event, &decided(Decision::Deny))),
            want,
            "{agent}"
        );
    }
}

#[test]
fn a_replaced_result_takes_the_place_of_the_result() {
    let outcome = Outcome {
        updated_output: Some(json!("redacted")),
        ..Default::default()
    };
    for (agent, event, want) in [
        (
            "claude-code",
            "PostToolUse",
            json!({"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": "redacted"}}),
        ),
        (
            "codex",
            "PostToolUse",
            json!({"decision": "block", "reason": "redacted"}),
        ),
        ("gemini", "AfterTool", json!({"decision": "deny", "reason": "redacted"})),
        (
            "copilot",
            "postToolUse",
            json!({"modifiedResult": {"resultType": "success", "textResultForLlm": "redacted"}}),
        ),
    ] {
        let response = dialects::encode(agent, event, &outcome);
        assert_eq!((json_of(&response), response.exit), (want, 0), "{agent}");
    }
    assert_eq!(dialects::encode("kiro", "postToolUse", &outcome).warnings.len(), 1);
}

#[test]
fn an_ask_that_may_pass_is_still_asked_where_the_agent_can() {
    for agent in AGENTS {
        let event = shell_call(agent);
        let denied = dialects::encode_event(&event, &decided(Decision::Ask));
        let passed = dialects::encode_event(
            &event,
            &Outcome {
                ask_passes: true,
                ..decided(Decision::Ask)
            },
        );
        if blocks(agent, &denied) {
            // It cannot ask here: no opinion, which the audit says.
            assert!(!blocks(agent, &passed), "{agent}: {passed:?}");
            assert!(
                passed.warnings.iter().any(|warning| warning.contains("`ask`")),
                "{agent}: {passed:?}"
            );
            let silent = dialects::encode_event(&event, &Outcome::default());
            assert_eq!((&passed.stdout, passed.exit), (&silent.stdout, silent.exit), "{agent}");
        } else {
            assert_eq!(passed, denied, "{agent}");
        }
        let deny = Outcome {
            ask_passes: true,
            ..decided(Decision::Deny)
        };
        assert!(blocks(agent, &dialects::encode_event(&event, &deny)), "{agent}");
        let deferred = Outcome {
            ask_passes: true,
            ..decided(Decision::Defer)
        };
        let wanted = dialects::encode_event(&event, &decided(Decision::Defer));
        assert_eq!(dialects::encode_event(&event, &deferred), wanted, "{agent}");
    }
}

#[test]
fn whatever_is_no_plain_yes_is_a_block_on_an_event_that_was_added_last_week() {
    // Claude Code takes the general form on every event, and has no other for one that is new.
    let general = |response: &Response| {
        response.exit == 2 && !response.stderr.is_empty() && json_of(response)["decision"] == "block"
    };
    let heard = |agent: &str, response: &Response| match agent {
        "claude-code" => general(response),
        _ => blocks(agent, response),
    };
    let asked = decided(Decision::Ask);
    let deferred = decided(Decision::Defer);
    let rewritten = Outcome {
        decision: Some(Decision::Allow),
        updated_input: Some(json!({"command": "ls -l"})),
        ..Default::default()
    };
    let stopped = Outcome {
        stop: Some(Some("enough".into())),
        ..Default::default()
    };
    for agent in AGENTS {
        let event = Event {
            name: "PreThing".into(),
            ..shell_call(agent)
        };
        for (outcome, says) in [
            (&asked, "because"),
            (&deferred, "because"),
            (&rewritten, "ls -l"),
            (&stopped, "enough"),
        ] {
            // As the agent names it, and where only the name is known.
            for mut event in [
                event.clone(),
                Event {
                    payload: json!({}),
                    ..event.clone()
                },
            ] {
                if let Some(native) = event.payload.get_mut("native").and_then(Value::as_object_mut) {
                    native.insert("event".into(), json!("PreThing"));
                }
                let response = dialects::encode_event(&event, outcome);
                assert!(heard(agent, &response), "{agent}: {response:?}");
                let told = format!("{}{}", response.stdout, response.stderr);
                assert!(told.contains(says), "{agent}: {told}");
            }
        }
        let passing = Outcome {
            ask_passes: true,
            ..asked.clone()
        };
        let response = dialects::encode_event(&event, &passing);
        assert_eq!(
            heard(agent, &response),
            *agent == "claude-code",
            "{agent}: {response:?}"
        );
    }
}
