;; tries: finding a folder that the run-time was handed
;; class: files
;; ends: answers
;; says: hello
(import "wasi:filesystem/preopens@0.2.0" "get-directories" (func $folders (param i32)))
(func $handle (param $event i32) (result i32)
  (call $folders (i32.const 512))
  (if (i32.load (i32.const 516)) (then (return (call $allow))))
  (call $deny (i32.const 32) (i32.const 5)))
