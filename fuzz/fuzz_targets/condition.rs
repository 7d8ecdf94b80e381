#![no_main]

#[path = "../checks/condition.rs"]
mod condition;

libfuzzer_sys::fuzz_target!(|text: &str| condition::check(text));
