//! A matcher and a value, a line break between them: never a panic, never without end, and `*` is for everything.

use hookbox_protocol::matcher::{self, Matcher};
use hookbox_protocol::{Dialect, DshMode, dsh};

pub(crate) fn check(text: &str) {
    let (pattern, value) = text.split_once('\n').unwrap_or((text, "Bash"));
    for event in ["PreToolUse", "FileChanged", "Stop", "PreTeleport"] {
        for dialect in [Dialect::ClaudeCode, Dialect::Codex, Dialect::Dsh(DshMode::ClaudeCode)] {
            let (matcher, _) = Matcher::new(dialect, event, Some(pattern));
            let _ = matcher.matches(value);
            let _ = matcher::lint(dialect, event, pattern);
            assert!(Matcher::new(dialect, event, Some("*")).0.matches(value));
        }
    }
    if pattern.len() < 64 && value.len() < 64 {
        let _ = dsh::matcher_diagnostic(Some(pattern), DshMode::Codex);
    }
}
