;; tries: an endless loop in the start function, before anything is called
;; class: time
;; ends: NotLoaded
;; says: `configure` failed: out of fuel after 10000000000 units
;; slow
(func $start (loop $forever (br $forever)))
(start $start)
