;; tries: growing its memory and writing to every page of it
;; class: memory
;; ends: OutOfMemory
;; says: out of memory: more than 67108864 bytes
(func $handle (param $event i32) (result i32)
  (local $at i32)
  (loop $more
    (local.set $at (memory.grow (i32.const 1)))
    (if (i32.eq (local.get $at) (i32.const -1)) (then (unreachable)))
    (memory.fill (i32.shl (local.get $at) (i32.const 16)) (i32.const 1) (i32.const 65536))
    (br $more))
  (unreachable))
