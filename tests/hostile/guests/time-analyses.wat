;; tries: having the host analyse a command, again and again: the host works, the guest spends nothing
;; class: time
;; ends: OutOfFuel
;; says: out of fuel
(import "hookbox:hook/shell@0.1.0" "analyze" (func $analyze (param i32 i32 i32 i32 i32)))
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (i32.const 131072))
(memory (export "memory") 400)
(func $handle (param $event i32) (result i32)
  (memory.fill (i32.const 8388608) (i32.const 97) (i32.const 1048576))
  (loop $forever
    (i32.store (i32.const 8388608) (i32.add (i32.load (i32.const 8388608)) (i32.const 1)))
    (i32.store8 (i32.const 8388610) (i32.const 32))
    (call $analyze (i32.const 8388608) (i32.const 1048576) (i32.const 1024) (i32.const 4) (i32.const 2048))
    (br $forever))
  (unreachable))
(data (i32.const 1024) "bash")
