//! Write a hookbox plugin in Rust: a struct, one function, one macro.
//!
//! ```
//! use hookbox_sdk::{Action, Event, Host, Output, Plugin};
//!
//! #[derive(Default, serde::Deserialize)]
//! #[serde(default, deny_unknown_fields)]
//! struct NoCurl { allow: Vec<String> }
//!
//! impl Plugin for NoCurl {
//!     type Settings = NoCurl;
//!     fn configure(settings: NoCurl) -> Result<Self, String> { Ok(settings) }
//!     fn handle(&self, event: &Event, host: &impl Host) -> Result<Output, String> {
//!         for command in event.commands(host) {
//!             if command.program() == "curl" && !self.allow.iter().any(|url| command.has_arg(url)) {
//!                 return Ok(Output::deny("curl", "curl is not allowed here: use the fetch tool"));
//!             }
//!         }
//!         Ok(Output::none())
//!     }
//! }
//! # #[cfg(target_arch = "wasm32")]
//! hookbox_sdk::export!(NoCurl);
//! ```
//!
//! `handle` gets the host as a value, so a plugin's logic runs in native tests with [`test::TestHost`], and a component
//! imports only the abilities whose functions it calls.

#[doc(hidden)]
pub mod bindings;
mod event;
mod guest;
mod host;
mod output;
mod plugin;
#[cfg(feature = "test")]
pub mod test;

pub use bindings::hookbox::hook::files::{ErrorCode, Kind, Metadata};
pub use bindings::hookbox::hook::http::{Request, Response};
pub use bindings::hookbox::hook::log::Level;
pub use bindings::hookbox::hook::shell::{Analysis, Redirect, SimpleCommand, Word};
pub use bindings::hookbox::hook::state::Scope;
pub use bindings::hookbox::hook::types::{
    Action, Command, Decision, Event, FileWrite, McpCall, Output, Search, ToolCall,
};
pub use guest::Guest;
pub use host::{Basic, Clock, Files, Host, Http, State};
pub use plugin::{__configure, __handle, Plugin};

#[doc(hidden)]
pub mod __private {
    pub use crate::bindings;
    pub use crate::bindings::exports::hookbox::hook::handler::Guest as Handler;
}

/// The book's page for authors: its example compiles.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/writing-a-plugin.md")]
struct WritingAPlugin;
