;; tries: getting chance without the grant: the bytes are the same every time
;; class: surroundings
;; ends: answers
;; says: hello
(import "wasi:random/random@0.2.0" "get-random-bytes" (func $random (param i64 i32)))
(func $handle (param $event i32) (result i32)
  (call $random (i64.const 8) (i32.const 512))
  (if (i64.ne (i64.load (i32.load (i32.const 512))) (i64.const 0)) (then (return (call $allow))))
  (call $deny (i32.const 32) (i32.const 5)))
