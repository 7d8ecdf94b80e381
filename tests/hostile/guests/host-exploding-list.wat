;; tries: a list of fifteen million handles, all of them the same
;; class: host calls
;; ends: Trap
;; says: fuel allocated for hostcalls has been exhausted
(import "wasi:clocks/monotonic-clock@0.2.0" "subscribe-duration" (func $wait (param i64) (result i32)))
(import "wasi:io/poll@0.2.0" "poll" (func $poll (param i32 i32 i32)))
(memory (export "memory") 1000)
(func $handle (param $event i32) (result i32)
  (local $handle i32) (local $at i32)
  (local.set $handle (call $wait (i64.const 1)))
  (local.set $at (i32.const 131072))
  (loop $more
    (i32.store (local.get $at) (local.get $handle))
    (local.set $at (i32.add (local.get $at) (i32.const 4)))
    (br_if $more (i32.lt_u (local.get $at) (i32.const 4325376))))
  (call $poll (i32.const 131072) (i32.const 15000000) (i32.const 512))
  (call $allow))
