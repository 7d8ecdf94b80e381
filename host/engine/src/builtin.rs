//! The policy pack inside the program.

use hookbox_protocol::config::Grants;
use hookbox_sandbox::limits;

/// One plugin of the pack.
#[derive(Debug)]
pub struct Builtin {
    pub name: &'static str,
    /// Lower-case hexadecimal SHA-256 of `wasm`.
    pub digest: &'static str,
    /// The component.
    pub wasm: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/builtins.rs"));

/// The plugins that [`TOGETHER`] is.
const GUARDS: &[&str] = &[
    "guard-commands",
    "guard-git",
    "guard-network",
    "guard-paths",
    "guard-secrets",
];

/// Whether the plugin of that name, with its default settings, is a part of [`TOGETHER`].
pub(crate) fn is_together(name: &str) -> bool {
    GUARDS.contains(&name)
}

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

/// Units of fuel of a plugin of the pack, where no configuration says otherwise: who reads every byte of what is written needs more
/// for the largest event than others for any.
pub(crate) fn fuel(name: &str) -> u64 {
    match name {
        "guard-secrets" => 4 * limits::FUEL,
        _ => limits::FUEL,
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
        for builtin in BUILTINS.iter().chain([&TOGETHER]) {
            assert_eq!(
                hookbox_sandbox::prepare::digest(builtin.wasm),
                builtin.digest,
                "{}",
                builtin.name
            );
        }
        assert!(!BUILTINS.is_empty());
    }

    #[test]
    fn the_guards_of_the_default_are_one_component() {
        let handlers = crate::default::parsed().config.hooks.into_iter();
        let handlers = handlers.flat_map(|(_, groups)| groups).flat_map(|group| group.handlers);
        for handler in handlers {
            let hookbox_protocol::config::HandlerKind::Wasm(wasm) = handler.kind else {
                panic!("{}: not a plugin", handler.path);
            };
            assert!(is_together(&wasm.plugin), "{}", wasm.plugin);
        }
    }
}
