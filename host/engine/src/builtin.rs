//! The policy pack inside the program.

use hookbox_protocol::config::Grants;

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

/// What a plugin of the pack may use where no configuration has an entry for it.
pub fn grants(name: &str) -> Grants {
    let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
    let none = Grants::default();
    match name {
        "guard-git" => Grants {
            read: texts(&["${project}/.git"]),
            ..none
        },
        "guard-paths" | "rego" => Grants {
            stat: texts(&["/"]),
            ..none
        },
        "rules" => Grants {
            read: texts(&["${project}/.git"]),
            stat: texts(&["/"]),
            clock: true,
            ..none
        },
        "time-budget" => Grants {
            state: true,
            clock: true,
            ..none
        },
        _ => none,
    }
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
