//! What one store holds: one plugin's call on one event.

use crate::grants::Grants;
use crate::instance::EventContext;
use crate::limits::{LOG_BYTES, LOG_LINES, Limits, Meter};
use crate::wasi::Wasi;
use rusqlite::Connection;
use std::sync::Arc;

/// The store's data.
pub(crate) struct State {
    pub(crate) meter: Meter,
    pub(crate) event: Arc<EventContext>,
    pub(crate) grants: Arc<Grants>,
    pub(crate) log: Log,
    pub(crate) wasi: Wasi,
    /// Open from the first use of `state` on.
    pub(crate) values: Option<Connection>,
}

impl State {
    pub(crate) fn new(limits: &Limits, event: Arc<EventContext>, grants: Arc<Grants>) -> Self {
        State {
            meter: Meter::new(limits),
            event,
            grants,
            log: Log::default(),
            wasi: Wasi::default(),
            values: None,
        }
    }
}

/// A plugin's log lines, bounded.
#[derive(Debug, Default)]
pub(crate) struct Log {
    lines: Vec<String>,
    bytes: usize,
    cut: bool,
}

impl Log {
    pub(crate) fn push(&mut self, level: &str, message: &str) {
        if self.cut {
            return;
        }
        self.bytes += message.len();
        if self.lines.len() >= LOG_LINES || self.bytes > LOG_BYTES {
            self.cut = true;
            self.lines.push(format!(
                "the log is cut here: at most {LOG_LINES} lines and {LOG_BYTES} bytes are kept"
            ));
            return;
        }
        self.lines.push(format!("{level}: {message}"));
    }

    pub(crate) fn into_lines(self) -> Vec<String> {
        self.lines
    }
}
