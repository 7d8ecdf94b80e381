//! Guests that are too large, or too wrong, to be written by hand.

use hookbox_tests::guest::Guest;
use std::fmt::Write;

/// What an empty component begins with.
const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

pub(crate) fn guests() -> Vec<Guest> {
    let mut guests = vec![
        raw(
            "load-deep-nesting",
            "fifty thousand components, each in the next",
            "not a WebAssembly component",
            nested(50_000),
        ),
        raw(
            "load-not-wasm",
            "being a text",
            "not a WebAssembly component",
            b"#!/bin/sh\nexit 0\n".to_vec(),
        ),
        raw("load-empty", "being empty", "not a WebAssembly component", Vec::new()),
        raw(
            "load-cut-short",
            "being cut in the middle",
            "not a WebAssembly component",
            cut(),
        ),
        raw(
            "load-too-large",
            "a file of 33 MiB",
            "at most 33554432 are taken",
            vec![0; 33 << 20],
        ),
        raw(
            "load-core-module",
            "being a core module that exports `handle`",
            "a core module without `_start`",
            core(),
        ),
        raw(
            "load-native-code",
            "being native code for the cache",
            "not a WebAssembly component",
            elf(),
        ),
        guest(
            "load-many-exports",
            "a hundred thousand exports",
            "exports no `hookbox:hook/handler@0.1.0`",
            &exports(100_000),
        ),
        guest(
            "load-many-instances",
            "a thousand core instances",
            "limit",
            &instances(1_000),
        ),
        guest(
            "load-next-version",
            "exporting the handler of a version that this host does not speak",
            "exports no `hookbox:hook/handler@0.1.0`",
            r#"(component (core module $m (func (export "f"))) (core instance $i (instantiate $m))
                (func $f (canon lift (core func $i "f")))
                (instance $h (export "handle" (func $f)))
                (export "hookbox:hook/handler@9.0.0" (instance $h)))"#,
        ),
        guest(
            "load-wrong-types",
            "exporting a handler with other types",
            "exports no `hookbox:hook/handler@0.1.0`",
            r#"(component (core module $m (func (export "f"))) (core instance $i (instantiate $m))
                (func $f (canon lift (core func $i "f")))
                (instance $h (export "handle" (func $f)) (export "configure" (func $f)))
                (export "hookbox:hook/handler@0.1.0" (instance $h)))"#,
        ),
        guest(
            "load-unknown-import",
            "importing what nobody offers",
            "imports `acme:root/shell@1.0.0`, which hookbox does not offer",
            r#"(component (import "acme:root/shell@1.0.0" (instance (export "run" (func)))))"#,
        ),
        guest(
            "load-wrong-import-version",
            "importing a version of `log` that this host does not speak",
            "imports `hookbox:hook/log@9.0.0`, which hookbox does not offer",
            r#"(component (import "hookbox:hook/log@9.0.0" (instance (export "log" (func)))))"#,
        ),
        guest(
            "load-wasi-http",
            "importing WASI's own HTTP client",
            "imports `wasi:http/outgoing-handler@0.2.0`, which hookbox does not offer",
            r#"(component (import "wasi:http/outgoing-handler@0.2.0" (instance (export "handle" (func)))))"#,
        ),
        guest(
            "load-module-import",
            "importing a core module from the host",
            "imports `libc`, which hookbox does not offer",
            r#"(component (import "libc" (core module)))"#,
        ),
    ];
    guests.push(Guest::read("load-many-core-exports", &core_exports(100_000)));
    let header = header("twenty thousand functions to compile");
    guests.push(Guest::read("load-many-functions", &functions(&header, 20_000)));
    // It would take minutes; what is pinned is that the limit of the configuration ends it.
    let forever = ";; tries: a module that takes forever to compile\n;; class: loading\n;; ends: NotLoaded\n\
        ;; says: the child process that prepares it took more than 1 s\n;; limits: {\"prepareTime\": 1}\n";
    guests.push(Guest::read("load-compiles-forever", &functions(forever, 200_000)));
    guests
}

fn guest(name: &str, tries: &str, says: &str, component: &str) -> Guest {
    Guest::read(
        name,
        &format!(";; tries: {tries}\n;; class: loading\n;; ends: NotLoaded\n;; says: {says}\n{component}"),
    )
}

fn raw(name: &str, tries: &str, says: &str, wasm: Vec<u8>) -> Guest {
    Guest {
        wasm,
        ..guest(name, tries, says, "(component)")
    }
}

fn leb(mut number: usize, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push((number as u8 & 0x7f) | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Components in components: built from the inside, written back to front.
fn nested(depth: usize) -> Vec<u8> {
    let mut heads: Vec<Vec<u8>> = vec![COMPONENT.to_vec()];
    let mut size = COMPONENT.len();
    for _ in 0..depth {
        let mut head = COMPONENT.to_vec();
        head.push(4);
        leb(size, &mut head);
        size += head.len();
        heads.push(head);
    }
    heads.into_iter().rev().flatten().collect()
}

fn cut() -> Vec<u8> {
    let whole = Guest::read("whole", ";; tries: -\n;; class: -\n;; ends: -\n;; says: -\n").wasm;
    whole[..whole.len() / 2].to_vec()
}

fn core() -> Vec<u8> {
    wat::parse_str(r#"(module (func (export "hookbox:hook/handler@0.1.0#handle")))"#).expect("a module")
}

fn elf() -> Vec<u8> {
    std::fs::read(hookbox_tests::program())
        .map(|bytes| bytes[..4096].to_vec())
        .expect("the program")
}

fn exports(count: usize) -> String {
    let mut text = String::from(
        r#"(component (core module $m (func (export "f"))) (core instance $i (instantiate $m)) (func $f (canon lift (core func $i "f")))"#,
    );
    for at in 0..count {
        let _ = write!(text, r#"(export "e{at}" (func $f))"#);
    }
    text + ")"
}

fn instances(count: usize) -> String {
    let mut text = String::from(
        r#"(component (core module $m (func (export "f"))) (core instance $i (instantiate $m))
            (func $f (canon lift (core func $i "f")))
            (instance $h (export "handle" (func $f)) (export "configure" (func $f)))
            (export "hookbox:hook/handler@0.1.0" (instance $h))"#,
    );
    for _ in 0..count {
        text.push_str("(core instance (instantiate $m))");
    }
    text + ")"
}

fn header(tries: &str) -> String {
    format!(";; tries: {tries}\n;; class: loading\n;; ends: answers\n;; says: hello\n")
}

fn core_exports(count: usize) -> String {
    let mut text = header("a hundred thousand exports of its core module, which nobody asks for");
    text.push_str("(func $f)");
    for at in 0..count {
        let _ = write!(text, r#"(export "e{at}" (func $f))"#);
    }
    text
}

fn functions(header: &str, count: usize) -> String {
    let mut text = header.to_string();
    for at in 0..count {
        let _ = write!(
            text,
            "(func (param i32) (result i32) (i32.mul (local.get 0) (i32.const {at})))"
        );
    }
    text
}
