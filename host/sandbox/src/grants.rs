//! The authorities that a configuration gives a plugin, and which imports each of them opens.

use std::collections::BTreeSet;

/// What one plugin was granted. Nothing, unless its configuration says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grants {
    /// Files and folders (absolute) whose content may be read; a folder grants what is below it.
    pub read: Vec<String>,
    /// Files and folders (absolute) whose existence, kind and symlinks may be seen; `read` includes it.
    pub stat: Vec<String>,
    /// Variables of hookbox's own environment, by name.
    pub env: BTreeSet<String>,
    /// Hosts that may be called, `name` or `name:port`.
    pub http: BTreeSet<String>,
    /// Values kept between events: the identity that this plugin's values stand under.
    pub state: Option<String>,
    pub clock: bool,
    pub random: bool,
}

/// What an import needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Needs {
    Nothing,
    Files,
    State,
    Http,
    Clock,
}

impl Needs {
    /// Whether `grants` has it.
    pub(crate) fn granted(self, grants: &Grants) -> bool {
        match self {
            Needs::Nothing => true,
            Needs::Files => !grants.read.is_empty() || !grants.stat.is_empty(),
            Needs::State => grants.state.is_some(),
            Needs::Http => !grants.http.is_empty(),
            Needs::Clock => grants.clock,
        }
    }

    /// What to write into the configuration to have it.
    pub(crate) fn hint(self) -> &'static str {
        match self {
            Needs::Nothing => "",
            Needs::Files => r#"`"grants": { "read": ["${project}/FILE"] }` or `"stat"` would allow it"#,
            Needs::State => r#"`"grants": { "state": true }` would allow it"#,
            Needs::Http => r#"`"grants": { "http": ["HOST"] }` would allow it"#,
            Needs::Clock => r#"`"grants": { "clock": true }` would allow it"#,
        }
    }
}
