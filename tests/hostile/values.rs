//! One plugin that looks for the values of another: both have the grant `state`, and the same key.

use crate::place;
use hookbox_tests::guest::Guest;
use serde_json::json;

/// Adds 1 to `key` in each scope and answers `hello` where that is all there is, and fails where there was something before.
const COUNTS: &str = r#"
;; tries: -
;; class: -
;; ends: -
;; says: -
(import "hookbox:hook/state@0.1.0" "add" (func $add (param i32 i32 i32 i64 i32)))
(func $handle (param $event i32) (result i32)
  (local $scope i32)
  (loop $next
    (call $add (local.get $scope) (i32.const 1024) (i32.const 3) (i64.const 1) (i32.const 512))
    (if (i32.ne (i32.load8_u (i32.const 512)) (i32.const 0)) (then (return (call $fail (i32.const 1028) (i32.const 6)))))
    (if (i64.ne (i64.load (i32.const 520)) (i64.const 1)) (then (return (call $fail (i32.const 1034) (i32.const 4)))))
    (local.set $scope (i32.add (local.get $scope) (i32.const 1)))
    (br_if $next (i32.lt_u (local.get $scope) (i32.const 3))))
  (call $deny (i32.const 32) (i32.const 5)))
(data (i32.const 1024) "key")
(data (i32.const 1028) "failed")
(data (i32.const 1034) "more")"#;

#[test]
fn a_plugin_does_not_see_another_ones_values() {
    let place = place();
    let guest = Guest::read("counts", COUNTS);
    let (one, other) = (
        place.write("one.wasm", &guest.wasm),
        place.write("other.wasm", &guest.wasm),
    );
    let run = |file: &std::path::Path| {
        let handler = json!({ "type": "wasm", "plugin": "p", "timeout": 120 });
        place.configure(&json!({
            "hooks": { "PreToolUse": [{ "hooks": [handler] }] },
            "plugins": { "p": { "source": file, "grants": { "state": true } } },
        }));
        let mut command = place.command(&["run"]);
        command.env("XDG_STATE_HOME", place.path("state"));
        place.end(command, place.tool_event("PreToolUse", "ls").to_string().as_bytes())
    };
    let (first, second, third) = (run(&one), run(&other), run(&one));
    assert!(first.stderr.contains("p: hello"), "{first:?}");
    // Under the same name in the configuration, with the same bytes: another file is another plugin.
    assert!(second.stderr.contains("p: hello"), "{second:?}");
    // Its own values are there: what was not seen was kept.
    assert!(third.stderr.contains("more"), "{third:?}");
}
