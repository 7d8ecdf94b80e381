;; tries: reading out of its folder by `..`
;; class: files
;; ends: answers
;; says: refused
;; grants: {"read": ["${project}/granted"]}
(import "hookbox:hook/files@0.1.0" "read" (func $read (param i32 i32 i64 i32)))
(func $handle (param $event i32) (result i32) (call $must_not_read (local.get $event) (i32.const 1024) (i32.const 22)))
(data (i32.const 1024) "/granted/../secret.txt")
