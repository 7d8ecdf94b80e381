;; tries: terminal escapes, a title change and a text turned around, in reason, rule and context
;; class: answers
;; ends: answers
;; says: [2Jshown
(func $handle (param $event i32) (result i32)
  (i32.store8 (i32.const 84) (i32.const 1))
  (i32.store (i32.const 88) (i32.const 1100)) (i32.store (i32.const 92) (i32.const 9))
  (i32.store8 (i32.const 120) (i32.const 1))
  (i32.store (i32.const 124) (i32.const 1024)) (i32.store (i32.const 128) (i32.const 17))
  (call $deny (i32.const 1024) (i32.const 17)))
(data (i32.const 1024) "\1b[2Jshown\07\c2\9b\e2\80\ae!")
(data (i32.const 1100) "rule\1b[31m")
