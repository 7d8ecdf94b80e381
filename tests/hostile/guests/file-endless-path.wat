;; tries: asking where a path of two million folders leads: each step costs the length of all
;; class: files
;; ends: answers
;; says: refused
;; grants: {"stat": ["/"]}
(import "hookbox:hook/files@0.1.0" "resolve" (func $resolve (param i32 i32 i32)))
(memory (export "memory") 80)
(func $handle (param $event i32) (result i32)
  (local $at i32)
  (loop $more
    (i32.store16 (i32.add (i32.const 131072) (local.get $at)) (i32.const 0x612f))
    (local.set $at (i32.add (local.get $at) (i32.const 2)))
    (br_if $more (i32.lt_u (local.get $at) (i32.const 4000000))))
  (call $resolve (i32.const 131072) (i32.const 4000000) (i32.const 512))
  (if (i32.eqz (i32.load8_u (i32.const 512))) (then (return (call $allow))))
  (call $deny (i32.const 1024) (i32.const 7)))
(data (i32.const 1024) "refused")
