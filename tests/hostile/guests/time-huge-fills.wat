;; tries: filling 32 MiB again and again
;; class: time
;; ends: OutOfFuel
;; says: out of fuel
(memory (export "memory") 600)
(func $handle (param $event i32) (result i32)
  (loop $forever
    (memory.fill (i32.const 1048576) (i32.const 7) (i32.const 33554432))
    (br $forever))
  (unreachable))
