#![no_main]

#[path = "../checks/protocol.rs"]
mod protocol;

libfuzzer_sys::fuzz_target!(|text: &str| protocol::check(text));
