//! The cases of a plugin or a configuration (`cases.toml`): events, and what must come out of each. Pure.
//!
//! Two runners share this format, so that they cannot disagree about it: the SDK's, which calls a plugin natively, and
//! `hookbox test`, which runs the component as `hookbox run` would. What a case does not say is the same for both: the
//! session stands in [`PROJECT`], the home folder is [`HOME`], a sequence begins at [`BEGIN`].

mod event;
mod expected;
mod file;

pub use event::{complete, event};
pub use expected::{Answer, Expected};
pub use file::{Case, Cases, CasesError, Step, table};

/// The home folder of every case.
pub const HOME: &str = "/home/user";

/// The project's root, and the session's folder where a case names none.
pub const PROJECT: &str = "/home/user/demo";

/// When a sequence begins, in milliseconds since the epoch: any moment but 0.
pub const BEGIN: u64 = 1_000_000_000_000;
