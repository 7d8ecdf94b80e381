//! A user, a project and the program `hookbox`, for tests from outside; and plugins made from a few lines of WebAssembly.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

pub mod guest;
pub mod template;

use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A guard against deadlocks alone: no test passes or fails by how long anything takes.
const HANGS: Duration = Duration::from_secs(300);

/// A home and a project of their own.
pub struct Place {
    folder: tempfile::TempDir,
    runs: AtomicUsize,
}

/// How a program ended.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub signal: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    /// The lines that this run added to the audit.
    pub audit: Vec<Value>,
    /// KiB that it, or a child of it, had in memory at most.
    pub peak: u64,
}

impl Ran {
    /// The audit's result of one handler, by its place among those of the event.
    pub fn result(&self, at: usize) -> Value {
        let mut results = self.audit.iter().filter(|line| line["type"] == "hook/result");
        results.nth(at).cloned().unwrap_or(Value::Null)
    }
}

/// The program under test: `$HOOKBOX`, or the one that was built beside this test.
pub fn program() -> PathBuf {
    std::env::var_os("HOOKBOX").map_or_else(
        || {
            let test = std::env::current_exe().expect("this test");
            let program = test.ancestors().nth(2).expect("target").join("hookbox");
            assert!(
                program.is_file(),
                "{} is missing\nhint: cargo build -p hookbox-cli",
                program.display()
            );
            program
        },
        PathBuf::from,
    )
}

impl Default for Place {
    fn default() -> Self {
        Self::new()
    }
}

impl Place {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["home", "project"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        Place {
            folder,
            runs: AtomicUsize::new(0),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn home(&self) -> PathBuf {
        self.path("home")
    }

    pub fn project(&self) -> PathBuf {
        self.path("project")
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(&path, content).expect("a file");
        path
    }

    /// The user's configuration.
    pub fn configure(&self, config: &Value) {
        self.write("home/.config/hookbox/hooks.json", config.to_string());
    }

    /// `hookbox ARGS` with this home and no other variables but `PATH`.
    pub fn command(&self, args: &[&str]) -> Command {
        self.other(program(), args)
    }

    pub fn other(&self, program: impl AsRef<std::ffi::OsStr>, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.args(args).env_clear().current_dir(self.project());
        command
            .env("HOME", self.home())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
    }

    /// `hookbox run` on the event, to its end.
    pub fn run(&self, event: &Value) -> Ran {
        self.end(self.command(&["run"]), event.to_string().as_bytes())
    }

    /// Starts the command with `stdin`, waits for its end and takes what it added to the audit.
    pub fn end(&self, mut command: Command, stdin: &[u8]) -> Ran {
        let state = self.path(&format!("state-{}", self.runs.fetch_add(1, Ordering::Relaxed)));
        if !command.get_envs().any(|(name, _)| name == "XDG_STATE_HOME") {
            command.env("XDG_STATE_HOME", &state);
        }
        let mut ran = end(start(command), stdin);
        let audit = fs::read_to_string(state.join("hookbox/audit.jsonl")).unwrap_or_default();
        ran.audit = audit
            .lines()
            .map(|line| serde_json::from_str(line).expect("a line of the audit"))
            .collect();
        ran
    }

    /// An event of a tool call, as Claude Code sends it.
    pub fn tool_event(&self, name: &str, command: &str) -> Value {
        json!({
            "session_id": "s1", "transcript_path": "/tmp/t.jsonl", "cwd": self.project(), "hook_event_name": name,
            "tool_name": "Bash", "tool_input": { "command": command }, "tool_use_id": "u1",
        })
    }
}

pub fn start(mut command: Command) -> Child {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// Writes `stdin` and waits for the end.
pub fn end(mut child: Child, stdin: &[u8]) -> Ran {
    let mut to = child.stdin.take();
    let (mut out, mut err) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        scope.spawn(move || to.as_mut().map(|to| to.write_all(stdin)));
        let out = scope.spawn(move || text(out.as_mut()));
        let err = scope.spawn(move || text(err.as_mut()));
        let begun = Instant::now();
        let mut peak = 0;
        let status = loop {
            peak = peak.max(memory(child.id()));
            if let Some(status) = child.try_wait().expect("its end") {
                break status;
            }
            if begun.elapsed() > HANGS {
                let _ = child.kill();
                panic!("it hangs");
            }
            thread::sleep(Duration::from_millis(5));
        };
        Ran {
            code: status.code(),
            signal: status.signal(),
            stdout: out.join().expect("stdout"),
            stderr: err.join().expect("stderr"),
            audit: Vec::new(),
            peak,
        }
    })
}

/// KiB that a process, or a child of it, had in memory at most until now.
fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let own = status.lines().find_map(|line| {
        line.strip_prefix("VmHWM:")?
            .trim()
            .strip_suffix(" kB")?
            .trim()
            .parse()
            .ok()
    });
    children(process).into_iter().map(memory).max().max(own).unwrap_or(0)
}

/// The children of a process, by whichever of its threads they were started.
pub fn children(process: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{process}/task"))
        .into_iter()
        .flatten()
        .flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace()
                .filter_map(|child| child.parse().ok())
                .collect::<Vec<_>>()
        })
        .collect()
}

fn text(pipe: Option<&mut impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        pipe.read_to_end(&mut bytes).expect("what it says");
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Compares a generated page with what stands in the repository, or writes it where `HOOKBOX_GENERATE` is set
/// (`cargo xtask generate`).
pub fn page(name: &str, content: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(name);
    if std::env::var_os("HOOKBOX_GENERATE").is_some() {
        fs::write(&path, content).expect("the page");
    } else {
        let stands = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            stands == content,
            "docs/{name} is not what the run gives\nhint: cargo xtask generate\n{content}"
        );
    }
}
