;; tries: growing a table without end
;; class: memory
;; ends: Trap
;; says: unreachable
(table $t 1 funcref)
(func $handle (param $event i32) (result i32)
  (loop $more (br_if $more (i32.ne (table.grow $t (ref.null func) (i32.const 1000)) (i32.const -1))))
  (if (i32.gt_u (table.size $t) (i32.const 100000)) (then (return (call $allow))))
  (unreachable))
