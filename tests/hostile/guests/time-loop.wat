;; tries: an endless loop
;; class: time
;; ends: OutOfFuel
;; says: out of fuel after 100000000 units
(func $handle (param $event i32) (result i32) (loop $forever (br $forever)) (unreachable))
