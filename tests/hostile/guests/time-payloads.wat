;; tries: fetching the whole event again and again: the host works, the guest spends nothing
;; class: time
;; ends: OutOfFuel
;; says: out of fuel
(import "hookbox:hook/payload@0.1.0" "get" (func $get (param i32 i32 i32)))
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 131072))
(memory (export "memory") 400)
(func $handle (param $event i32) (result i32)
  (loop $forever (call $get (i32.const 1024) (i32.const 0) (i32.const 2048)) (br $forever))
  (unreachable))
