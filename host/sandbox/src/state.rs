//! What one store holds: one plugin's call on one event.

use crate::grants::Grants;
use crate::instance::EventContext;
use crate::limits::{
    HOST_CALL, HOST_WORK, HTTP_REQUESTS, LOG_BYTES, LOG_LINES, Limits, Meter, RANDOM_BYTES, WASI_CALL,
};
use crate::wasi::Wasi;
use rusqlite::Connection;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The store's data.
pub(crate) struct State {
    pub(crate) meter: Meter,
    pub(crate) event: Arc<EventContext>,
    pub(crate) grants: Arc<Grants>,
    pub(crate) log: Log,
    pub(crate) wasi: Wasi,
    /// Whether there is an instance: what fails before is not the plugin's failure.
    pub(crate) started: bool,
    /// Open from the first use of `state` on.
    pub(crate) values: Option<Connection>,
    /// Bytes that the host may still handle for the plugin.
    work_left: u64,
    /// Random bytes that it may still have.
    pub(crate) random_left: u64,
    /// None: so far away that it cannot be told.
    deadline: Option<Instant>,
    /// Requests of HTTP that may still be sent.
    pub(crate) requests_left: usize,
    /// Why a call of the host was refused.
    pub(crate) refused: Option<Refused>,
    /// Set when the calls of WASI alone were more than the host does for a plugin.
    pub(crate) over: Arc<AtomicBool>,
}

/// Why the host does no more for a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    Work,
    Deadline,
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
            started: false,
            work_left: HOST_WORK,
            random_left: RANDOM_BYTES,
            deadline: Instant::now().checked_add(limits.deadline),
            requests_left: HTTP_REQUESTS,
            refused: None,
            over: Arc::default(),
        }
    }

    /// Another call in the same instance. What its memories and tables have taken stays counted.
    pub(crate) fn again(&mut self, limits: &Limits, event: &Arc<EventContext>, grants: &Arc<Grants>) {
        let meter = self.meter.again(limits);
        *self = State {
            meter,
            started: true,
            ..State::new(limits, Arc::clone(event), Arc::clone(grants))
        };
    }

    /// Until the deadline.
    pub(crate) fn time_left(&self) -> Duration {
        let left = self
            .deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()));
        left.unwrap_or(Duration::MAX)
    }

    /// A call of WASI begins. It cannot be refused from here: whoever runs the call looks at `over` when it pauses.
    pub(crate) fn wasi_work(&mut self) {
        match self.work_left.checked_sub(WASI_CALL) {
            Some(left) => self.work_left = left,
            None => self.over.store(true, Ordering::Relaxed),
        }
    }

    /// Each call of the host begins here. What it carries counts towards the plugin's share of the host's work, since fuel
    /// is spent by the plugin's own instructions alone, and the clock is looked at, since nothing interrupts the host.
    pub(crate) fn work(&mut self, bytes: usize, weight: u64) -> wasmtime::Result<()> {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(weight);
        self.refused = match self.work_left.checked_sub(bytes.saturating_add(HOST_CALL)) {
            None => Some(Refused::Work),
            Some(_) if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) => Some(Refused::Deadline),
            Some(left) => {
                self.work_left = left;
                return Ok(());
            }
        };
        Err(wasmtime::Error::msg("the host does no more for this plugin"))
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
