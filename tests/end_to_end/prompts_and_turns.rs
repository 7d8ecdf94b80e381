//! One configuration, every agent, for what is no call: a prompt, the end of a turn, and what an agent cannot be told.

use crate::dialects::{engine, matrix::CWD};
use hookbox::protocol::dialects::{self, Ability};
use hookbox::protocol::{Decision, dialects::Capabilities};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// An agent's event with these fields, in its own spelling; none where it has no such event.
fn event(agent: &str, canonical: &str, fields: Value) -> Option<Value> {
    let name = dialects::native_events(agent, canonical).into_iter().next_back()?;
    let mut payload = match agent {
        "vscode" => json!({"hookEventName": name, "sessionId": "s", "cwd": CWD}),
        "windsurf" => {
            json!({"agent_action_name": name, "trajectory_id": "s", "tool_info": {"user_prompt": fields["prompt"]}})
        }
        "goose" => json!({"event": name, "session_id": "s", "working_dir": CWD, "message": fields["prompt"]}),
        "cline" => json!({"hookName": name, "taskId": "s", "workspaceRoots": [CWD], "userPromptSubmit": fields}),
        "antigravity" => json!({"hookEventName": name, "conversationId": "s", "workspacePaths": [CWD]}),
        "cursor" => {
            json!({"hook_event_name": name, "conversation_id": "s", "cursor_version": "2", "workspace_roots": [CWD]})
        }
        "gemini" => {
            json!({"hook_event_name": name, "session_id": "s", "cwd": CWD, "timestamp": "2026-01-01T00:00:00Z"})
        }
        _ => json!({"hook_event_name": name, "session_id": "s", "cwd": CWD}),
    };
    if !matches!(agent, "windsurf" | "cline") {
        payload.as_object_mut()?.extend(fields.as_object()?.clone());
    }
    Some(payload)
}

fn configure(home: &Path, config: &Value) {
    fs::create_dir_all(home.join("config")).unwrap();
    fs::write(home.join("config/hooks.json"), config.to_string()).unwrap();
}

fn audit(home: &Path) -> String {
    fs::read_to_string(home.join("state/audit.jsonl")).unwrap()
}

/// The outcome lines of an agent.
fn outcomes<'a>(audit: &'a str, row: &Capabilities) -> Vec<&'a str> {
    let agent = format!("\"agent\":\"{}\"", row.name);
    audit
        .lines()
        .filter(|line| line.contains("\"hook/outcome\"") && line.contains(&agent))
        .collect()
}

#[test]
fn the_pack_decides_the_same_on_the_same_prompt_for_every_agent() {
    let home = tempfile::tempdir().unwrap();
    let engine = engine(home.path());
    let mut asked = 0;
    for row in dialects::capabilities() {
        for (prompt, expected) in [
            ("rotate the password of the staging database", "none"),
            ("what does rm -rf / do?", "none"),
            ("Use this: AWS_ACCESS_KEY_ID=AKIAABCDEFGHIJKLMNOP", "deny"),
        ] {
            let Some(event) = event(row.name, "UserPromptSubmit", json!({"prompt": prompt})) else {
                // Antigravity has no event of a prompt.
                assert_eq!(row.name, "antigravity");
                continue;
            };
            let verdict = engine.run(row.name, event.to_string().as_bytes());
            asked += 1;
            assert!(verdict.fault.is_none(), "{}: {:?}", row.name, verdict.fault);
            assert_eq!(
                Decision::word(verdict.outcome.decision),
                expected,
                "{}: {prompt}",
                row.name
            );
            let response = verdict.response;
            let stopped = response.exit == 2
                || ["\"block\"", "\"deny\"", "\"continue\":false", "\"cancel\":true"]
                    .iter()
                    .any(|word| response.stdout.contains(word));
            let can = row.prompt_block == Ability::Yes;
            assert_eq!(stopped, can && expected == "deny", "{}: {response:?}", row.name);
            // Who cannot stop it: the audit says so.
            let dropped = !response.warnings.is_empty();
            assert_eq!(dropped, !can && expected == "deny", "{}: {response:?}", row.name);
        }
    }
    assert_eq!(asked, 3 * 13);
}

#[test]
fn the_end_of_a_turn_is_decided_the_same_for_every_agent_and_told_where_it_is_heard() {
    let home = tempfile::tempdir().unwrap();
    let more = json!({"type": "command", "command": "echo the tests have not run >&2; exit 2"});
    configure(home.path(), &json!({"hooks": {"Stop": [{"hooks": [more]}]}}));
    let engine = engine(home.path());
    for row in dialects::capabilities() {
        let Some(event) = event(row.name, "Stop", json!({"stop_hook_active": false})) else {
            assert!(["windsurf", "cline"].contains(&row.name), "{}", row.name);
            continue;
        };
        let verdict = engine.run(row.name, event.to_string().as_bytes());
        assert_eq!(
            verdict.outcome.decision,
            Some(Decision::Deny),
            "{}: {:?}",
            row.name,
            verdict.outcome
        );
        let response = verdict.response;
        let told = format!("{}{}", response.stdout, response.stderr).contains("the tests have not run");
        // Antigravity is told in the one form that it has; what it makes of it at the end of a turn nobody has tried.
        let heard = row.stop_block == Ability::Yes || row.name == "antigravity";
        assert_eq!(told, heard, "{}: {response:?}", row.name);
        assert_eq!(response.warnings.is_empty(), heard, "{}: {response:?}", row.name);
    }
    let audit = audit(home.path());
    for row in dialects::capabilities().filter(|row| row.stop_block == Ability::No && row.name != "antigravity") {
        for line in outcomes(&audit, row) {
            assert!(line.contains("it was dropped"), "{line}");
        }
    }
}

#[test]
fn context_that_an_agent_does_not_take_before_a_call_is_in_the_audit() {
    let home = tempfile::tempdir().unwrap();
    let answer = json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "mind the gap"}});
    let says = json!({"type": "command", "command": format!("echo '{answer}'")});
    configure(home.path(), &json!({"hooks": {"PreToolUse": [{"hooks": [says]}]}}));
    let engine = engine(home.path());
    for row in dialects::capabilities() {
        let call = dialects::probe(row.name, "ls", CWD).unwrap();
        let verdict = engine.run(row.name, call.to_string().as_bytes());
        let told = verdict.response.stdout.contains("mind the gap");
        assert_eq!(
            told,
            row.call_context == Ability::Yes,
            "{}: {:?}",
            row.name,
            verdict.response
        );
        let audit = audit(home.path());
        let lines = outcomes(&audit, row);
        assert_eq!(lines.len(), 1, "{}: {audit}", row.name);
        assert_eq!(
            lines[0].contains("takes no `additionalContext` here; it was dropped"),
            !told,
            "{}: {}",
            row.name,
            lines[0]
        );
    }
}

#[test]
fn a_rewrite_is_told_or_is_a_deny_that_says_what_was_wanted_for_every_agent() {
    let home = tempfile::tempdir().unwrap();
    let answer = json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"command": "ls -l"}}});
    let says = json!({"type": "command", "command": format!("echo '{answer}'")});
    configure(home.path(), &json!({"hooks": {"PreToolUse": [{"hooks": [says]}]}}));
    let engine = engine(home.path());
    for row in dialects::capabilities() {
        let call = dialects::probe(row.name, "ls", CWD).unwrap();
        let response = engine.run(row.name, call.to_string().as_bytes()).response;
        let told = format!("{}{}", response.stdout, response.stderr);
        assert!(told.contains("ls -l"), "{}: {response:?}", row.name);
        let denied = response.exit == 2 || told.contains("deny") || told.contains("\"cancel\":true");
        assert_eq!(denied, row.rewrite == Ability::No, "{}: {response:?}", row.name);
    }
}
