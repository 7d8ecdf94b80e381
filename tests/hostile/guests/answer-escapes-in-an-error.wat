;; tries: terminal escapes in an error text
;; class: answers
;; ends: Plugin
;; says: failed: [2Jshown
(func $handle (param $event i32) (result i32) (call $fail (i32.const 1024) (i32.const 17)))
(data (i32.const 1024) "\1b[2Jshown\07\c2\9b\e2\80\ae!")
