//! A guest: what it tries, and how that has to end.

use crate::template;
use serde_json::{Value, json};

/// One guest.
pub struct Guest {
    pub name: String,
    /// What it tries, for people.
    pub tries: String,
    pub class: String,
    /// The kind of failure (`FailureKind`), or `answers` where it may answer and got nothing, or `any` failure.
    pub ends: String,
    /// What stands in the failure's message, or in the reason of its answer.
    pub says: String,
    /// What stands in its log.
    pub log: Option<String>,
    pub grants: Value,
    pub limits: Value,
    pub timeout: Option<f64>,
    pub wasm: Vec<u8>,
}

impl Guest {
    /// A guest with a header of `;; key: value` lines.
    pub fn read(name: &str, text: &str) -> Self {
        let key = |key: &str| {
            let line = text
                .lines()
                .find_map(|line| line.strip_prefix(";; ")?.strip_prefix(key)?.strip_prefix(": "));
            line.map(str::to_string)
        };
        let json = |name: &str| key(name).map_or(json!({}), |text| serde_json::from_str(&text).expect("JSON"));
        let need = |what: &str| key(what).unwrap_or_else(|| panic!("{name} has no {what}"));
        let wasm = if text.contains("(component") {
            wat::parse_str(text).map_err(Into::into)
        } else {
            template::component(text)
        };
        Guest {
            name: name.into(),
            tries: need("tries"),
            class: need("class"),
            ends: need("ends"),
            says: need("says"),
            log: key("log"),
            grants: json("grants"),
            limits: json("limits"),
            timeout: key("timeout").map(|text| text.parse().expect("seconds")),
            wasm: wasm.unwrap_or_else(|error| panic!("{name}: {error:?}")),
        }
    }
}
