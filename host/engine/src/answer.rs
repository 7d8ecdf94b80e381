//! All handlers of one event: run at once, merged in configuration order.

use crate::handler::{self, Shared, Told};
use hookbox_protocol::config::{Entry, HandlerKind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How long plugins run one after the other before they get threads: most answer in less time than a thread takes to start.
const ALONE: Duration = Duration::from_millis(10);

/// Runs every handler. Commands wait for their processes, each on a thread; plugins compute, as many at once as there are
/// processors once it takes time. The answers stand in the order of the entries.
pub(crate) fn run_all(entries: &[Entry], shared: &Shared<'_>) -> Vec<Told> {
    if let [only] = entries {
        return vec![handler::run(only, shared)];
    }
    let (commands, plugins): (Vec<usize>, Vec<usize>) =
        (0..entries.len()).partition(|at| matches!(entries[*at].handler.kind, HandlerKind::Command(_)));
    let answers: Vec<Mutex<Option<Told>>> = entries.iter().map(|_| Mutex::new(None)).collect();
    let run = |at: usize| {
        let told = handler::run(&entries[at], shared);
        if let Ok(mut answer) = answers[at].lock() {
            *answer = Some(told);
        }
    };
    let next = AtomicUsize::new(0);
    let turn = || plugins.get(next.fetch_add(1, Ordering::Relaxed));
    let work = || {
        while let Some(at) = turn() {
            run(*at);
        }
    };
    thread::scope(|scope| {
        let mut waiting = Vec::new();
        for at in &commands {
            let run = &run;
            // Where the system gives no thread, the handler runs after the others, not never.
            if thread::Builder::new().spawn_scoped(scope, move || run(*at)).is_err() {
                waiting.push(*at);
            }
        }
        let begun = Instant::now();
        while begun.elapsed() < ALONE
            && let Some(at) = turn()
        {
            run(*at);
        }
        let left = plugins.len().saturating_sub(next.load(Ordering::Relaxed));
        let cores = || rustix::thread::sched_getaffinity(None).map_or(1, |set| set.count() as usize);
        if left > 1 {
            for _ in 1..cores().min(left) {
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
        }
        work();
        waiting.into_iter().for_each(&run);
    });
    let told = answers.into_iter().zip(entries).map(|(answer, entry)| {
        let answer = answer.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        answer.unwrap_or_else(|| handler::lost(entry, shared))
    });
    told.collect()
}
