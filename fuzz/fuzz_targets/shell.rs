#![no_main]

#[path = "../checks/shell.rs"]
mod shell;

libfuzzer_sys::fuzz_target!(|text: &str| shell::check(text));
