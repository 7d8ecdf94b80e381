//! Makes a component for the world of hooks from a few lines of core WebAssembly.
//!
//! A guest's text is the fields of one core module. What it does not define itself (`$handle`, `$configure`, the memory,
//! `cabi_realloc`) is added, well-behaved; so is what it calls of the helpers. The event is `handle`'s parameter, a pointer
//! to the record; an answer is a `result<output, string>` at `ANSWER` in memory.

use std::error::Error;
use std::path::Path;
use wit_component::{ComponentEncoder, StringEncoding, embed_component_metadata};
use wit_parser::Resolve;

/// What a guest gets where its text has not the word on the left.
const DEFAULTS: &[(&str, &str)] = &[
    ("(export \"memory\")", "(memory (export \"memory\") 2)"),
    (
        "\"cabi_realloc\"",
        r#"
        (global $free (mut i32) (i32.const 65536))
        (func (export "cabi_realloc") (param $old i32) (param $size i32) (param $align i32) (param $new i32) (result i32)
          (local $at i32)
          (local.set $at (i32.and (i32.add (global.get $free) (i32.const 7)) (i32.const -8)))
          (global.set $free (i32.add (local.get $at) (local.get $new)))
          (block $enough
            (br_if $enough (i32.le_u (global.get $free) (i32.shl (memory.size) (i32.const 16))))
            (br_if $enough (i32.ne (i32.const -1) (memory.grow
              (i32.add (i32.const 1) (i32.shr_u (local.get $new) (i32.const 16))))))
            (unreachable))
          (local.get $at))"#,
    ),
    (
        "$configure",
        "(func $configure (param i32 i32) (result i32) (i32.const 16))",
    ),
    (
        "(func $handle",
        "(func $handle (param $event i32) (result i32) (call $deny (i32.const 32) (i32.const 5)))",
    ),
];

/// Functions that guests may call; `$deny` and `$fail` take a text, `$allow` says that something was got which must not be.
const HELPERS: &str = r#"
    (func $deny (param $text i32) (param $bytes i32) (result i32)
      (i32.store8 (i32.const 68) (i32.const 1)) (i32.store8 (i32.const 69) (i32.const 3))
      (i32.store8 (i32.const 72) (i32.const 1))
      (i32.store (i32.const 76) (local.get $text)) (i32.store (i32.const 80) (local.get $bytes))
      (i32.const 64))
    (func $allow (result i32)
      (i32.store8 (i32.const 68) (i32.const 1)) (i32.store8 (i32.const 69) (i32.const 0))
      (i32.const 64))
    (func $fail (param $text i32) (param $bytes i32) (result i32)
      (i32.store8 (i32.const 64) (i32.const 1))
      (i32.store (i32.const 68) (local.get $text)) (i32.store (i32.const 72) (local.get $bytes))
      (i32.const 64))
    (data (i32.const 32) "hello")
    (export "hookbox:hook/handler@0.1.0#configure" (func $configure))
    (export "hookbox:hook/handler@0.1.0#handle" (func $handle))"#;

/// Where a guest has imported `files.read` as `$read`: reads PROJECT + the text at `$suffix`, and is content with a refusal.
const READING: &str = r#"
    (func $reads (param $event i32) (param $suffix i32) (param $bytes i32) (result i32)
      (local $root i32)
      (local.set $root (i32.load (i32.add (local.get $event) (i32.const 36))))
      (memory.copy (i32.const 8192) (i32.load (i32.add (local.get $event) (i32.const 32))) (local.get $root))
      (memory.copy (i32.add (i32.const 8192) (local.get $root)) (local.get $suffix) (local.get $bytes))
      (call $read (i32.const 8192) (i32.add (local.get $root) (local.get $bytes)) (i64.const 4096) (i32.const 512))
      (i32.eqz (i32.load8_u (i32.const 512))))
    (func $must_not_read (param $event i32) (param $suffix i32) (param $bytes i32) (result i32)
      (if (result i32) (call $reads (local.get $event) (local.get $suffix) (local.get $bytes))
        (then (call $allow))
        (else (call $deny (i32.const 40) (i32.const 7)))))
    (data (i32.const 40) "refused")"#;

/// The module's text with all that it leaves out.
pub fn module(fields: &str) -> String {
    let mut text = format!("(module\n{fields}\n");
    for (word, default) in DEFAULTS {
        if !fields.contains(word) {
            text.push_str(default);
        }
    }
    text.push_str(HELPERS);
    if fields.contains("(func $read ") {
        text.push_str(READING);
    }
    text.push(')');
    text
}

/// The component.
pub fn component(fields: &str) -> Result<Vec<u8>, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut resolve = Resolve::default();
    resolve.push_dir(folder.join("wit/hook-0.1.0"))?;
    resolve.push_str("wasi.wit", include_str!("wasi.wit"))?;
    let package = resolve.push_str("world.wit", include_str!("world.wit"))?;
    let world = resolve.select_world(&[package], Some("hostile"))?;
    let mut module = wat::parse_str(module(fields))?;
    embed_component_metadata(&mut module, &resolve, world, StringEncoding::UTF8)?;
    Ok(ComponentEncoder::default().module(&module)?.encode()?)
}
