;; tries: an answer at a pointer that is not aligned
;; class: answers
;; ends: Trap
;; says: aligned
(func $handle (param $event i32) (result i32) (i32.const 65))
