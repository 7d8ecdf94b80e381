//! `hookbox explain` tells why; `hookbox check` tells what is wrong.

use crate::home::{Home, command, rule};
use serde_json::json;

#[test]
fn explain_names_each_handler_its_answer_and_its_cost() {
    let handlers = json!([rule("deny", "not here", &json!({ "program": "ls" })), command("exit 0")]);
    let home = Home::new().handlers("PreToolUse", handlers);
    let ran = home.hookbox("explain", home.bash("ls").to_string().as_bytes());
    for text in [
        "PreToolUse Bash from claude-code",
        "rules: deny",
        "fuel",
        "rules/test: not here",
        "exit 0 (command, not sandboxed): none",
        "outcome: deny",
    ] {
        assert!(ran.stdout.contains(text), "{text:?} is not in {}", ran.stdout);
    }
    assert_eq!(ran.exit, Some(2));
}

#[test]
fn explain_tells_which_handlers_did_not_match() {
    let config = json!({ "hooks": { "PreToolUse": [{ "matcher": "Write", "hooks": [command("exit 2")] }] } });
    let home = Home::new().config(&config.to_string());
    let ran = home.hookbox("explain", home.bash("ls").to_string().as_bytes());
    assert!(
        ran.stdout
            .contains("not run: hooks.PreToolUse[0].hooks[0]: matcher Write"),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.exit, Some(0));
}

#[test]
fn check_finds_what_is_wrong() {
    let home = Home::new().handlers(
        "PreToolUse",
        json!([{ "type": "wasm", "plugin": "guard-commands", "settings": { "alow": [] } }]),
    );
    let ran = home.hookbox("check", b"");
    assert!(ran.exit == Some(1) && ran.stdout.contains("alow"), "{ran:?}");
    let home = Home::new().handlers("PreToolUse", json!([{ "type": "wasm", "plugin": "guard-commands" }]));
    let ran = home.hookbox("check", b"");
    assert!(ran.exit == Some(0) && ran.stdout.contains("all is well"), "{ran:?}");
}
