//! What is left of an answer that may only tighten.

use crate::output::{Decision, Output};

/// Fields of `hookSpecificOutput` that cannot loosen anything.
const HARMLESS: &[&str] = &["message", "interrupt"];

/// Drops what an untrusted file's handler may not say: an `allow`, rewrites of input and output, and every further field that could
/// let something through. What was dropped is recorded among the diagnostics, for the audit.
#[must_use]
pub fn tighten(mut output: Output) -> Output {
    let mut dropped: Vec<String> = Vec::new();
    if output.decision == Some(Decision::Allow) {
        output.decision = None;
        output.reason = None;
        dropped.push("allow".to_owned());
    }
    if output.updated_input.take().is_some() {
        dropped.push("updatedInput".to_owned());
    }
    if output.updated_output.take().is_some() {
        dropped.push("updatedToolOutput".to_owned());
    }
    if std::mem::take(&mut output.suppress_output) {
        dropped.push("suppressOutput".to_owned());
    }
    output.extra.retain(|key, value| {
        // An answer to a question that says no is no less strict than none.
        let refuses = key == "action" && matches!(value.as_str(), Some("decline" | "cancel"));
        let kept = refuses || HARMLESS.contains(&key.as_str());
        if !kept {
            dropped.push(key.clone());
        }
        kept
    });
    if !dropped.is_empty() {
        output
            .diagnostics
            .push(format!("dropped, as the file is not trusted: {}", dropped.join(", ")));
    }
    output
}
