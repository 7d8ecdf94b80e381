//! A home of its own for each test, and what a run of `hookbox` in it gave.

use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Compiled plugins are the same for every test: one cache saves compiling them again and again.
fn cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache")
}

/// A user's home with a project in it.
#[must_use]
pub(crate) struct Home {
    folder: TempDir,
    config: Option<PathBuf>,
}

impl Home {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("project")).unwrap();
        Home { folder, config: None }
    }

    /// The handlers of an event, as `--config FILE`.
    pub(crate) fn handlers(self, event: &str, handlers: Value) -> Self {
        self.config(&json!({ "hooks": { event: [{ "hooks": handlers }] } }).to_string())
    }

    /// The text of a configuration, as `--config FILE`.
    pub(crate) fn config(mut self, text: &str) -> Self {
        let file = self.folder.path().join("config.json");
        fs::write(&file, text).unwrap();
        self.config = Some(file);
        self
    }

    /// A configuration file that need not exist.
    pub(crate) fn config_file(mut self, file: &str) -> Self {
        self.config = Some(self.folder.path().join(file));
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn project(&self) -> String {
        self.path("project").to_string_lossy().into_owned()
    }

    /// The event that Claude Code would send.
    pub(crate) fn event(&self, name: &str, fields: Value) -> Value {
        let mut event = json!({
            "session_id": "s-1", "transcript_path": self.path("s-1.jsonl"), "cwd": self.project(), "hook_event_name": name,
        });
        if let (Some(event), Value::Object(fields)) = (event.as_object_mut(), fields) {
            event.extend(fields);
        }
        event
    }

    pub(crate) fn bash(&self, command: &str) -> Value {
        self.event(
            "PreToolUse",
            json!({ "permission_mode": "default", "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "t-1" }),
        )
    }

    pub(crate) fn run(&self, event: &Value) -> Ran {
        self.hookbox("run", event.to_string().as_bytes())
    }

    /// `hookbox VERB` with these bytes on stdin.
    pub(crate) fn hookbox(&self, verb: &str, stdin: &[u8]) -> Ran {
        self.behind(&["env"], verb, stdin)
    }

    /// The same, started by a command that changes its surroundings.
    pub(crate) fn behind(&self, starter: &[&str], verb: &str, stdin: &[u8]) -> Ran {
        let mut command = Command::new(starter[0]);
        command
            .args(&starter[1..])
            .arg(env!("CARGO_BIN_EXE_hookbox"))
            .arg(verb)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.folder.path()).env("XDG_CACHE_HOME", cache());
        if let Some(config) = &self.config {
            command.arg("--config").arg(config);
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that answers before it has read everything closes the pipe.
        let _ = child.stdin.take().unwrap().write_all(stdin);
        let output = child.wait_with_output().unwrap();
        Ran {
            exit: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn config_arguments(&self) -> Vec<std::ffi::OsString> {
        let config = self.config.iter();
        config.flat_map(|config| ["--config".into(), config.into()]).collect()
    }

    /// The lines of the audit.
    pub(crate) fn audit(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.path(".local/state/hookbox/audit.jsonl")).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// `hookbox serve` in this home, to be given where it listens.
pub(crate) fn serve_command(home: &Home) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hookbox"));
    command.arg("serve").args(home.config_arguments()).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("HOME", home.path("")).env("XDG_CACHE_HOME", cache());
    command
}

/// What a run gave.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) exit: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or(Value::Null)
    }

    /// The decision, as Claude Code reads it on a deciding event.
    pub(crate) fn decision(&self) -> String {
        let json = self.json();
        if self.exit == Some(2) || json["decision"] == "block" {
            return "deny".into();
        }
        json["hookSpecificOutput"]["permissionDecision"]
            .as_str()
            .unwrap_or("none")
            .into()
    }

    pub(crate) fn assert_blocked_because(&self, text: &str) {
        assert_eq!(self.exit, Some(2), "{self:?}");
        assert!(self.stderr.contains(text), "{text:?} is not in {self:?}");
    }

    pub(crate) fn assert_silent(&self) {
        assert_eq!(
            (self.exit, self.stdout.as_str(), self.stderr.as_str()),
            (Some(0), "", "")
        );
    }
}

/// A `command` handler.
pub(crate) fn command(line: &str) -> Value {
    json!({ "type": "command", "command": line })
}

/// A `wasm` handler that answers `decision` with `reason` to whatever fits `when` (the plugin `rules`).
pub(crate) fn rule(decision: &str, reason: &str, when: &Value) -> Value {
    let mut rule = json!({ "id": "test", "decision": decision, "reason": reason });
    if let (Some(rule), Some(when)) = (rule.as_object_mut(), when.as_object()) {
        rule.extend(when.clone());
    }
    json!({ "type": "wasm", "plugin": "rules", "settings": { "rules": [rule] } })
}
