//! Looks at a plugin's bytes before anything that compiles sees them: one pass over its sections tells what it is, whether it
//! is nested too deep for a compiler, and what stands in the place of a handler.

use crate::error::PrepareError;
use crate::limits::NESTING;
use wasmparser::{Encoding, Parser, Payload};

/// What every plugin exports, up to its version.
const HANDLER: &str = "hookbox:hook/handler@";

/// What a plugin's file can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A component to be asked through `hookbox:hook/handler`. It may export `wasi:cli/run` beside: it can say more.
    Plugin,
    /// A component that exports `wasi:cli/run`.
    Command,
    /// A core module.
    Module,
}

/// Refuses what cannot be a plugin, in words. Whether it is a valid one, the compiler says. Gives what is to be said where it
/// is a component without a handler: what it imports is looked at first.
pub(crate) fn scan(wasm: &[u8]) -> Result<(Kind, Option<PrepareError>), PrepareError> {
    let not = |why: &str| Err(PrepareError::NotAComponent(why.into()));
    if !wasm.starts_with(b"\0asm") {
        return not("it does not begin like WebAssembly");
    }
    if Parser::is_core_wasm(wasm) {
        return Ok((Kind::Module, None));
    }
    let mut depth = 0_usize;
    let mut other = None;
    let (mut handles, mut runs) = (false, false);
    for payload in Parser::new(0).parse_all(wasm) {
        match payload {
            Ok(Payload::Version { encoding, .. }) => {
                depth += 1;
                if encoding == Encoding::Component && depth > NESTING {
                    return not(&format!("its components are nested more than {NESTING} deep"));
                }
            }
            Ok(Payload::End(_)) => depth = depth.saturating_sub(1),
            Ok(Payload::ComponentExportSection(exports)) if depth == 1 => {
                for export in exports.into_iter().flatten() {
                    runs |= export.name.name.starts_with("wasi:cli/run@0.2.");
                    if let Some(version) = export.name.name.strip_prefix(HANDLER) {
                        handles |= version.starts_with("0.1.");
                        other = Some(version.to_string());
                    }
                }
            }
            Ok(_) => {}
            Err(error) => return not(&error.to_string()),
        }
    }
    let hint = match other {
        _ if handles => return Ok((Kind::Plugin, None)),
        Some(version) => {
            format!("its handler is of version {version}: build it against the version that this hookbox speaks")
        }
        None if runs => return Ok((Kind::Command, None)),
        None => "a plugin exports what `wit/hook-0.1.0` names".into(),
    };
    Ok((Kind::Plugin, Some(PrepareError::NoHandler(hint))))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used)]
mod tests {
    use super::{Kind, scan};

    const COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";

    /// Components in components, with sizes of one byte.
    fn nested(depth: usize) -> Vec<u8> {
        (1..depth).fold(COMPONENT.to_vec(), |inner, _| {
            let size = u8::try_from(inner.len()).expect("a size of two bytes");
            assert!(size < 0x80 || depth > 12);
            let mut outer = COMPONENT.to_vec();
            outer.push(4);
            if size >= 0x80 {
                outer.push((size & 0x7f) | 0x80);
                outer.push(1);
            } else {
                outer.push(size);
            }
            outer.extend(inner);
            outer
        })
    }

    fn said(wasm: &[u8]) -> String {
        let said = scan(wasm).map_or_else(Some, |(_, said)| said);
        said.map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn what_is_no_component_is_told_from_its_bytes() {
        for (wasm, says) in [
            (&b""[..], "does not begin like WebAssembly"),
            (b"#!/bin/sh\n", "does not begin like WebAssembly"),
            (b"\0asm\x0d\0\x01\0\x01", "unexpected end"),
            (COMPONENT, "exports no `hookbox:hook/handler@0.1.0`"),
        ] {
            assert!(said(wasm).contains(says), "{}", said(wasm));
        }
    }

    #[test]
    fn a_core_module_is_one() {
        assert_eq!(scan(b"\0asm\x01\0\0\0").unwrap().0, Kind::Module);
    }

    #[test]
    fn components_in_components_are_counted() {
        assert!(said(&nested(16)).contains("exports no"), "{}", said(&nested(16)));
        assert!(
            said(&nested(17)).contains("nested more than 16 deep"),
            "{}",
            said(&nested(17))
        );
    }
}
