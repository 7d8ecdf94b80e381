;; tries: declaring a table of four thousand million elements
;; class: memory
;; ends: NotLoaded
;; says: `configure` failed
(table $t 0xffffffff funcref)
