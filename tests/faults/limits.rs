//! What of the limits a configuration can set reaches the sandbox.

use crate::fault::guest;
use hookbox_tests::{Place, Ran};
use serde_json::{Value, json};

fn run(fields: &str, limits: &Value) -> Ran {
    let place = Place::new();
    let file = place.write("p.wasm", guest(fields));
    let mut limits = limits.clone();
    if limits["timeout"].is_null() {
        limits["timeout"] = json!(60);
    }
    place.configure(&json!({
        "hooks": { "PreToolUse": [{ "hooks": [{ "type": "wasm", "plugin": "p" }] }] },
        "plugins": { "p": { "source": file, "limits": limits } },
    }));
    place.run(&place.tool_event("PreToolUse", "ls"))
}

fn says(fields: &str, limits: &Value, text: &str) {
    let ran = run(fields, limits);
    assert!(ran.stderr.contains(text), "{limits}: {}", ran.stderr);
    assert_eq!(ran.code, Some(2));
}

const LOOP: &str = "(func $handle (param i32) (result i32) (loop $l (br $l)) (unreachable))";
const GROW: &str = "(func $handle (param i32) (result i32)
    (loop $l (br_if $l (i32.ne (memory.grow (i32.const 1)) (i32.const -1)))) (unreachable))";

#[test]
fn fuel_memory_time_and_the_size_of_an_answer_can_be_set() {
    says(LOOP, &json!({ "fuel": 1000 }), "out of fuel after 1000 units");
    says(
        GROW,
        &json!({ "memory": "1MiB" }),
        "out of memory: more than 1048576 bytes",
    );
    says(
        LOOP,
        &json!({ "timeout": 0.05, "fuel": 1_000_000_000_000_u64 }),
        "timed out",
    );
    says(
        "",
        &json!({ "answer": 4 }),
        "answer too large: the answer has 5 bytes, at most 4 are taken",
    );
}

#[test]
fn elements_of_tables_can_be_set_and_a_stack_that_cannot_is_refused_by_name() {
    let table = "(table $t 0 funcref) (func $handle (param i32) (result i32)
        (if (i32.eq (table.grow $t (ref.null func) (i32.const 50)) (i32.const -1)) (then (unreachable)))
        (call $deny (i32.const 32) (i32.const 5)))";
    says(table, &json!({}), "p: hello");
    says(table, &json!({ "tableElements": 40 }), "unreachable");
    says(
        "",
        &json!({ "stack": "1MiB" }),
        "a stack of 1048576 bytes cannot be given",
    );
    says("", &json!({ "stack": "512KiB" }), "p: hello");
}

#[test]
fn fuel_is_the_same_every_time() {
    let fuel = || run("", &json!({})).result(0)["fuel"].clone();
    assert_eq!(fuel(), fuel());
    assert!(fuel().as_u64().is_some_and(|fuel| fuel > 0));
}
