//! What a file is, told from its exports before anything of it is compiled.

use wasmparser::{Parser, Payload};

/// What a plugin's file can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A component to be asked through `hookbox:hook/handler`. Also what cannot be read, and what exports neither: preparing it
    /// as a plugin says what is wrong.
    Plugin,
    /// A component that exports `wasi:cli/run`.
    Command,
    /// A core module.
    Module,
}

/// A component that exports both is a plugin: it can say more.
pub(crate) fn kind(wasm: &[u8]) -> Kind {
    if Parser::is_core_wasm(wasm) {
        return Kind::Module;
    }
    let mut depth = 0_usize;
    let mut runs = false;
    for payload in Parser::new(0).parse_all(wasm) {
        match payload {
            Ok(Payload::Version { .. }) => depth += 1,
            Ok(Payload::End(_)) => depth = depth.saturating_sub(1),
            Ok(Payload::ComponentExportSection(exports)) if depth == 1 => {
                for export in exports.into_iter().flatten() {
                    if export.name.name.starts_with("hookbox:hook/handler@") {
                        return Kind::Plugin;
                    }
                    runs |= export.name.name.starts_with("wasi:cli/run@0.2.");
                }
            }
            Ok(_) => {}
            Err(_) => return Kind::Plugin,
        }
    }
    if runs { Kind::Command } else { Kind::Plugin }
}
