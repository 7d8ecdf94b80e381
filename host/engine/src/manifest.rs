//! A plugin's manifest: the custom section `hookbox:plugin` of its component. It is a claim: shown, never obeyed.

use serde_json::Value;

/// The custom section that holds the manifest.
pub const SECTION: &str = "hookbox:plugin";

/// Of a component or module: its magic number and version.
const HEADER: usize = 8;

/// The manifest of a component; none where it has none, or one that is not JSON.
pub fn of(wasm: &[u8]) -> Option<Value> {
    let mut rest = wasm.get(HEADER..)?;
    while let Some((id, after)) = rest.split_first() {
        let (size, after) = length(after)?;
        let (section, after) = after.split_at_checked(size)?;
        rest = after;
        if *id == 0 {
            let (size, named) = length(section)?;
            let (name, content) = named.split_at_checked(size)?;
            if name == SECTION.as_bytes() {
                return serde_json::from_slice(content).ok();
            }
        }
    }
    None
}

/// A length in LEB128 and what follows it.
fn length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0_usize;
    for (at, byte) in bytes.iter().enumerate().take(5) {
        value |= usize::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some((value, &bytes[at + 1..]));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin::BUILTINS;

    #[test]
    fn every_plugin_of_the_pack_says_its_name_and_its_grants() {
        for builtin in BUILTINS {
            let manifest = of(builtin.wasm).unwrap_or_default();
            assert_eq!(manifest["name"], builtin.name);
            assert!(manifest["grants"].is_object(), "{manifest}");
        }
    }

    #[test]
    fn what_is_cut_short_or_no_component_has_no_manifest() {
        let wasm = BUILTINS[0].wasm;
        for length in [0, 4, 8, 9, 100, wasm.len() - 1] {
            assert_eq!(of(&wasm[..length]), None, "{length}");
        }
        assert_eq!(of(&[0xff; 64]), None);
    }
}
