//! Pins every limit: its value, its row in the table, and the page of the docs that is made of it.

#![allow(clippy::unwrap_used)]

use hookbox_sandbox::limits::*;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

fn row(what: &str) -> &'static Row {
    TABLE.iter().find(|row| row.what.starts_with(what)).unwrap()
}

#[test]
fn every_limit_has_the_value_that_the_design_names() {
    assert_eq!(FUEL, 100_000_000);
    assert_eq!(DEADLINE, Duration::from_secs(1));
    assert_eq!(MEMORY, 64 * 1024 * 1024);
    assert_eq!(TABLE_ELEMENTS, 100_000);
    assert_eq!((INSTANCES, MEMORIES, TABLES), (50, 8, 32));
    assert_eq!(WASM_STACK, 512 * 1024);
    assert_eq!(HOST_CALL_BYTES, 4 * 1024 * 1024);
    assert_eq!((HANDLES, RESOURCES), (1_000, 1_000));
    assert_eq!((ANSWER_BYTES, REASON_BYTES), (1024 * 1024, 64 * 1024));
    assert_eq!((LOG_LINES, LOG_BYTES), (256, 64 * 1024));
    assert_eq!((RANDOM_BYTES, STDIO_BYTES), (64 * 1024, 1024 * 1024));
    assert_eq!(PLUGIN_BYTES, 32 * 1024 * 1024);
    assert_eq!((NESTING, PATH_BYTES), (16, 4096));
    assert_eq!((HOST_CALL, WASI_CALL, ANALYSIS), (1024, 4096, 32));
    assert_eq!(
        (PREPARE_CPU, PREPARE_TIME),
        (Duration::from_secs(60), Duration::from_secs(120))
    );
    assert_eq!(PREPARE_MEMORY, 2 * 1024 * 1024 * 1024);
    assert_eq!(CONFIGURE_FUEL, 10_000_000_000);
    assert_eq!((HTTP_REQUESTS, HTTP_BODY, HTTP_HEADERS), (16, 1024 * 1024, 32 * 1024));
    assert_eq!((HOST_WORK, WASI_CALL), (256 * 1024 * 1024, 4096));
    assert_eq!(FIBER_STACK, 2 * 1024 * 1024, "host functions need a stack of their own");
}

#[test]
fn the_table_says_what_the_constants_are() {
    let mib = |bytes: u64| format!("{} MiB", bytes >> 20);
    assert_eq!(row("fuel (").default.replace(',', ""), FUEL.to_string());
    assert_eq!(row("deadline").default, format!("{} s", DEADLINE.as_secs()));
    assert_eq!(row("linear memory").default, mib(MEMORY as u64));
    assert_eq!(
        row("table elements").default.replace(',', ""),
        TABLE_ELEMENTS.to_string()
    );
    assert_eq!(row("instances").default, format!("{INSTANCES}, {MEMORIES}, {TABLES}"));
    assert_eq!(row("wasm stack").default, format!("{} KiB", WASM_STACK >> 10));
    assert_eq!(row("bytes passed").default, mib(HOST_CALL_BYTES as u64));
    assert_eq!(row("bytes that the host").default, mib(HOST_WORK));
    assert_eq!(
        row("live handles").default.replace(',', ""),
        format!("{HANDLES}; {RESOURCES}")
    );
    assert_eq!(
        row("answer").default,
        format!("{}; {} KiB", mib(ANSWER_BYTES as u64), REASON_BYTES >> 10)
    );
    assert_eq!(
        row("log lines").default,
        format!("{LOG_LINES} lines, {} KiB", LOG_BYTES >> 10)
    );
    assert_eq!(row("random").default, format!("{} KiB", RANDOM_BYTES >> 10));
    assert_eq!(row("stdout").default, format!("{} each", mib(STDIO_BYTES as u64)));
    assert_eq!(row("requests of").default, HTTP_REQUESTS.to_string());
    assert_eq!(
        row("body, headers").default,
        format!("{}, {} KiB", mib(HTTP_BODY as u64), HTTP_HEADERS >> 10)
    );
    assert_eq!(row("plugin file").default, mib(PLUGIN_BYTES as u64));
    let (cpu, time) = (PREPARE_CPU.as_secs(), PREPARE_TIME.as_secs());
    assert_eq!(
        row("preparing").default,
        format!("{cpu} s, {} GiB, {time} s", PREPARE_MEMORY >> 30)
    );
    assert_eq!(row("fuel of").default.replace(',', ""), CONFIGURE_FUEL.to_string());
}

#[test]
fn the_page_of_the_docs_is_the_table() {
    let mut page = String::from(
        "# Limits of a plugin\n\nGenerated from the table in `host/sandbox/src/limits.rs` (`cargo xtask generate`). The key is what a \
         configuration may set\nunder `limits` of a plugin; `timeout` also on a handler.\n\n| limit | default | on excess | key \
         |\n|---|---|---|---|\n",
    );
    for Row {
        what,
        default,
        excess,
        key,
    } in TABLE
    {
        let key = key.map_or_else(|| "–".into(), |key| format!("`{key}`"));
        let _ = writeln!(page, "| {what} | {default} | {excess} | {key} |");
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/limits.md");
    if std::env::var_os("HOOKBOX_GENERATE").is_some() {
        std::fs::write(&file, &page).unwrap();
    }
    let stands = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        stands == page,
        "docs/limits.md is not what the table says\nhint: cargo xtask generate\n{page}"
    );
}
