;; tries: copying 32 MiB again and again: few instructions, much work
;; class: time
;; ends: OutOfFuel
;; says: out of fuel
(memory (export "memory") 600)
(func $handle (param $event i32) (result i32)
  (loop $forever
    (memory.copy (i32.const 0) (i32.const 1048576) (i32.const 33554432))
    (br $forever))
  (unreachable))
