//! What whoever starts hookbox, or whoever wrote to its folders, may have left in its way.

use crate::home::{Home, command, rule};
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

fn fifo(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn a_guard_is_heard_though_the_end_of_children_is_ignored() {
    let home = Home::new().handlers("PreToolUse", json!([command("echo no >&2; exit 2")]));
    let event = home.bash("ls").to_string();
    home.behind(&["env", "--ignore-signal=CHLD"], "run", event.as_bytes())
        .assert_blocked_because("no");
}

#[test]
fn a_question_that_cannot_be_written_is_a_block() {
    let ask = r#"echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask"}}'"#;
    let home = Home::new().handlers("PreToolUse", json!([command(ask)]));
    let event = home.bash("ls").to_string();
    assert_eq!(home.run(&home.bash("ls")).decision(), "ask");
    for stdout in ["1</etc/hostname", "1</dev/null", "1>/dev/full", "1>&-"] {
        let starter = ["sh", "-c", &format!("exec \"$@\" {stdout}"), "-"];
        let ran = home.behind(&starter, "run", event.as_bytes());
        assert_eq!(ran.exit, Some(2), "{stdout}: {ran:?}");
    }
}

#[test]
fn a_pipe_in_the_place_of_a_file_of_hookbox_keeps_nobody_waiting() {
    let home = Home::new();
    fifo(&home.path(".local/state/hookbox/audit.jsonl"));
    let broken = home.hookbox("run", b"{");
    assert_eq!(broken.exit, Some(2), "{broken:?}");
    home.run(&home.bash("ls")).assert_silent();
    fifo(&home.path(".config/hookbox/trusted"));
    fs::create_dir_all(home.path("project/.hookbox")).unwrap();
    fs::write(home.path("project/.hookbox/hooks.json"), "{}").unwrap();
    home.run(&home.bash("ls")).assert_silent();
}

#[test]
fn a_configuration_that_a_link_leads_to_and_is_not_there_blocks() {
    let home = Home::new();
    fs::create_dir_all(home.path(".config/hookbox")).unwrap();
    symlink("/nowhere/hooks.json", home.path(".config/hookbox/hooks.json")).unwrap();
    home.run(&home.bash("ls")).assert_blocked_because("cannot be read");
    let home = Home::new();
    fs::create_dir_all(home.path(".config")).unwrap();
    symlink("/nowhere", home.path(".config/hookbox")).unwrap();
    home.run(&home.bash("ls")).assert_blocked_because("cannot be read");
    let home = Home::new();
    fs::create_dir_all(home.path(".config")).unwrap();
    fs::write(home.path(".config/hookbox"), "").unwrap();
    home.run(&home.bash("ls")).assert_blocked_because("cannot be read");
}

#[test]
fn a_quota_that_is_used_up_ends_nothing() {
    let home = Home::new();
    home.run(&home.bash("ls")).assert_silent();
    let event = home.bash("rm -rf ~").to_string();
    let starter = ["sh", "-c", "ulimit -f 0; exec \"$@\"", "-"];
    home.behind(&starter, "run", event.as_bytes())
        .assert_blocked_because("rm-home");
}

#[test]
fn a_machine_without_open_files_left_blocks_and_forgets_no_prepared_plugin() {
    let home = Home::new().handlers("PreToolUse", json!([rule("deny", "no", &json!({ "program": "ls" }))]));
    let cache = format!("XDG_CACHE_HOME={}", home.path("cache").display());
    let event = home.bash("ls").to_string();
    home.behind(&["env", &cache], "run", event.as_bytes())
        .assert_blocked_because("no");
    let prepared = || fs::read_dir(home.path("cache/hookbox/prepared")).unwrap().count();
    let before = prepared();
    let starter = ["env", &cache, "sh", "-c", "ulimit -n 4; exec \"$@\"", "-"];
    let ran = home.behind(&starter, "run", event.as_bytes());
    assert_eq!((ran.exit, before, prepared()), (Some(2), 1, 1), "{ran:?}");
}
