//! The host as a component sees it.

use crate::bindings::hookbox::hook as wit;
use crate::{Analysis, Basic, Clock, ErrorCode, Files, Http, Level, Metadata, Request, Response, Scope, State};
use std::cell::RefCell;
use std::rc::Rc;

/// Analyses that are kept for whoever asks again. The instance ends with its event, and they with it.
const KEPT: usize = 16;

thread_local! {
    /// Command, shell, and what they would run.
    static KNOWN: RefCell<Vec<(String, String, Rc<Analysis>)>> = const { RefCell::new(Vec::new()) };
}

/// The host behind the component's imports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Guest;

impl Basic for Guest {
    fn log(&self, level: Level, message: &str) {
        wit::log::log(level, message);
    }
    fn payload_text(&self, pointer: &str) -> Option<String> {
        wit::payload::get(pointer)
    }
    fn content_text(&self, number: u32) -> Option<String> {
        wit::payload::content(number)
    }
    fn analyze(&self, command: &str, shell: &str) -> Rc<Analysis> {
        KNOWN.with_borrow_mut(|known| {
            if let Some((_, _, analysis)) = known.iter().find(|(c, s, _)| c == command && s == shell) {
                return Rc::clone(analysis);
            }
            let analysis = Rc::new(wit::shell::analyze(command, shell));
            if known.len() < KEPT {
                known.push((command.into(), shell.into(), Rc::clone(&analysis)));
            }
            analysis
        })
    }
}

impl Files for Guest {
    fn resolve(&self, path: &str) -> Result<String, ErrorCode> {
        wit::files::resolve(path)
    }
    fn metadata_of(&self, path: &str) -> Result<Metadata, ErrorCode> {
        wit::files::metadata_of(path)
    }
    fn read(&self, path: &str, max: u64) -> Result<Vec<u8>, ErrorCode> {
        wit::files::read(path, max)
    }
}

impl State for Guest {
    fn get(&self, scope: Scope, key: &str) -> Option<Vec<u8>> {
        wit::state::get(scope, key)
    }
    fn set(&self, scope: Scope, key: &str, value: Option<&[u8]>) -> Result<(), String> {
        wit::state::set(scope, key, value)
    }
    fn add(&self, scope: Scope, key: &str, delta: i64) -> Result<i64, String> {
        wit::state::add(scope, key, delta)
    }
}

impl Http for Guest {
    fn send(&self, request: &Request) -> Result<Response, String> {
        wit::http::send(request)
    }
}

impl Clock for Guest {
    fn now(&self) -> u64 {
        wit::clock::now()
    }
}
