;; tries: a rewritten input that is no JSON
;; class: answers
;; ends: BadAnswer
;; says: updated-input is not JSON
(func $handle (param $event i32) (result i32)
  (i32.store8 (i32.const 96) (i32.const 1))
  (i32.store (i32.const 100) (i32.const 32)) (i32.store (i32.const 104) (i32.const 5))
  (call $allow))
