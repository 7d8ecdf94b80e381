;; tries: a rule's name of 100 KB
;; class: answers
;; ends: TooLarge
;; says: answer too large: rule has 100000 bytes
(memory (export "memory") 64)
(func $handle (param $event i32) (result i32)
  (memory.fill (i32.const 131072) (i32.const 97) (i32.const 100000))
  (i32.store8 (i32.const 84) (i32.const 1))
  (i32.store (i32.const 88) (i32.const 131072)) (i32.store (i32.const 92) (i32.const 100000))
  (call $deny (i32.const 32) (i32.const 5)))
