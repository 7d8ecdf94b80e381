;; tries: a log line of 1 MiB
;; class: host calls
;; ends: answers
;; says: hello
;; log: the log is cut here
(import "hookbox:hook/log@0.1.0" "log" (func $log (param i32 i32 i32)))
(memory (export "memory") 64)
(func $handle (param $event i32) (result i32)
  (memory.fill (i32.const 131072) (i32.const 97) (i32.const 1048576))
  (call $log (i32.const 1) (i32.const 131072) (i32.const 1048576))
  (call $deny (i32.const 32) (i32.const 5)))
