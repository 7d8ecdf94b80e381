;; tries: reading the environment
;; class: surroundings
;; ends: answers
;; says: hello
(import "wasi:cli/environment@0.2.0" "get-environment" (func $environment (param i32)))
(func $handle (param $event i32) (result i32)
  (call $environment (i32.const 512))
  (if (i32.load (i32.const 516)) (then (return (call $allow))))
  (call $deny (i32.const 32) (i32.const 5)))
