//! What a plugin may ask of the host. In a component [`Guest`](crate::Guest) answers, in a test
//! [`test::TestHost`](crate::test::TestHost).

use crate::{Analysis, ErrorCode, FileWrite, Level, Metadata, Request, Response, Scope};
use serde_json::Value;
use std::rc::Rc;

/// Everything that a host can do. Only what a plugin calls becomes an import of its component.
pub trait Host: Basic + Files + State + Http + Clock {}
impl<T: Basic + Files + State + Http + Clock> Host for T {}

/// What every plugin gets, without a grant.
pub trait Basic {
    /// A line for the audit and for `hookbox explain`.
    fn log(&self, level: Level, message: &str);

    /// The JSON text at a JSON Pointer (RFC 6901) into the event as the agent sent it.
    fn payload_text(&self, pointer: &str) -> Option<String>;

    /// The content with this number. Ask [`content`](Basic::content).
    fn content_text(&self, number: u32) -> Option<String>;

    /// What a write would put into its file: all of it, or the new part; none where the call does not carry it.
    fn content(&self, write: &FileWrite) -> Option<String> {
        self.content_text(write.content?)
    }

    /// What a command line would run.
    fn analyze(&self, command: &str, shell: &str) -> Rc<Analysis>;

    /// The value at a JSON Pointer (RFC 6901) into the event as the agent sent it.
    fn payload(&self, pointer: &str) -> Option<Value> {
        serde_json::from_str(&self.payload_text(pointer)?).ok()
    }

    /// The string at a JSON Pointer; none where there is none or it is not a string.
    fn payload_str(&self, pointer: &str) -> Option<String> {
        serde_json::from_str(&self.payload_text(pointer)?).ok()
    }
}

/// Files, by the grants `stat` and `read`.
pub trait Files {
    /// The path with every symlink followed, as far as it exists (grant `stat`).
    fn resolve(&self, path: &str) -> Result<String, ErrorCode>;
    /// Of the path itself: a symlink is not followed (grant `stat`).
    fn metadata_of(&self, path: &str) -> Result<Metadata, ErrorCode>;
    /// The content, at most `max` bytes (grant `read`).
    fn read(&self, path: &str, max: u64) -> Result<Vec<u8>, ErrorCode>;
}

/// Values kept between events, by the grant `state`.
pub trait State {
    fn get(&self, scope: Scope, key: &str) -> Option<Vec<u8>>;
    fn set(&self, scope: Scope, key: &str, value: Option<&[u8]>) -> Result<(), String>;
    /// Adds and returns the new value, atomically between processes.
    fn add(&self, scope: Scope, key: &str, delta: i64) -> Result<i64, String>;
}

/// HTTP requests, by the grant `http`.
pub trait Http {
    fn send(&self, request: &Request) -> Result<Response, String>;
}

/// The time, by the grant `clock`.
pub trait Clock {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    fn now(&self) -> u64;
}
