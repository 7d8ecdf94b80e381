;; tries: ending with `unreachable`
;; class: answers
;; ends: Trap
;; says: unreachable
(func $handle (param $event i32) (result i32) (unreachable))
