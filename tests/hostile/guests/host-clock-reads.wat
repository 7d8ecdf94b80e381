;; tries: reading the clock without end: the host works, the guest spends next to nothing
;; class: host calls
;; ends: OutOfFuel
;; says: out of fuel: the host handled more than 268435456 bytes
(import "wasi:clocks/wall-clock@0.2.0" "now" (func $now (param i32)))
(func $handle (param $event i32) (result i32)
  (loop $forever (call $now (i32.const 512)) (br $forever))
  (unreachable))
