;; tries: a reason of 2 GiB
;; class: answers
;; ends: Trap
;; says: out of bounds
(func $handle (param $event i32) (result i32) (call $deny (i32.const 0) (i32.const 0x7fffffff)))
