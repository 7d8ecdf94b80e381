;; tries: logging without end
;; class: host calls
;; ends: OutOfFuel
;; says: out of fuel
;; log: the log is cut here: at most 256 lines and 65536 bytes are kept
(import "hookbox:hook/log@0.1.0" "log" (func $log (param i32 i32 i32)))
(func $handle (param $event i32) (result i32)
  (loop $forever (call $log (i32.const 1) (i32.const 0) (i32.const 1000)) (br $forever))
  (unreachable))
