//! The policy pack inside the program.

/// One plugin of the pack.
#[derive(Debug)]
pub struct Builtin {
    pub name: &'static str,
    /// Lower-case hexadecimal SHA-256 of `wasm`.
    pub digest: &'static str,
    /// The component.
    pub wasm: &'static [u8],
}

/// Every plugin of the pack, by name.
pub static BUILTINS: &[Builtin] = include!(concat!(env!("OUT_DIR"), "/builtins.rs"));

/// The plugin of that name.
pub fn find(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}

/// The names of all, for messages.
pub fn names() -> String {
    BUILTINS
        .iter()
        .map(|builtin| builtin.name)
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_component_has_the_digest_that_stands_beside_it() {
        for builtin in BUILTINS {
            assert_eq!(
                hookbox_sandbox::prepare::digest(builtin.wasm),
                builtin.digest,
                "{}",
                builtin.name
            );
        }
        assert!(!BUILTINS.is_empty());
    }
}
