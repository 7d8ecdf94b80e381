//! Programs written by hand: what no compiler makes.

use crate::Handler;
use hookbox_tests::Place;

/// A component whose `run` does `body`; `$exit` and `$code` end the program.
fn component(body: &str) -> String {
    format!(
        r#"(component
          (import "wasi:cli/exit@0.2.12" (instance $exit
            (export "exit" (func (param "status" (result))))
            (export "exit-with-code" (func (param "status-code" u8)))))
          (core func $exit (canon lower (func $exit "exit")))
          (core func $code (canon lower (func $exit "exit-with-code")))
          (core module $m
            (import "host" "exit" (func $exit (param i32)))
            (import "host" "code" (func $code (param i32)))
            (func (export "run") (result i32) {body}))
          (core instance $i (instantiate $m (with "host" (instance (export "exit" (func $exit)) (export "code" (func $code))))))
          (func $run (result (result)) (canon lift (core func $i "run")))
          (instance $r (export "run" (func $run)))
          (export "wasi:cli/run@0.2.12" (instance $r)))"#
    )
}

fn handler(place: &Place, text: &str) -> Handler {
    Handler::of(&place.write("by-hand.wasm", wat::parse_str(text).unwrap()))
}

#[test]
fn a_component_can_say_2_where_its_wasi_can() {
    let place = Place::new();
    for on_failure in ["block", "continue"] {
        let handler = Handler {
            on_failure,
            ..handler(&place, &component("(call $code (i32.const 2)) (i32.const 0)"))
        };
        assert_eq!(handler.reason(&place, "ls"), "[p]: No stderr output");
    }
}

#[test]
fn an_err_of_run_or_exit_is_a_failure() {
    let place = Place::new();
    for body in [
        "(i32.const 1)",
        "(call $exit (i32.const 1)) (i32.const 0)",
        "(call $code (i32.const 1)) (i32.const 0)",
    ] {
        let blocked = handler(&place, &component(body));
        let (kind, message) = blocked.failure(&place, "ls");
        assert_eq!((kind.as_str(), message.as_str()), ("Exit", "exit code 1"), "{body}");
        let loosened = Handler {
            on_failure: "continue",
            ..blocked
        }
        .run(&place, "ls");
        assert_eq!(
            (loosened.code, loosened.result(0)["decision"].as_str()),
            (Some(0), Some("none")),
            "{body}"
        );
    }
    for body in [
        "(i32.const 0)",
        "(call $exit (i32.const 0)) (i32.const 1)",
        "(call $code (i32.const 0)) (unreachable)",
    ] {
        let ran = handler(&place, &component(body)).run(&place, "ls");
        assert_eq!(
            (ran.code, &ran.result(0)["failure"]),
            (Some(0), &serde_json::Value::Null),
            "{body}"
        );
    }
}

#[test]
fn what_is_no_program_is_refused_by_name() {
    let place = Place::new();
    let start = r#"(func (export "_start")) (memory (export "memory") 1)"#;
    for (text, says) in [
        ("(module)".to_string(), "a core module without `_start`"),
        (
            r#"(module (func (export "_initialize")))"#.into(),
            "a core module without `_start`",
        ),
        (
            r#"(module (func (export "_start") (param i32)))"#.into(),
            "a core module without `_start`",
        ),
        (
            r#"(module (memory (export "_start") 1))"#.into(),
            "a core module without `_start`",
        ),
        (
            format!(r#"(module (import "env" "system" (func (param i32) (result i32))) {start})"#),
            "imports `env#system`, which hookbox does not offer",
        ),
        (
            format!(r#"(module (import "wasi_snapshot_preview1" "sock_open" (func)) {start})"#),
            "imports `wasi_snapshot_preview1#sock_open`, which hookbox does not offer",
        ),
        (
            format!(r#"(module (import "wasi_unstable" "proc_exit" (func (param i32))) {start})"#),
            "imports `wasi_unstable#proc_exit`, which hookbox does not offer",
        ),
        (
            r#"(module (import "env" "memory" (memory 1)) (func (export "_start")))"#.into(),
            "imports `env#memory`, which hookbox does not offer",
        ),
        (
            r#"(component (import "wasi:sockets/tcp@0.2.0" (instance))
                (core module $m (func (export "run") (result i32) (i32.const 0))) (core instance $i (instantiate $m))
                (func $run (result (result)) (canon lift (core func $i "run")))
                (instance $r (export "run" (func $run))) (export "wasi:cli/run@0.2.0" (instance $r)))"#
                .into(),
            "imports `wasi:sockets/tcp@0.2.0`, which hookbox does not offer",
        ),
        (
            r#"(component (import "hookbox:hook/http@0.1.0" (instance))
                (core module $m (func (export "run") (result i32) (i32.const 0))) (core instance $i (instantiate $m))
                (func $run (result (result)) (canon lift (core func $i "run")))
                (instance $r (export "run" (func $run))) (export "wasi:cli/run@0.2.0" (instance $r)))"#
                .into(),
            "imports `hookbox:hook/http@0.1.0`, which was not granted",
        ),
    ] {
        for on_failure in ["block", "continue"] {
            let handler = Handler {
                on_failure,
                ..handler(&place, &text)
            };
            let (kind, message) = handler.failure(&place, "ls");
            assert_eq!(kind, "NotLoaded", "{text}");
            assert!(message.contains(says), "{text}: {message}");
        }
    }
}

#[test]
fn what_happens_before_the_start_counts_too() {
    let place = Place::new();
    let imports = r#"(import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))"#;
    let rest = r#"(start $begin) (func (export "_start")) (memory (export "memory") 1)"#;
    let exits = handler(
        &place,
        &format!("(module {imports} (func $begin (call $exit (i32.const 2))) {rest})"),
    );
    assert_eq!(exits.reason(&place, "ls"), "[p]: No stderr output");
    let loops = handler(
        &place,
        &format!("(module {imports} (func $begin (loop (br 0))) {rest})"),
    );
    assert_eq!(loops.failure(&place, "ls").0, "OutOfFuel");
    let traps = handler(
        &place,
        &format!("(module {imports} (func $begin (unreachable)) {rest})"),
    );
    assert_eq!(traps.failure(&place, "ls").0, "Trap");
}

#[test]
fn memory_from_the_start_is_bounded() {
    let place = Place::new();
    let large = handler(
        &place,
        r#"(module (memory (export "memory") 2000) (func (export "_start")))"#,
    );
    assert_eq!(large.failure(&place, "ls").0, "OutOfMemory");
}

#[test]
fn random_bytes_are_bounded_over_an_event() {
    let place = Place::new();
    let program = |times: u32, bytes: u32| {
        let text = format!(
            r#"(module
              (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
              (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
              (memory (export "memory") 2)
              (func (export "_start") (local $times i32)
                (loop $again
                  (if (call $random (i32.const 8) (i32.const {bytes})) (then (unreachable)))
                  (local.set $times (i32.add (local.get $times) (i32.const 1)))
                  (br_if $again (i32.lt_u (local.get $times) (i32.const {times}))))
                (call $exit (i32.const 2))))"#
        );
        handler(&place, &text)
    };
    assert_eq!(program(64, 1024).reason(&place, "ls"), "[p]: No stderr output");
    for (times, bytes) in [(65, 1024), (1, 65537), (1, u32::MAX)] {
        let (kind, message) = program(times, bytes).failure(&place, "ls");
        assert_eq!(kind, "Trap");
        assert!(
            message.contains("more than 65536 random bytes in one event"),
            "{message}"
        );
    }
    // Where they do not fit is the program's fault.
    let outside = handler(
        &place,
        r#"(module (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
            (memory (export "memory") 1) (func (export "_start") (drop (call $random (i32.const 65535) (i32.const 8)))))"#,
    );
    assert_eq!(outside.failure(&place, "ls").0, "Trap");
}
