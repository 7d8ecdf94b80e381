//! A request of `hookbox protocol`: every one has an answer.

use hookbox_protocol::protocol_op;
use serde_json::Value;

pub(crate) fn check(text: &str) {
    if let Ok(request) = serde_json::from_str::<Value>(text) {
        assert!(protocol_op::answer(&request).is_object());
    }
}
