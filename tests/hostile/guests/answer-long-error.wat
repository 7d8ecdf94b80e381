;; tries: an error text of 1 MiB
;; class: answers
;; ends: TooLarge
;; says: answer too large: the error has 1048576 bytes
(memory (export "memory") 64)
(func $handle (param $event i32) (result i32)
  (memory.fill (i32.const 131072) (i32.const 97) (i32.const 1048576))
  (call $fail (i32.const 131072) (i32.const 1048576)))
