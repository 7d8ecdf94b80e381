;; tries: passing 16 MiB to the host in one call
;; class: host calls
;; ends: Trap
;; says: fuel allocated for hostcalls has been exhausted
(import "hookbox:hook/log@0.1.0" "log" (func $log (param i32 i32 i32)))
(memory (export "memory") 300)
(func $handle (param $event i32) (result i32)
  (call $log (i32.const 1) (i32.const 0) (i32.const 16777216))
  (call $allow))
