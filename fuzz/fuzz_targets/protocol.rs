//! A request of `hookbox protocol`: every one has an answer.
#![no_main]

use hookbox_protocol::protocol_op;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    if let Ok(request) = serde_json::from_str::<Value>(text) {
        assert!(protocol_op::answer(&request).is_object());
    }
});
