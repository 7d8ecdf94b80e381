;; tries: opening a socket
;; class: surroundings
;; ends: NotLoaded
;; says: imports `wasi:sockets/network@0.2.0`, which hookbox does not offer
(import "wasi:sockets/instance-network@0.2.0" "instance-network" (func $network (result i32)))
(func $handle (param $event i32) (result i32) (drop (call $network)) (call $allow))
