;; tries: a reason of 60 MiB, all of it in its memory
;; class: answers
;; ends: Trap
;; says: fuel allocated for hostcalls has been exhausted
(memory (export "memory") 1000)
(func $handle (param $event i32) (result i32) (call $deny (i32.const 1024) (i32.const 62914560)))
