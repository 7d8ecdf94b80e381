;; tries: a reason of 2 MiB
;; class: answers
;; ends: TooLarge
;; says: answer too large
(memory (export "memory") 64)
(func $handle (param $event i32) (result i32)
  (memory.fill (i32.const 131072) (i32.const 97) (i32.const 2097152))
  (call $deny (i32.const 131072) (i32.const 2097152)))
