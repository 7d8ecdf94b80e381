;; tries: endless recursion in `cabi_realloc`, with the host on the stack
;; class: time
;; ends: NotLoaded
;; says: call stack exhausted
(func $deeper (result i32) (i32.add (call $deeper) (i32.const 1)))
(func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) (call $deeper))
