//! `settingsFile`: settings in a file of their own, which is read again when it changes and never forgotten.

use crate::home::{Home, Ran};
use serde_json::json;
use std::fs;

fn home() -> Home {
    Home::new().handlers(
        "PreToolUse",
        json!([{ "type": "wasm", "plugin": "rules", "settingsFile": "rules.toml" }]),
    )
}

fn rules(home: &Home, program: &str) {
    let text = format!("# ours\n[[rules]]\nid = 'ours'\ndecision = 'deny'\nprogram = '{program}'\n");
    fs::write(home.path("rules.toml"), text).unwrap();
}

fn run(home: &Home, command: &str) -> Ran {
    home.run(&home.bash(command))
}

#[test]
fn it_lies_beside_the_configuration_and_counts_as_soon_as_it_changes() {
    let home = home();
    rules(&home, "terraform");
    run(&home, "terraform apply").assert_blocked_because("rules/ours");
    run(&home, "pulumi up").assert_silent();
    rules(&home, "pulumi");
    run(&home, "pulumi up").assert_blocked_because("rules/ours");
    run(&home, "terraform apply").assert_silent();
}

#[test]
fn one_that_cannot_be_used_blocks_and_says_why() {
    let home = home();
    run(&home, "ls").assert_blocked_because("rules.toml: No such file");
    rules(&home, "x");
    run(&home, "ls").assert_silent();
    fs::remove_file(home.path("rules.toml")).unwrap();
    run(&home, "ls").assert_blocked_because("rules.toml: No such file");
    fs::write(home.path("rules.toml"), "").unwrap();
    run(&home, "ls").assert_blocked_because("is empty");
    fs::remove_file(home.path("rules.toml")).unwrap();
    fs::create_dir(home.path("rules.toml")).unwrap();
    run(&home, "ls").assert_blocked_because("is not a regular file");
    fs::remove_dir(home.path("rules.toml")).unwrap();
    fs::write(home.path("rules.toml"), "rules = [\nhunter2").unwrap();
    let ran = run(&home, "ls");
    ran.assert_blocked_because("is not TOML: line 2");
    assert!(!ran.stderr.contains("hunter2"), "{ran:?}");
    fs::write(home.path("rules.toml"), "[[rules]]\nid = 'a'\nprogam = 'x'\n").unwrap();
    run(&home, "ls").assert_blocked_because("progam");
}

#[test]
fn a_project_cannot_have_it_since_only_the_configuration_itself_is_trusted() {
    let home = Home::new();
    let handler = json!({ "type": "wasm", "plugin": "rules", "settingsFile": "rules.toml" });
    let config = json!({ "hooks": { "PreToolUse": [{ "hooks": [handler] }] } });
    fs::create_dir(home.path("project/.hookbox")).unwrap();
    fs::write(home.path("project/.hookbox/hooks.json"), config.to_string()).unwrap();
    fs::write(home.path("project/.hookbox/rules.toml"), "rules = []").unwrap();
    run(&home, "ls").assert_blocked_because("write them as `settings`");
}

#[test]
fn settings_in_both_places_are_an_error() {
    let handler =
        json!({ "type": "wasm", "plugin": "rules", "settings": { "rules": [] }, "settingsFile": "rules.toml" });
    let home = Home::new().handlers("PreToolUse", json!([handler]));
    run(&home, "ls").assert_blocked_because("settings stand here and in a file, too");
}
