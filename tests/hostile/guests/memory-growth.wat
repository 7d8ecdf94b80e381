;; tries: growing its memory without end
;; class: memory
;; ends: OutOfMemory
;; says: out of memory: more than 67108864 bytes
(func $handle (param $event i32) (result i32)
  (loop $more (br_if $more (i32.ne (memory.grow (i32.const 16)) (i32.const -1))))
  (unreachable))
