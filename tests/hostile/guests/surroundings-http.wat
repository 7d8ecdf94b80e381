;; tries: sending a request without the grant
;; class: surroundings
;; ends: NotLoaded
;; says: imports `hookbox:hook/http@0.1.0`, which was not granted
(import "hookbox:hook/http@0.1.0" "send" (func $send (param i32 i32 i32 i32 i32 i32 i32 i32 i32)))
(func $handle (param $event i32) (result i32) (call $allow))
