;; tries: an endless loop in `cabi_realloc`, while the host hands over the event
;; class: time
;; ends: OutOfFuel
;; says: out of fuel after 100000000 units
(global $calls (mut i32) (i32.const 0))
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32)
  (global.set $calls (i32.add (global.get $calls) (i32.const 1)))
  (if (i32.gt_u (global.get $calls) (i32.const 1)) (then (loop $forever (br $forever))))
  (i32.const 65536))
