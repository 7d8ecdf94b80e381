;; tries: telling the time without the grant
;; class: surroundings
;; ends: NotLoaded
;; says: imports `hookbox:hook/clock@0.1.0`, which was not granted
(import "hookbox:hook/clock@0.1.0" "now" (func $now (result i64)))
(func $handle (param $event i32) (result i32) (drop (call $now)) (call $allow))
