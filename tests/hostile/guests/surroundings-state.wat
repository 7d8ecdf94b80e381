;; tries: keeping values without the grant
;; class: surroundings
;; ends: NotLoaded
;; says: imports `hookbox:hook/state@0.1.0`, which was not granted
(import "hookbox:hook/state@0.1.0" "get" (func $get (param i32 i32 i32 i32)))
(func $handle (param $event i32) (result i32) (call $allow))
