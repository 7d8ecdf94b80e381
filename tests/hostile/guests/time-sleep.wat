;; tries: sleeping for 584 years
;; class: time
;; ends: TimedOut
;; says: timed out after 300 ms
;; timeout: 0.3
(import "wasi:clocks/monotonic-clock@0.2.0" "subscribe-duration" (func $wait (param i64) (result i32)))
(import "wasi:io/poll@0.2.0" "[method]pollable.block" (func $block (param i32)))
(func $handle (param $event i32) (result i32) (call $block (call $wait (i64.const -1))) (call $allow))
