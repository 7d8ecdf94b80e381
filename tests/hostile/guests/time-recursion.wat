;; tries: endless recursion
;; class: time
;; ends: Trap
;; says: call stack exhausted
(func $deeper (result i32) (i32.add (call $deeper) (i32.const 1)))
(func $handle (param $event i32) (result i32) (call $deeper))
