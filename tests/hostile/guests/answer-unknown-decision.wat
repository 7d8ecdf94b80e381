;; tries: a decision that does not exist
;; class: answers
;; ends: Trap
;; says: discriminant
(func $handle (param $event i32) (result i32)
  (drop (call $deny (i32.const 32) (i32.const 5)))
  (i32.store8 (i32.const 69) (i32.const 200))
  (i32.const 64))
