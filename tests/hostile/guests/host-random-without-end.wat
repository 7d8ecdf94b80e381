;; tries: 64 KiB of random bytes, again and again
;; class: host calls
;; ends: Trap
;; says: trapped: more than 65536 random bytes in one event
;; grants: {"random": true}
(import "wasi:random/random@0.2.0" "get-random-bytes" (func $random (param i64 i32)))
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 131072))
(memory (export "memory") 8)
(func $handle (param $event i32) (result i32)
  (loop $forever (call $random (i64.const 65536) (i32.const 512)) (br $forever))
  (unreachable))
