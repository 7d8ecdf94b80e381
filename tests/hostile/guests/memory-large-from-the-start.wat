;; tries: declaring 4 GiB of memory
;; class: memory
;; ends: NotLoaded
;; says: `configure` failed: out of memory: more than 67108864 bytes
(memory (export "memory") 65536)
