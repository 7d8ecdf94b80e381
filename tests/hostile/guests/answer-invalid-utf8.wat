;; tries: a reason that is not UTF-8
;; class: answers
;; ends: Trap
;; says: utf-8
(func $handle (param $event i32) (result i32) (call $deny (i32.const 1024) (i32.const 4)))
(data (i32.const 1024) "\ff\fe\c0\80")
