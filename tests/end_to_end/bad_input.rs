//! Input that is broken: a clear message, a block where the event can be blocked, and a line in the audit.

use crate::home::{Home, command};
use serde_json::json;

fn blocked(home: &Home, stdin: &[u8], because: &str) {
    home.hookbox("run", stdin).assert_blocked_because(because);
    assert!(
        home.audit().iter().any(|line| line["type"] == "host/fault"),
        "{because}: the audit does not say so"
    );
}

#[test]
fn an_event_that_cannot_be_read_blocks() {
    for (stdin, because) in [
        (&b""[..], "is empty"),
        (b"  \n", "is empty"),
        (b"{\"hook_event_name\":\"PreToolUse\",", "is not JSON"),
        (b"[1,2]", "cannot be judged"),
        (b"\xff\xfe{}", "is not UTF-8"),
        (b"{}", "cannot be judged"),
        (
            b"{\"hook_event_name\":\"PreToolUse\",\"tool_input\":\"\\ud800\"}",
            "is not JSON",
        ),
    ] {
        blocked(&Home::new(), stdin, because);
    }
}

#[test]
fn a_byte_order_mark_is_not_a_fault() {
    let home = Home::new();
    let event = format!("\u{feff}{}", home.bash("rm -rf ~"));
    home.hookbox("run", event.as_bytes())
        .assert_blocked_because("guard-commands/rm-home");
}

/// Its content is looked at to the last line, by the pack as it is.
#[test]
fn a_secret_at_the_end_of_a_large_file_is_found() {
    let home = Home::new();
    let key = format!("AKIA{}", "Q3EGRTWE7DOI2KXN");
    // The last two are almost as large as an event may be.
    for (last, decision, lines) in [
        ("end = 1", "none", 170_000),
        (key.as_str(), "deny", 170_000),
        ("end = 1", "none", 2_000_000),
        (key.as_str(), "deny", 2_000_000),
    ] {
        let content = format!("{}{last}\n", "x = 1\n".repeat(lines));
        let input = json!({ "file_path": format!("{}/a.txt", home.project()), "content": content });
        let event = home.event("PreToolUse", json!({ "tool_name": "Write", "tool_input": input }));
        assert_eq!(home.run(&event).decision(), decision);
    }
}

#[test]
fn a_large_event_is_judged_all_the_same() {
    let home = Home::new();
    let line = format!("echo {} && rm -rf ~", "x".repeat(10 << 20));
    let ran = home.run(&home.bash(&line));
    assert_ne!(
        ran.decision(),
        "none",
        "what cannot be understood must not pass: {:?}",
        ran.exit
    );
}

/// Its long texts are read apart from the rest: nothing may be lost, found twice or put elsewhere by that.
#[test]
fn nothing_is_hidden_beside_a_long_text() {
    let home = Home::new();
    let long = "x = 1\\n".repeat(30_000);
    let exit = |input: String| {
        let event = format!(
            r#"{{"session_id":"s","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{{input}}}}}"#
        );
        home.hookbox("run", event.as_bytes()).exit
    };
    for input in [
        format!(r#""command":"rm -rf ~","x":"{long}""#),
        format!(r#""x":"{long}","command":"rm -rf ~","y":"{long}""#),
        format!(r#""x":"{long}","command":"\u0072m -rf ~""#),
        format!(r#""x":"{long}","command":"ls","command":"rm -rf ~""#),
        format!(r#""command":"{long}","command":"rm -rf ~""#),
        format!(r#""{long}":1,"command":"rm -rf ~""#),
        format!(r#""command":"rm -rf ~","x":"{long}\ud83d""#),
        format!(
            r#""command":"rm -rf ~ # {}","x":"hookbox:long-text:0""#,
            "a".repeat(70_000)
        ),
    ] {
        assert_eq!(exit(input.clone()), Some(2), "{}", input.replace(&long, "LONG"));
    }
    for input in [
        format!(r#""command":"ls","x":"{long}""#),
        format!(r#""command":"\u0068ookbox:long-text:0","x":"rm -rf ~ # {long}""#),
    ] {
        assert_eq!(exit(input.clone()), Some(0), "{}", input.replace(&long, "LONG"));
    }
}

#[test]
fn a_broken_event_lets_the_agent_stop() {
    let home = Home::new();
    let ran = home.hookbox("run", b"{\"hook_event_name\":\"Stop\",");
    assert_eq!(ran.exit, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("is not JSON"), "{ran:?}");
}

#[test]
fn a_configuration_that_cannot_be_used_blocks_and_says_where() {
    for (text, because) in [
        ("{ \"hooks\": ", "config.json"),
        ("", "config.json"),
        ("\u{0}", "config.json"),
    ] {
        let home = Home::new().config(text);
        blocked(&home, home.bash("ls").to_string().as_bytes(), because);
    }
    let home = Home::new().config_file("nowhere.json");
    blocked(&home, home.bash("ls").to_string().as_bytes(), "nowhere.json");
}

#[test]
fn an_unknown_plugin_blocks_and_says_which_there_are() {
    let home = Home::new().handlers("PreToolUse", json!([{ "type": "wasm", "plugin": "guard-command" }]));
    home.run(&home.bash("ls"))
        .assert_blocked_because("there is no plugin `guard-command` in the pack");
}

#[test]
fn wrong_settings_block_and_say_what_is_wrong() {
    let handler = json!([{ "type": "wasm", "plugin": "guard-commands", "settings": { "alow": [] } }]);
    let home = Home::new().handlers("PreToolUse", handler);
    home.run(&home.bash("ls")).assert_blocked_because("alow");
}

#[test]
fn one_bad_entry_costs_only_itself_and_blocks_where_it_would_have_matched() {
    let config = json!({ "hooks": { "PreToolUse": [
        { "matcher": "Write", "hooks": [{ "type": "command" }] },
        { "matcher": "Bash", "hooks": [command("exit 0")] },
    ] } });
    let home = Home::new().config(&config.to_string());
    home.run(&home.bash("ls")).assert_silent();
    let write = home.event(
        "PreToolUse",
        json!({ "tool_name": "Write", "tool_input": { "file_path": "a", "content": "" } }),
    );
    home.run(&write).assert_blocked_because("command");
}
