//! `cargo xtask bench [RUNS]`: whole processes side by side in one run, interleaved; medians, and ratios to `sh -c true`.
//!
//! Times of a shared machine mean little by themselves, so only ratios have budgets. Exits with 1 where one is missed.

use crate::plugins::root;
use anyhow::{Context, Result, ensure};
use serde_json::json;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// One thing that is timed.
struct Subject {
    name: &'static str,
    argv: Vec<String>,
    event: PathBuf,
    times: Vec<Duration>,
}

impl Subject {
    fn new(name: &'static str, argv: &[&str], event: &Path) -> Self {
        let argv = argv.iter().map(ToString::to_string).collect();
        Subject {
            name,
            argv,
            event: event.to_path_buf(),
            times: Vec::new(),
        }
    }

    fn run(&self, home: &Path) -> Result<Duration> {
        let (program, args) = self.argv.split_first().context("no program")?;
        let mut command = Command::new(program);
        command
            .args(args)
            .env_clear()
            .env("HOME", home)
            .env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
            .stdin(File::open(&self.event)?)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let begun = Instant::now();
        let status = command.status().with_context(|| self.name)?;
        let took = begun.elapsed();
        ensure!(status.success(), "{}: an everyday event ended with {status}", self.name);
        Ok(took)
    }

    fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort();
        times.get(times.len() / 2).map_or(f64::NAN, Duration::as_secs_f64)
    }
}

/// What is divided by what, and at most how much it may be.
const BUDGETS: &[(&str, &str, f64)] = &[
    ("1 plugin", "sh -c true", 1.7),
    ("pack", "sh -c true", 2.2),
    ("pack", "python hook", 0.08),
    ("pack", "bash + jq hook", 0.6),
    ("pack, 1 MiB event", "pack", 4.0),
];

const PYTHON: &str =
    "import json,sys; e=json.load(sys.stdin); sys.exit(2 if 'rm -rf' in e['tool_input']['command'] else 0)";
const JQ: &str = "c=$(jq -r .tool_input.command); [[ $c == *'rm -rf'* ]] && exit 2; exit 0";

pub(crate) fn run(args: &[String]) -> Result<()> {
    let runs: usize = args
        .first()
        .map_or(Ok(60), |runs| runs.parse())
        .context("usage: cargo xtask bench [RUNS]")?;
    let built = Command::new("cargo")
        .current_dir(root())
        .args(["build", "--release", "-p", "hookbox-cli"])
        .status()?;
    ensure!(built.success(), "the program cannot be built");
    let folder = root().join("target/bench");
    let home = folder.join("home");
    fs::create_dir_all(&home)?;
    let mut subjects = subjects(&folder)?;
    for subject in &subjects {
        // The first run prepares plugins, the second finds them.
        let cold = subject.run(&home)?;
        subject.run(&home)?;
        println!("{}: first run {:.1} ms", subject.name, cold.as_secs_f64() * 1e3);
    }
    for _ in 0..runs {
        for subject in &mut subjects {
            let took = subject.run(&home)?;
            subject.times.push(took);
        }
    }
    for subject in &subjects {
        println!("{}: {:.2} ms", subject.name, subject.median() * 1e3);
    }
    let median = |name: &str| {
        subjects
            .iter()
            .find(|subject| subject.name == name)
            .map(Subject::median)
    };
    let mut missed = 0;
    for (what, by, budget) in BUDGETS {
        let (Some(a), Some(b)) = (median(what), median(by)) else {
            continue;
        };
        let verdict = if a / b <= *budget { "met" } else { "missed" };
        missed += usize::from(a / b > *budget);
        println!("{what} ÷ {by}: {:.2} (budget {budget}) {verdict}", a / b);
    }
    ensure!(missed == 0, "{missed} budgets missed");
    Ok(())
}

fn subjects(folder: &Path) -> Result<Vec<Subject>> {
    let hookbox = root().join("target/release/hookbox").to_string_lossy().into_owned();
    let small = event(
        folder,
        "small.json",
        "Bash",
        &json!({ "command": "git status && ls -la src" }),
    )?;
    let content = json!({ "file_path": "/home/user/demo/a.txt", "content": "x = 1\n".repeat(170_000) });
    let large = event(folder, "large.json", "Write", &content)?;
    let one = folder.join("one.json");
    let handlers = json!([{ "matcher": "Bash", "hooks": [{ "type": "wasm", "plugin": "guard-commands" }] }]);
    fs::write(&one, json!({ "hooks": { "PreToolUse": handlers } }).to_string())?;
    let one = one.to_string_lossy().into_owned();
    let mut subjects = vec![
        Subject::new("sh -c true", &["sh", "-c", "true"], &small),
        Subject::new("1 plugin", &[&hookbox, "run", "--config", &one], &small),
        Subject::new("pack", &[&hookbox, "run"], &small),
        Subject::new("pack, 1 MiB event", &[&hookbox, "run"], &large),
        Subject::new("python hook", &["python3", "-c", PYTHON], &small),
    ];
    if Command::new("jq").arg("--version").output().is_ok() {
        subjects.push(Subject::new("bash + jq hook", &["bash", "-c", JQ], &small));
    }
    Ok(subjects)
}

fn event(folder: &Path, name: &str, tool: &str, input: &serde_json::Value) -> Result<PathBuf> {
    let file = folder.join(name);
    let event = json!({
        "session_id": "s", "transcript_path": "/home/user/s.jsonl", "cwd": "/home/user/demo", "permission_mode": "default",
        "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "t",
    });
    fs::write(&file, event.to_string())?;
    Ok(file)
}
