;; tries: making handles without end and dropping none
;; class: host calls
;; ends: Trap
;; says: trapped: resource table has no free keys
(import "wasi:clocks/monotonic-clock@0.2.0" "subscribe-duration" (func $wait (param i64) (result i32)))
(func $handle (param $event i32) (result i32)
  (loop $forever (drop (call $wait (i64.const 1))) (br $forever))
  (unreachable))
