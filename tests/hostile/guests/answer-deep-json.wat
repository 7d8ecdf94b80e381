;; tries: extra fields of a million nested lists
;; class: answers
;; ends: BadAnswer
;; says: extra is not JSON
(memory (export "memory") 64)
(func $handle (param $event i32) (result i32)
  (memory.fill (i32.const 131072) (i32.const 91) (i32.const 1000000))
  (i32.store8 (i32.const 160) (i32.const 1))
  (i32.store (i32.const 164) (i32.const 131072)) (i32.store (i32.const 168) (i32.const 1000000))
  (call $allow))
