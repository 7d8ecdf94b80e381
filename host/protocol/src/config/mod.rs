//! Configuration: what a file says (`parse`), what is wrong with it (`Diagnostic`), and what several layers say together
//! (`layers`). Pure: whoever calls reads the files.

pub mod diagnostic;
mod duplicates;
mod handlers;
pub mod json;
pub mod layers;
mod lint;
mod parse;
mod plugins;
mod reader;
mod schema;
pub mod select;
pub mod suggest;
pub mod trust;
pub mod types;

pub use diagnostic::{Diagnostic, Severity};
pub use layers::{Entry, Layer, LayerFile, Layers, ResolvedPlugin};
pub use lint::lint;
pub use parse::{parse, parse_value};
pub use plugins::read_grants_value;
pub use schema::configuration_schema;
pub use select::{Selection, select};
pub use trust::tighten;
pub use types::{
    AskFallback, CommandHandler, Config, Grants, Group, Handler, HandlerKind, Limits, Parsed, PluginEntry,
    PluginSource, Shell, Signer, Skipped, WasmHandler,
};
