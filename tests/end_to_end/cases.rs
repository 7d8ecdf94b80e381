//! `hookbox test`: the cases of every plugin of the pack through its component, examples of rules, whole configurations.

use crate::home::Home;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Output;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// `hookbox test ARGUMENTS` in the folder of this home.
fn test(home: &Home, arguments: &[&str]) -> Output {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hookbox"));
    command
        .arg("test")
        .args(arguments)
        .current_dir(home.path("."))
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", home.path("."));
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn write(home: &Home, name: &str, content: &str) {
    let path = home.path(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

fn all_as_expected(output: &Output) {
    let said = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.contains("all as expected"), "{said}");
}

/// The component says what the same cases get from the plugin's native tests.
fn as_expected(plugin: &str) {
    let folder = root().join("plugins").join(plugin);
    all_as_expected(&test(&Home::new(), &[folder.to_str().unwrap()]));
}

macro_rules! pack {
    ($($test:ident: $plugin:literal),* $(,)?) => {
        $(#[test]
        fn $test() {
            as_expected($plugin);
        })*
    };
}

pack! {
    the_component_guard_commands_meets_its_cases: "guard-commands",
    the_component_guard_git_meets_its_cases: "guard-git",
    the_component_guard_network_meets_its_cases: "guard-network",
    the_component_guard_paths_meets_its_cases: "guard-paths",
    the_component_guard_secrets_meets_its_cases: "guard-secrets",
    the_component_rules_meets_its_cases: "rules",
    the_component_time_budget_meets_its_cases: "time-budget",
}

/// Without an entry and without settings it is a part of the component `guards`: the same cases, as far as they need no settings.
#[test]
fn each_guard_meets_its_cases_as_a_part_of_the_guards() {
    let home = Home::new();
    for guard in [
        "guard-commands",
        "guard-git",
        "guard-network",
        "guard-paths",
        "guard-secrets",
    ] {
        let text = std::fs::read_to_string(root().join("plugins").join(guard).join("cases.toml")).unwrap();
        let mut cases: Value = toml::from_str(&text).unwrap();
        let all = cases["case"].as_array_mut().unwrap();
        all.retain(|case| case.get("settings").is_none() && case.get("level").is_none());
        assert!(all.len() > 40, "{guard}: {} cases", all.len());
        write(&home, "cases.json", &cases.to_string());
        let group = json!([{ "hooks": [{ "type": "wasm", "plugin": guard }] }]);
        let events = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "PreSkillShellCommand"];
        let hooks: serde_json::Map<String, Value> = events
            .iter()
            .map(|event| ((*event).to_owned(), group.clone()))
            .collect();
        write(&home, "hooks.json", &json!({ "hooks": hooks }).to_string());
        all_as_expected(&test(&home, &["--config", "hooks.json", "cases.json"]));
    }
}

/// Each policy is prepared anew, which takes an unoptimised compiler half a minute: here are the cases of the examples.
/// `hookbox test plugins/rego` runs all of them.
#[test]
fn the_component_rego_runs_its_examples_as_they_are() {
    let home = Home::new();
    let policies: serde_json::Map<String, Value> = ["helpers.rego", "team.rego", "hookbox.rego"]
        .iter()
        .map(|name| {
            let text = std::fs::read_to_string(root().join("plugins/rego/examples").join(name)).unwrap();
            ((*name).to_owned(), json!(text))
        })
        .collect();
    let cases = json!({ "plugin": "builtin:rego", "settings": { "policies": policies }, "case": [
        { "command": "sudo shutdown -h now", "expect": "deny", "rule": "TEAM-POWER" },
        { "command": "cargo build", "expect": "none" },
        {
            "event": { "tool_name": "Edit", "tool_input": { "file_path": "keys/authorized_keys", "old_string": "a", "new_string": "b" } },
            "links": { "/home/user/demo/keys": "/home/user/.ssh" }, "expect": "deny", "rule": "TEAM-KEYS", "stop": true,
        },
    ] });
    write(&home, "cases.json", &cases.to_string());
    all_as_expected(&test(&home, &["cases.json"]));
}

#[test]
fn what_differs_is_told_with_its_case_and_its_event() {
    let home = Home::new();
    let cases = "plugin = 'rules'\n[settings]\nrules = [{ id = 'a', decision = 'deny', program = 'x' }]\n\
                 [[case]]\ncommand = 'x'\nexpect = 'deny'\nrule = 'a'\n[[case]]\ncommand = 'x y'\nexpect = 'none'\n";
    write(&home, "cases.toml", cases);
    let output = test(&home, &[]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}{}", text(&output.stderr));
    assert!(said.contains("case 2: x y\n    expected none, got deny (a: "), "{said}");
    assert!(said.contains("rules: 1 of 2 cases as expected"), "{said}");
    let output = test(&home, &["--json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["tested"][0]["differing"][0]["case"], 2);
}

#[test]
fn examples_inside_rules_must_fire_and_must_pass() {
    let home = Home::new();
    let rules = "[[rules]]\nid = 'a'\ndecision = 'deny'\nprogram = 'x'\nexamples = { match = ['sudo x'], pass = ['echo x', 'x -v'] }\n\
                 [[rules]]\nid = 'b'\ndecision = 'allow'\nprogram = 'ls'\nexamples = { match = ['ls'], pass = ['ls; x'] }\n";
    write(&home, "rules.toml", rules);
    let output = test(&home, &["rules.toml"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}{}", text(&output.stderr));
    assert!(
        said.contains("case 3: x -v\n    expected rule \"a\" not to fire, got deny by a"),
        "{said}"
    );
    assert!(said.contains("rules: 4 of 5 cases as expected"), "{said}");
    let settings =
        json!({ "rules": [{ "id": "a", "decision": "ask", "program": "x", "examples": { "match": ["y"] } }] });
    let config = json!({ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "wasm", "plugin": "rules", "settings": settings }] }] } });
    write(&home, "hooks.json", &config.to_string());
    let examples_differ = |home: &Home| {
        let output = test(home, &["--config", "hooks.json"]);
        let said = text(&output.stdout);
        assert!(
            said.contains("expected rule \"a\" to fire, got none by no rule"),
            "{said}"
        );
    };
    examples_differ(&home);
    write(&home, "own.json", &settings.to_string());
    let config = json!({ "hooks": { "PreToolUse": [{ "hooks": [{ "type": "wasm", "plugin": "rules", "settingsFile": "own.json" }] }] } });
    write(&home, "hooks.json", &config.to_string());
    examples_differ(&home);
}

#[test]
fn a_whole_configuration_is_tested_with_every_kind_of_handler() {
    let home = Home::new();
    let config = json!({ "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [
        { "type": "wasm", "plugin": "guard-git" },
        { "type": "command", "command": "./mine.sh" },
    ] }] } });
    write(&home, "hooks.json", &config.to_string());
    write(
        &home,
        "mine.sh",
        "#!/bin/sh\ngrep -q 'make release' && { echo ask the release manager >&2; exit 2; }\nexit 0\n",
    );
    let made = std::process::Command::new("chmod")
        .arg("+x")
        .arg(home.path("mine.sh"))
        .status()
        .unwrap();
    assert!(made.success());
    let cases = "[[case]]\ncommand = 'git push --force origin main'\nexpect = 'deny'\nrule = 'force-push'\n\
                 [[case]]\ncommand = 'make release'\nexpect = 'deny'\n[[case]]\ncommand = 'make'\nexpect = 'none'\n";
    write(&home, "cases.toml", cases);
    let output = test(&home, &["--config", "hooks.json", "cases.toml"]);
    let said = text(&output.stdout);
    // Whatever the rule is called, the decision is that of the whole.
    assert!(
        !said.contains("expected deny, got") && !said.contains("expected none, got"),
        "{said}{}",
        text(&output.stderr)
    );
}

#[test]
fn a_handler_that_broke_is_no_deny_that_was_expected() {
    let home = Home::new();
    let handler = json!({ "type": "command", "command": "/no/such/guard", "onFailure": "block" });
    write(
        &home,
        "hooks.json",
        &json!({ "hooks": { "PreToolUse": [{ "hooks": [handler] }] } }).to_string(),
    );
    write(&home, "cases.toml", "[[case]]\ncommand = 'ls'\nexpect = 'deny'\n");
    let output = test(&home, &["--config", "hooks.json", "cases.toml"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("failed: "), "{}", text(&output.stdout));
}

#[test]
fn what_cannot_be_tried_is_an_error_and_no_pass() {
    let home = Home::new();
    write(&home, "a.toml", "[[case]]\ncommand = 'ls'\nexpect = 'none'\n");
    write(&home, "b.toml", "[[case]]\ncommand = 'ls'\n");
    write(&home, "c.toml", "");
    write(
        &home,
        "d.toml",
        "plugin = './missing.wasm'\n[[case]]\ncommand = 'ls'\nexpect = 'none'\n",
    );
    for (arguments, part) in [
        (&["a.toml"][..], "which plugin are these cases for?"),
        (&["a.toml", "--plugin", "no-such"], "cannot be read"),
        (&["b.toml", "--plugin", "rules"], "`expect` is missing"),
        (&["c.toml", "--plugin", "rules"], "no case"),
        (&["d.toml"], "missing.wasm cannot be read"),
        (&["missing.toml"], "missing.toml cannot be read"),
        (&["a.toml", "--config", "missing.json"], "missing.json cannot be read"),
    ] {
        let output = test(&home, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stdout));
        assert!(
            text(&output.stderr).contains(part),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
    }
}
