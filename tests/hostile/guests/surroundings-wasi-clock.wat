;; tries: telling the time by WASI's clock
;; class: surroundings
;; ends: answers
;; says: hello
(import "wasi:clocks/wall-clock@0.2.0" "now" (func $now (param i32)))
(func $handle (param $event i32) (result i32)
  (call $now (i32.const 512))
  (if (i64.ne (i64.load (i32.const 512)) (i64.const 0)) (then (return (call $allow))))
  (call $deny (i32.const 32) (i32.const 5)))
