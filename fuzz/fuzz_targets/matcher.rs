#![no_main]

#[path = "../checks/matcher.rs"]
mod matcher;

libfuzzer_sys::fuzz_target!(|text: &str| matcher::check(text));
