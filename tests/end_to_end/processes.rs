//! `command` handlers as processes: their deadline, their children, their pipes.

use crate::home::{Home, command};
use serde_json::json;

#[test]
fn at_the_deadline_the_whole_group_is_killed() {
    let line = "sh -c 'sleep 60; touch late' & echo $$ > pid; wait";
    let home = Home::new().handlers(
        "PreToolUse",
        json!([{ "type": "command", "command": line, "timeout": 0.3, "onFailure": "block" }]),
    );
    home.run(&home.bash("ls"))
        .assert_blocked_because("timed out; blocking because onFailure is \"block\"");
    let group = std::fs::read_to_string(home.path("project/pid")).unwrap();
    let alive = std::process::Command::new("pgrep")
        .args(["--runstates", "R,S,D,T", "-g", group.trim()])
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8_lossy(&alive.stdout),
        "",
        "something of the group is alive"
    );
}

#[test]
fn a_grandchild_that_keeps_stdout_open_delays_nothing() {
    let home = Home::new().handlers(
        "PreToolUse",
        json!([{ "type": "command", "command": "sleep 30 & echo no >&2; exit 2", "timeout": 20 }]),
    );
    let begun = std::time::Instant::now();
    home.run(&home.bash("ls")).assert_blocked_because("no");
    assert!(begun.elapsed().as_secs() < 20, "it waited for the grandchild");
}

#[test]
fn a_handler_that_never_reads_its_stdin_gets_a_large_event() {
    let home = Home::new().handlers("PreToolUse", json!([command("exit 0")]));
    home.run(&home.bash(&"x".repeat(2 << 20))).assert_silent();
}

#[test]
fn a_handler_that_fills_both_pipes_is_read_to_the_end() {
    let line =
        "head -c 300000 /dev/zero | tr '\\0' e >&2; head -c 300000 /dev/zero | tr '\\0' o; cat >/dev/null; exit 2";
    let home = Home::new().handlers("PreToolUse", json!([command(line)]));
    let ran = home.run(&home.bash(&"x".repeat(200_000)));
    assert_eq!(ran.exit, Some(2), "{}", ran.stderr.len());
}

#[test]
fn a_program_that_does_not_exist_is_a_failure_that_is_named() {
    let missing = json!([{ "type": "command", "command": "./no-such-program", "args": [], "onFailure": "block" }]);
    let home = Home::new().handlers("PreToolUse", missing);
    home.run(&home.bash("ls"))
        .assert_blocked_because("No such file or directory");
}

#[test]
fn a_handler_does_not_get_the_agents_own_channel() {
    let home = Home::new().handlers("PreToolUse", json!([command("env > env.txt")]));
    home.run(&home.bash("ls")).assert_silent();
    let env = std::fs::read_to_string(home.path("project/env.txt")).unwrap();
    assert!(
        env.contains("CLAUDE_PROJECT_DIR=") && !env.contains("MESSAGING"),
        "{env}"
    );
}
