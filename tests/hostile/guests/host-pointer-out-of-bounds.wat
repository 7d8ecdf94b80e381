;; tries: handing the host a text that lies outside its memory
;; class: host calls
;; ends: Trap
;; says: out of bounds
(import "hookbox:hook/log@0.1.0" "log" (func $log (param i32 i32 i32)))
(func $handle (param $event i32) (result i32)
  (call $log (i32.const 1) (i32.const 0x7fff0000) (i32.const 1000))
  (call $allow))
