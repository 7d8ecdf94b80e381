//! What is measured: other people's hooks beside hookbox, and hookbox with more plugins, more rules, larger events.

use super::process::Subject;
use anyhow::{Context, Result};
use hookbox_tests::template;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_encoder::{ComponentSection, CustomSection, Encode};

const PYTHON: &str =
    "import json,sys; e=json.load(sys.stdin); sys.exit(2 if 'rm -rf' in e['tool_input']['command'] else 0)";
const NODE: &str =
    "const e=JSON.parse(require('fs').readFileSync(0)); process.exit(e.tool_input.command.includes('rm -rf') ? 2 : 0)";
const JQ: &str = "c=$(jq -r .tool_input.command); [[ $c == *'rm -rf'* ]] && exit 2; exit 0";
/// A handler with no opinion: the whole output is zero bytes.
const NOTHING: &str = "(func $handle (param $event i32) (result i32) (i32.const 1024))";

pub(super) const PLUGINS: [usize; 4] = [1, 2, 10, 100];
pub(super) const RULES: [usize; 4] = [10, 100, 1_000, 10_000];
/// Bytes of a file that is written.
pub(super) const SIZES: [usize; 4] = [1 << 10, 100 << 10, 1 << 20, 10 << 20];

/// Where everything is written.
pub(super) struct Scenes {
    pub(super) hookbox: String,
    folder: PathBuf,
}

pub(super) fn small() -> Vec<u8> {
    event("Bash", &json!({ "command": "git status && ls -la src" }))
}

fn event(tool: &str, input: &Value) -> Vec<u8> {
    let event = json!({
        "session_id": "s", "transcript_path": "/home/user/s.jsonl", "cwd": "/home/user/demo", "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "t",
    });
    event.to_string().into_bytes()
}

/// A file of so many bytes.
pub(super) fn written(bytes: usize) -> Vec<u8> {
    let content = "x = 1\n".repeat(bytes / 6);
    event(
        "Write",
        &json!({ "file_path": "/home/user/demo/a.txt", "content": content }),
    )
}

impl Scenes {
    pub(super) fn new(hookbox: &Path, folder: &Path) -> Self {
        Scenes {
            hookbox: hookbox.to_string_lossy().into_owned(),
            folder: folder.to_path_buf(),
        }
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<String> {
        let path = self.folder.join(name);
        fs::write(&path, content).with_context(|| path.display().to_string())?;
        Ok(path.to_string_lossy().into_owned())
    }

    /// hookbox with these handlers for every tool, and these plugins.
    fn configured(&self, name: &str, handlers: &[Value], plugins: &Value) -> Result<Subject> {
        let config = json!({ "plugins": plugins, "hooks": { "PreToolUse": [{ "hooks": handlers }] } });
        let file = self.write(&format!("{}.json", name.replace([' ', ','], "-")), config.to_string())?;
        Ok(Subject::new(name, &[&self.hookbox, "run", "--config", &file], &small()))
    }

    /// The hooks that people write today, and hookbox in their place.
    pub(super) fn beside_others(&self) -> Result<Vec<Subject>> {
        let small = small();
        let one = json!({ "type": "wasm", "plugin": "guard-commands" });
        let mut subjects = vec![
            Subject::new("sh -c true", &["sh", "-c", "true"], &small),
            self.configured("no handler", &[], &json!({}))?,
            self.configured("1 plugin", &[one], &json!({}))?,
            Subject::new("pack", &[&self.hookbox, "run"], &small),
            Subject::new("pack, 1 MiB event", &[&self.hookbox, "run"], &written(1 << 20)),
            Subject::new("python hook", &["python3", "-c", PYTHON], &small).every(4),
        ];
        let there = |program: &str| Command::new(program).arg("--version").output().is_ok();
        if there("jq") {
            subjects.push(Subject::new("bash + jq hook", &["bash", "-c", JQ], &small).every(2));
        }
        if there("node") {
            subjects.push(Subject::new("node hook", &["node", "-e", NODE], &small).every(4));
        }
        Ok(subjects)
    }

    /// So many plugins, each from a file of its own: of the component that does nothing, or of one of the pack.
    pub(super) fn plugins(&self, kind: &str, wasm: &[u8]) -> Result<Vec<Subject>> {
        let most = PLUGINS.into_iter().max().unwrap_or(0);
        for number in 0..most {
            let mut copy = wasm.to_vec();
            let section = CustomSection {
                name: "copy".into(),
                data: number.to_string().into_bytes().into(),
            };
            copy.push(ComponentSection::id(&section));
            section.encode(&mut copy);
            self.write(&format!("{kind}-{number}.wasm"), copy)?;
        }
        let subject = |count: usize| {
            let name = |number: usize| format!("{kind}-{number}");
            let handlers: Vec<Value> = (0..count)
                .map(|number| json!({ "type": "wasm", "plugin": name(number) }))
                .collect();
            let plugins: serde_json::Map<String, Value> = (0..count)
                .map(|number| {
                    let source = format!("./{}.wasm", name(number));
                    (
                        name(number),
                        json!({ "source": source, "grants": { "read": ["${project}/.git"] } }),
                    )
                })
                .collect();
            let subject = self.configured(&format!("{count} × {kind}"), &handlers, &plugins.into())?;
            Ok(subject.every(if count > 10 { 4 } else { 1 }))
        };
        PLUGINS.into_iter().map(subject).collect()
    }

    /// So many rules in a file of their own.
    pub(super) fn rules(&self) -> Result<Vec<Subject>> {
        let subject = |count: usize| {
            let rule = |number: usize| {
                json!({ "id": format!("r{number}"), "decision": "deny", "program": format!("tool-{number}"), "flags": "--force",
                        "reason": format!("tool-{number} is not for agents") })
            };
            let rules: Vec<Value> = (0..count).map(rule).collect();
            let file = format!("rules-{count}.json");
            self.write(&file, json!({ "rules": rules }).to_string())?;
            let handler = json!({ "type": "wasm", "plugin": "rules", "settingsFile": file });
            self.configured(&format!("{count} rules"), &[handler], &json!({}))
        };
        RULES.into_iter().map(subject).collect()
    }

    /// The pack asked about files of growing sizes.
    pub(super) fn sizes(&self) -> Vec<Subject> {
        let subject = |bytes: usize| {
            let subject = Subject::new(format!("{} KiB", bytes >> 10), &[&self.hookbox, "run"], &written(bytes));
            subject.every(if bytes > 1 << 20 { 4 } else { 1 })
        };
        SIZES.into_iter().map(subject).collect()
    }
}

/// A typed component with no opinion.
pub(super) fn nothing() -> Result<Vec<u8>> {
    template::component(NOTHING).map_err(|error| anyhow::anyhow!("{error}"))
}
