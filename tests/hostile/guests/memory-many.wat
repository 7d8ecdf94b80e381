;; tries: nine memories where eight are allowed
;; class: memory
;; ends: NotLoaded
;; says: limit
(memory (export "memory") 2)
(memory 1) (memory 1) (memory 1) (memory 1) (memory 1) (memory 1) (memory 1) (memory 1)
