//! What breaks in the host, and what then becomes of the event: whatever could have been blocked is blocked.

use hookbox_protocol::events::{self, Blocking};
use hookbox_protocol::{Decision, Outcome};

/// A failure of the host.
#[derive(Debug, thiserror::Error)]
pub enum HostFault {
    #[error("the event on stdin is empty\nhint: an agent sends one JSON object; try `hookbox explain < EVENT.json`")]
    EmptyEvent,
    #[error("the event on stdin has more than {0} bytes")]
    LargeEvent(usize),
    #[error("the event on stdin cannot be read: {0}")]
    Stdin(String),
    #[error("the event on stdin is not UTF-8: byte {0} cannot be read")]
    NotUtf8(usize),
    #[error("the event on stdin is not JSON: {0}")]
    NotJson(String),
    #[error("the event on stdin cannot be judged: {0}")]
    Event(String),
    #[error("the configuration cannot be used: {0}")]
    Config(String),
    #[error("the handlers keep rewriting the input of this call: {0} times, and none of the results was agreed on")]
    Rewrites(usize),
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

/// The event's name in a text that is no valid JSON: a fault on Stop must not keep the agent going. Keys of the event come
/// before the agent's free texts, and a quote inside a text is escaped.
pub(crate) fn event_name(text: &[u8]) -> String {
    const KEY: &[u8] = b"\"hook_event_name\"";
    let at = text
        .windows(KEY.len())
        .enumerate()
        .find(|(at, window)| *window == KEY && (*at == 0 || text[at - 1] != b'\\'));
    let Some((at, _)) = at else { return String::new() };
    let rest = String::from_utf8_lossy(text.get(at + KEY.len()..).unwrap_or_default()).into_owned();
    let value = rest
        .trim_start()
        .strip_prefix(':')
        .map(str::trim_start)
        .and_then(|rest| rest.strip_prefix('"'));
    value
        .and_then(|value| value.split_once('"'))
        .map_or_else(String::new, |(name, _)| name.to_string())
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
        assert_eq!(event_name(br#"{"hook_event_name": "Stop", "x": "#), "Stop");
        assert_eq!(event_name(br#"{"a":"\"hook_event_name\":\"Stop\"","#), "");
        assert_eq!(event_name(br#"{"hook_event_name""#), "");
    }
}
