;; tries: remembering in its memory that it was called before: each event gets a fresh instance
;; class: surroundings
;; ends: answers
;; says: hello
(func $handle (param $event i32) (result i32)
  (if (i32.load (i32.const 600)) (then (return (call $allow))))
  (i32.store (i32.const 600) (i32.const 1))
  (call $deny (i32.const 32) (i32.const 5)))
