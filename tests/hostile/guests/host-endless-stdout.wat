;; tries: writing to standard output without end
;; class: host calls
;; ends: OutOfFuel
;; says: out of fuel: the host handled more than 268435456 bytes
(import "wasi:cli/stdout@0.2.0" "get-stdout" (func $stream (result i32)))
(import "wasi:io/streams@0.2.0" "[method]output-stream.blocking-write-and-flush" (func $write (param i32 i32 i32 i32)))
(func $handle (param $event i32) (result i32)
  (local $to i32)
  (local.set $to (call $stream))
  (loop $forever (call $write (local.get $to) (i32.const 0) (i32.const 4096) (i32.const 512)) (br $forever))
  (unreachable))
