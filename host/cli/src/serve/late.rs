//! Answers for an event whose handlers take longer than the agent waits, where waiting longer would let something through.

use super::answer;
use super::connection::Stream;
use crate::init::patience;
use hookbox::HostFault;
use hookbox::protocol::dialects;
use hookbox::protocol::events::{self, Blocking};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Part of the agent's own timeout that hookbox takes at most.
const PART: f64 = 0.9;
/// How often is looked.
const TICK: Duration = Duration::from_millis(250);

/// An event that is being answered.
struct Job {
    until: Instant,
    seconds: f64,
    agent: String,
    event: String,
}

/// A connection, and the event on it.
pub(super) struct Desk {
    pub(super) stream: Stream,
    job: Mutex<Option<Job>>,
}

impl Desk {
    fn job(&self) -> MutexGuard<'_, Option<Job>> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From here on the event has an end. `begun`: when it came.
    pub(super) fn begin(&self, agent: &str, event: &str, begun: Instant) {
        let spec = events::spec(event);
        let ends = spec.blocks == Blocking::Prevents;
        let seconds = if ends {
            spec.timeout.min(f64::from(patience(agent))) * PART
        } else {
            1e6
        };
        let (agent, event) = (agent.into(), event.into());
        let until = begun + Duration::from_secs_f64(seconds);
        *self.job() = Some(Job {
            until,
            seconds,
            agent,
            event,
        });
    }

    /// Whether the event is still to be answered, by the caller.
    pub(super) fn claim(&self) -> bool {
        self.job().take().is_some()
    }

    fn answer_late(&self, now: Instant) {
        let late = self.job().take_if(|job| job.until <= now);
        if let Some(Job {
            seconds, agent, event, ..
        }) = late
        {
            let outcome = HostFault::Deadline(seconds as u64).outcome(&event);
            let response = dialects::encode(&agent, &event, &outcome);
            let _ = self
                .stream
                .write_all(&answer::http(&answer::body(&agent, &event, &response), true));
            self.stream.end();
        }
    }
}

/// All of them.
#[derive(Default)]
pub(super) struct Late {
    desks: Mutex<Vec<Arc<Desk>>>,
}

impl Late {
    fn desks(&self) -> MutexGuard<'_, Vec<Arc<Desk>>> {
        self.desks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn desk(&self, stream: Stream) -> Arc<Desk> {
        let desk = Arc::new(Desk {
            stream,
            job: Mutex::default(),
        });
        self.desks().push(Arc::clone(&desk));
        desk
    }

    pub(super) fn leave(&self, desk: &Arc<Desk>) {
        self.desks().retain(|other| !Arc::ptr_eq(other, desk));
    }

    /// Without end.
    pub(super) fn watch(&self) {
        loop {
            thread::sleep(TICK);
            let desks = self.desks().clone();
            let now = Instant::now();
            desks.iter().for_each(|desk| desk.answer_late(now));
        }
    }
}
