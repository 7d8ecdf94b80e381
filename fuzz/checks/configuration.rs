//! A configuration file: never a panic, and a file that is refused says why.

use hookbox_protocol::config::{self, Layer, LayerFile, Layers};
use hookbox_protocol::{Dialect, DshMode, dialects, dsh};
use serde_json::{Value, json};

pub(crate) fn check(text: &str) {
    let parsed = config::parse(text, "hooks.json");
    let _ = config::lint(Dialect::ClaudeCode, &parsed.config, "hooks.json");
    if let Some(error) = &parsed.error {
        assert!(!error.message.is_empty());
    }
    let call = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/srv/demo", "tool_name": "Bash",
        "tool_input": { "command": "git push" },
    });
    let file = LayerFile {
        layer: Layer::Project,
        trusted: false,
        file: "hooks.json".to_owned(),
        parsed,
    };
    let layers = Layers::new(vec![file]);
    let _ = layers.diagnostics();
    if let Ok(event) = dialects::decode("claude-code", call) {
        for dialect in [Dialect::ClaudeCode, Dialect::Codex, Dialect::Dsh(DshMode::Codex)] {
            let _ = config::select(&layers, dialect, &event);
        }
    }
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        let _ = dsh::parse_config(&value, &dsh::Variables::default());
    }
}
