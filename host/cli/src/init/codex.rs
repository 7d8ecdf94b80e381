//! Codex runs a hook only when its config.toml holds the hash of it. Pure.
//!
//! The hash is SHA-256 over the hook in compact JSON with sorted keys; it was checked against published values.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

const BEGIN: &str = "# hookbox: begin (written by `hookbox init`; `hookbox init --agent codex --remove` takes it out)";
const END: &str = "# hookbox: end";

/// Events whose matcher Codex ignores, and leaves out of the hash.
const WITHOUT_MATCHER: &[&str] = &["UserPromptSubmit", "Stop", "Interrupt"];

/// One hook to be trusted.
#[derive(Debug)]
pub(crate) struct Trusted<'a> {
    pub(crate) event: &'a str,
    pub(crate) matcher: Option<&'a str>,
    pub(crate) command: &'a str,
    pub(crate) timeout: u32,
    /// The place of its group in the event's list.
    pub(crate) group: usize,
}

impl Trusted<'_> {
    fn hash(&self) -> String {
        let handler: BTreeMap<&str, Value> = BTreeMap::from([
            ("async", json!(false)),
            ("command", json!(self.command)),
            ("timeout", json!(self.timeout)),
            ("type", json!("command")),
        ]);
        let mut identity: BTreeMap<&str, Value> =
            BTreeMap::from([("event_name", json!(snake(self.event))), ("hooks", json!([handler]))]);
        if let Some(matcher) = self.matcher.filter(|_| !WITHOUT_MATCHER.contains(&self.event)) {
            identity.insert("matcher", json!(matcher));
        }
        let text = json!(identity).to_string();
        let digest = Sha256::digest(text.as_bytes());
        digest
            .iter()
            .fold("sha256:".to_owned(), |text, byte| format!("{text}{byte:02x}"))
    }
}

/// config.toml with the trust of these hooks of the file `hooks_json` at its end.
pub(crate) fn put(config: &str, hooks_json: &str, hooks: &[Trusted<'_>]) -> String {
    let mut text = remove(config);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(BEGIN);
    text.push('\n');
    for hook in hooks {
        let key = format!("{hooks_json}:{}:{}:0", snake(hook.event), hook.group);
        let key = key.replace('\\', "\\\\").replace('"', "\\\"");
        text.push_str(&format!(
            "[hooks.state.\"{key}\"]\ntrusted_hash = \"{}\"\nenabled = true\n",
            hook.hash()
        ));
    }
    text.push_str(END);
    text.push('\n');
    text
}

/// config.toml without what `put` added.
pub(crate) fn remove(config: &str) -> String {
    let Some(begin) = config.find(BEGIN) else {
        return config.into();
    };
    let Some(length) = config[begin..].find(END) else {
        return config.into();
    };
    let rest = &config[begin + length + END.len()..];
    format!("{}{}", &config[..begin], rest.strip_prefix('\n').unwrap_or(rest))
}

fn snake(event: &str) -> String {
    let mut out = String::new();
    for c in event.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOOK: Trusted<'static> = Trusted {
        event: "PreToolUse",
        matcher: None,
        command: "hookbox run --agent codex || exit 2",
        timeout: 60,
        group: 1,
    };

    #[test]
    fn the_hash_is_that_of_the_sorted_compact_object() {
        let text = r#"{"event_name":"pre_tool_use","hooks":[{"async":false,"command":"hookbox run --agent codex || exit 2","timeout":60,"type":"command"}]}"#;
        let digest: String = Sha256::digest(text.as_bytes())
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(HOOK.hash(), format!("sha256:{digest}"));
    }

    #[test]
    fn what_was_added_is_taken_out_and_nothing_else() {
        for config in ["", "model = \"m\"\n", "[a]\nb = 1\n"] {
            let with = put(config, "/home/u/.codex/hooks.json", &[HOOK]);
            assert!(
                with.contains("[hooks.state.\"/home/u/.codex/hooks.json:pre_tool_use:1:0\"]"),
                "{with}"
            );
            assert_eq!(remove(&with), config);
            assert_eq!(put(&with, "/home/u/.codex/hooks.json", &[HOOK]), with);
        }
        let with = put("a = 1\n", "/h", &[HOOK]) + "[mine]\n";
        assert_eq!(remove(&with), "a = 1\n[mine]\n");
    }
}
