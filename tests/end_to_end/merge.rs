//! Handlers that disagree, of both kinds and in both orders: the strictest wins.

use crate::home::{Home, Ran, command, rule};
use serde_json::{Value, json};

fn says(decision: &str) -> Value {
    let answer = json!({ "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": format!("command says {decision}"),
    } });
    command(&format!("echo '{answer}'"))
}

fn component_says(decision: &str) -> Value {
    rule(
        decision,
        &format!("component says {decision}"),
        &json!({ "program": "ls" }),
    )
}

fn decide(handlers: &[Value]) -> Ran {
    let home = Home::new().handlers("PreToolUse", json!(handlers));
    home.run(&home.bash("ls"))
}

#[test]
fn the_strictest_of_both_kinds_wins_in_both_orders() {
    let strict = ["allow", "ask", "deny"];
    for (weak, a) in strict.iter().enumerate() {
        for b in &strict[weak..] {
            for handlers in [
                [says(a), component_says(b)],
                [component_says(b), says(a)],
                [component_says(a), says(b)],
                [says(b), component_says(a)],
            ] {
                let ran = decide(&handlers);
                assert_eq!(ran.decision(), *b, "{handlers:?} {ran:?}");
            }
        }
    }
}

#[test]
fn the_reasons_of_the_winning_decision_are_joined_in_configuration_order() {
    let slow = command("sleep 0.2; echo first >&2; exit 2");
    let ran = decide(&[slow, component_says("deny"), component_says("ask")]);
    let reason = ran.json()["hookSpecificOutput"]["permissionDecisionReason"]
        .as_str()
        .unwrap_or_default()
        .to_string();
    let (first, second) = (reason.find("first"), reason.find("component says deny"));
    assert!(first.is_some() && first < second, "{reason}");
    assert!(!reason.contains("component says ask"), "{reason}");
}

fn rewrites_to(line: &str) -> Value {
    let answer =
        json!({ "hookSpecificOutput": { "hookEventName": "PreToolUse", "updatedInput": { "command": line } } });
    command(&format!("echo '{answer}'"))
}

#[test]
fn a_rewrite_is_let_through_where_nobody_objects() {
    let ran = decide(&[rewrites_to("ls -l"), component_says("allow")]);
    assert_eq!(
        ran.json()["hookSpecificOutput"]["updatedInput"]["command"],
        "ls -l",
        "{ran:?}"
    );
}

#[test]
fn a_rewrite_is_judged_by_the_handlers_that_saw_the_original() {
    let guard = json!({ "type": "wasm", "plugin": "guard-commands" });
    for handlers in [
        [rewrites_to("rm -rf ~"), guard.clone()],
        [guard.clone(), rewrites_to("rm -rf ~")],
    ] {
        let ran = decide(&handlers);
        ran.assert_blocked_because("guard-commands/rm-home");
        assert_eq!(ran.json()["hookSpecificOutput"]["updatedInput"], Value::Null);
    }
}
