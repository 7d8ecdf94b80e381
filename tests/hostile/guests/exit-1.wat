;; tries: leaving through `exit` with an error
;; class: answers
;; ends: Trap
;; says: exit status 1
(import "wasi:cli/exit@0.2.0" "exit" (func $exit (param i32)))
(func $handle (param $event i32) (result i32) (call $exit (i32.const 1)) (call $allow))
