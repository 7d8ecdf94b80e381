;; tries: a trap in `configure`
;; class: loading
;; ends: NotLoaded
;; says: `configure` failed: trapped: wasm trap: wasm `unreachable` instruction executed
(func $configure (param i32 i32) (result i32) (unreachable))
