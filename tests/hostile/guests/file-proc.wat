;; tries: reading /proc/self/environ, by an absolute path
;; class: files
;; ends: answers
;; says: refused
;; grants: {"read": ["${project}/granted"]}
(import "hookbox:hook/files@0.1.0" "read" (func $read (param i32 i32 i64 i32)))
(func $handle (param $event i32) (result i32)
  (call $read (i32.const 1024) (i32.const 18) (i64.const 4096) (i32.const 512))
  (if (i32.eqz (i32.load8_u (i32.const 512))) (then (return (call $allow))))
  (call $deny (i32.const 40) (i32.const 7)))
(data (i32.const 1024) "/proc/self/environ")
