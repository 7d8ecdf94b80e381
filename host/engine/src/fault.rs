//! What breaks in the host, and what then becomes of the event: whatever could have been blocked is blocked.

use hookbox_protocol::dialects;
use hookbox_protocol::events::{self, Blocking};
use hookbox_protocol::{Decision, Outcome};
use serde_json::Value;

/// A failure of the host.
#[derive(Debug, thiserror::Error)]
pub enum HostFault {
    #[error("the event is empty\nhint: an agent sends one JSON object; try `hookbox explain < EVENT.json`")]
    EmptyEvent,
    #[error("the event has more than {0} bytes")]
    LargeEvent(usize),
    #[error("the event cannot be read: {0}")]
    Stdin(String),
    #[error("the event is not UTF-8: byte {0} cannot be read")]
    NotUtf8(usize),
    #[error("the event is not JSON: {0}")]
    NotJson(String),
    #[error("the event cannot be judged: {0}")]
    Event(String),
    #[error("the configuration cannot be used: {0}")]
    Config(String),
    #[error("the handlers keep rewriting the input of this call: {0} times, and none of the results was agreed on")]
    Rewrites(usize),
    #[error("the request cannot be answered: {0}")]
    Request(String),
    #[error("{0}")]
    Surroundings(String),
    #[error(
        "no answer after {0} s: the handlers, or preparing them, took too long\nhint: `hookbox check` prepares them beforehand"
    )]
    Deadline(u64),
    #[error("internal error: {0}")]
    Internal(String),
}

/// How to get out of a block that is hookbox's own fault.
const WAY_OUT: &str = "`hookbox check` tells what is wrong; `hookbox init --remove` takes hookbox out";

impl HostFault {
    /// The outcome of an event that the host could not judge.
    pub fn outcome(&self, event: &str) -> Outcome {
        let text = format!("hookbox: {self}\n{WAY_OUT}");
        match events::spec(event).blocks {
            Blocking::Prevents => Outcome {
                decision: Some(Decision::Deny),
                reason: Some(text),
                ..Outcome::default()
            },
            _ => Outcome {
                system_messages: vec![text],
                ..Outcome::default()
            },
        }
    }
}

/// The canonical name of the event in a text that need not be valid JSON: a fault on Stop must not keep the agent going.
///
/// Only a key of the outermost object counts, and only where it stands once: what a tool is given may hold the same key,
/// and must not pass a call off as an event that cannot be blocked.
pub fn event_name(agent: &str, text: &[u8]) -> String {
    let keys = dialects::event_keys(agent);
    let mut names = outer_texts(text).filter(|(key, _)| keys.iter().any(|known| known.as_bytes() == *key));
    match (names.next(), names.next()) {
        (Some((_, name)), None) => std::str::from_utf8(name).map_or_else(
            |_| String::new(),
            |name| dialects::canonical_event(agent, name).to_string(),
        ),
        _ => String::new(),
    }
}

/// The canonical name of the event that this is; empty where it cannot be told.
pub(crate) fn name_in(agent: &str, event: &Value) -> String {
    let mut names = dialects::event_keys(agent)
        .iter()
        .filter_map(|key| event.get(*key)?.as_str());
    match (names.next(), names.next()) {
        (Some(name), None) => dialects::canonical_event(agent, name).to_string(),
        _ => String::new(),
    }
}

/// Keys of the outermost object whose value is a text, with that text: as far as `text` is JSON.
fn outer_texts(text: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let (mut at, mut depth) = (0, 0_usize);
    let mut key: Option<&[u8]> = None;
    let mut after_colon = false;
    std::iter::from_fn(move || {
        while let Some(byte) = text.get(at) {
            at += 1;
            match byte {
                b'"' => {
                    let begin = at;
                    while let Some(byte) = text.get(at).filter(|byte| **byte != b'"') {
                        at += if *byte == b'\\' { 2 } else { 1 };
                    }
                    // A text that does not end is no text.
                    let string = text.get(begin..at).filter(|_| text.get(at) == Some(&b'"'))?;
                    at += 1;
                    if depth != 1 {
                        continue;
                    }
                    if !after_colon {
                        key = Some(string);
                    } else if let Some(key) = key.take() {
                        return Some((key, string));
                    }
                }
                b':' => after_colon = true,
                b',' if depth == 1 => after_colon = false,
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_blocks_what_can_be_blocked_and_lets_the_agent_stop() {
        let fault = HostFault::EmptyEvent;
        assert_eq!(fault.outcome("PreToolUse").decision, Some(Decision::Deny));
        assert_eq!(fault.outcome("SomethingNew").decision, Some(Decision::Deny));
        assert_eq!(fault.outcome("").decision, Some(Decision::Deny));
        assert_eq!(fault.outcome("Stop").decision, None);
        assert_eq!(fault.outcome("Stop").system_messages.len(), 1);
    }

    #[test]
    fn the_name_is_found_in_broken_text_and_not_inside_a_string() {
        let name = |text: &str| event_name("claude-code", text.as_bytes());
        assert_eq!(name(r#"{"hook_event_name": "Stop", "x": "#), "Stop");
        assert_eq!(name(r#"{"a": 1, "b": [{}], "hook_event_name" : "Stop" , "#), "Stop");
        assert_eq!(name(r#"{"a":"\"hook_event_name\":\"Stop\"","#), "");
        assert_eq!(name(r#"{"hook_event_name""#), "");
        assert_eq!(name(r#"{"hook_event_name":"Sto"#), "");
        assert_eq!(name(""), "");
    }

    #[test]
    fn what_a_tool_is_given_cannot_name_the_event() {
        let name = |text: &str| event_name("claude-code", text.as_bytes());
        assert_eq!(name(r#"{"tool_input":{"hook_event_name":"Stop"},"x":"\ud800"}"#), "");
        assert_eq!(name(r#"{"tool_input":[["hook_event_name",":","Stop"]],"#), "");
        assert_eq!(name(r#"{"hook_event_name":"PreToolUse","hook_event_name":"Stop","#), "");
        assert_eq!(name(r#"[{"hook_event_name":"Stop"}]"#), "");
    }

    #[test]
    fn the_name_is_the_canonical_one_of_an_agent_with_names_of_its_own() {
        assert_eq!(event_name("cursor", br#"{"hook_event_name":"stop","#), "Stop");
    }
}
