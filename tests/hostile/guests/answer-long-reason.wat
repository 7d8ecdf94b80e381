;; tries: a reason of 65537 bytes
;; class: answers
;; ends: TooLarge
;; says: answer too large: reason has 65537 bytes, at most 65536 are taken
(memory (export "memory") 64)
(func $handle (param $event i32) (result i32)
  (memory.fill (i32.const 131072) (i32.const 97) (i32.const 65537))
  (call $deny (i32.const 131072) (i32.const 65537)))
