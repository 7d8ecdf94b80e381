;; tries: terminal escapes in what it says of its settings
;; class: answers
;; ends: NotLoaded
;; says: settings: [2Jshown
(func $configure (param i32 i32) (result i32)
  (i32.store8 (i32.const 256) (i32.const 1))
  (i32.store (i32.const 260) (i32.const 1024)) (i32.store (i32.const 264) (i32.const 17))
  (i32.const 256))
(data (i32.const 1024) "\1b[2Jshown\07\c2\9b\e2\80\ae!")
