;; tries: 4 GiB of random bytes in one call
;; class: host calls
;; ends: Trap
;; says: trapped: more than 65536 random bytes in one event
;; grants: {"random": true}
(import "wasi:random/random@0.2.0" "get-random-bytes" (func $random (param i64 i32)))
(func $handle (param $event i32) (result i32)
  (call $random (i64.const 4294967296) (i32.const 512))
  (call $allow))
