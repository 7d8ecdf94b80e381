#![no_main]

#[path = "../checks/configuration.rs"]
mod configuration;

libfuzzer_sys::fuzz_target!(|text: &str| configuration::check(text));
