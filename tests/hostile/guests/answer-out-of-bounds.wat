;; tries: an answer at a pointer outside its memory
;; class: answers
;; ends: Trap
;; says: out of bounds
(func $handle (param $event i32) (result i32) (i32.const 0x7ffffff0))
