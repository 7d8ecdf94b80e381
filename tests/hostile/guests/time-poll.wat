;; tries: polling two timers far in the future
;; class: time
;; ends: TimedOut
;; says: timed out after 300 ms
;; timeout: 0.3
(import "wasi:clocks/monotonic-clock@0.2.0" "subscribe-duration" (func $wait (param i64) (result i32)))
(import "wasi:io/poll@0.2.0" "poll" (func $poll (param i32 i32 i32)))
(func $handle (param $event i32) (result i32)
  (i32.store (i32.const 1024) (call $wait (i64.const 9000000000000000000)))
  (i32.store (i32.const 1028) (call $wait (i64.const 8000000000000000000)))
  (call $poll (i32.const 1024) (i32.const 2) (i32.const 2048))
  (call $allow))
