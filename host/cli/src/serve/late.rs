//! Answers for an event whose handlers take longer than the agent waits, where waiting longer would let something through.

use super::answer;
use super::connection::Stream;
use crate::last_word;
use hookbox::HostFault;
use hookbox::protocol::dialects;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How often is looked.
const TICK: Duration = Duration::from_millis(250);

/// An event that is being answered.
struct Job {
    /// When it is late, and after how many seconds that is; none where waiting lets nothing through.
    late: Option<(Instant, f64)>,
    agent: String,
    event: String,
}

/// A connection, and the event on it.
pub(super) struct Desk {
    pub(super) stream: Stream,
    job: Mutex<Option<Job>>,
    /// It has shown that it may ask.
    pub(super) admitted: AtomicBool,
}

impl Desk {
    fn job(&self) -> MutexGuard<'_, Option<Job>> {
        self.job.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From here on the event has an end. `begun`: when it came.
    pub(super) fn begin(&self, agent: &str, event: &str, begun: Instant) {
        let late = last_word::time(agent, event).map(|seconds| (begun + Duration::from_secs_f64(seconds), seconds));
        let (agent, event) = (agent.into(), event.into());
        *self.job() = Some(Job { late, agent, event });
    }

    /// Whether the event is still to be answered, by the caller.
    pub(super) fn claim(&self) -> bool {
        self.job().take().is_some()
    }

    /// The job, where it is late.
    fn late(&self, now: Instant) -> Option<(f64, Job)> {
        let late = |job: &Job| job.late.filter(|(until, _)| *until <= now);
        let mut job = self.job();
        let (_, seconds) = job.as_ref().and_then(late)?;
        Some((seconds, job.take()?))
    }

    fn answer_late(&self, seconds: f64, job: &Job) {
        let outcome = HostFault::Deadline(seconds as u64).outcome(&job.event);
        let response = dialects::encode(&job.agent, &job.event, &outcome);
        let body = answer::body(&job.agent, &job.event, &response);
        let _ = self.stream.write_all(&answer::http(&body, true));
        self.stream.end();
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
            admitted: AtomicBool::new(false),
        });
        self.desks().push(Arc::clone(&desk));
        desk
    }

    /// Ends the connection by TCP that has waited longest without showing that it may ask, if there is one.
    pub(super) fn dismiss(&self) {
        let desks = self.desks();
        let stranger = |desk: &&Arc<Desk>| desk.stream.is_tcp() && !desk.admitted.load(Ordering::Relaxed);
        if let Some(desk) = desks.iter().find(stranger) {
            desk.stream.dismiss();
        }
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
            for desk in desks {
                let Some((seconds, job)) = desk.late(now) else { continue };
                // Whoever does not take its answer keeps nobody else waiting.
                let late = Arc::new((desk, job));
                let other = Arc::clone(&late);
                let answers = move || other.0.answer_late(seconds, &other.1);
                if thread::Builder::new().spawn(answers).is_err() {
                    late.0.answer_late(seconds, &late.1);
                }
            }
        }
    }
}
