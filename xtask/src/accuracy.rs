//! `cargo xtask accuracy`: labelled commands through the real components, with the rule that decided and every row that
//! differs. A row is `{"command", "expected": deny | block | allow | delegate, "file" or "src", "cwd"}`; other labels are
//! left out. `docs/accuracy.md` argues the rows that differ.

use crate::plugins::root;
use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

const USAGE: &str = "usage: cargo xtask accuracy [--hookbox PROGRAM] [--show-all] FILE.jsonl…";
/// Processes at once.
const WORKERS: usize = 4;
/// The session's folder, where a row names none.
const CWD: &str = "/home/user/demo";

/// One labelled command.
#[derive(Debug)]
struct Row {
    source: String,
    command: String,
    cwd: String,
    /// Whether it must not pass.
    must_stop: bool,
}

/// What hookbox made of it.
#[derive(Debug, Default)]
struct Judged {
    stopped: bool,
    /// `plugin/rule` of each handler that stopped it.
    rules: Vec<String>,
}

/// Counts of rows, and of those that were stopped.
#[derive(Debug, Default)]
struct Count {
    rows: usize,
    stopped: usize,
}

impl Count {
    fn add(&mut self, stopped: bool) {
        self.rows += 1;
        self.stopped += usize::from(stopped);
    }
}

/// `cargo xtask accuracy FILE…`
pub(crate) fn run(args: &[String]) -> Result<()> {
    let (mut program, mut files, mut show_all) = (None, Vec::new(), false);
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--hookbox" => program = Some(PathBuf::from(args.next().context(USAGE)?)),
            "--show-all" => show_all = true,
            flag if flag.starts_with('-') => bail!("{USAGE}"),
            file => files.push(PathBuf::from(file)),
        }
    }
    ensure!(!files.is_empty(), USAGE);
    let program = match program {
        Some(program) => program,
        None => build()?,
    };
    let mut rows = Vec::new();
    for file in &files {
        rows.extend(read(file)?);
    }
    let home = root().join("target/accuracy-home");
    fs::create_dir_all(&home)?;
    let judged = judge_all(&program, &home, &rows)?;
    report(&rows, &judged, show_all);
    Ok(())
}

fn build() -> Result<PathBuf> {
    let status = Command::new("cargo")
        .current_dir(root())
        .args(["build", "--release", "--quiet", "--package", "hookbox-cli"])
        .status()?;
    ensure!(status.success(), "hookbox cannot be built");
    Ok(root().join("target/release/hookbox"))
}

fn read(file: &Path) -> Result<Vec<Row>> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    let mut seen = BTreeSet::new();
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let at = || format!("{}:{}", file.display(), index + 1);
        let row: Value = serde_json::from_str(line).with_context(at)?;
        let field = |name: &str| row.get(name).and_then(Value::as_str);
        let must_stop = match field("expected").with_context(|| format!("{}: no `expected`", at()))? {
            "deny" | "block" => true,
            "allow" | "delegate" => false,
            _ => continue,
        };
        let command = field("command").with_context(|| format!("{}: no `command`", at()))?;
        let source = field("src").or_else(|| field("file")).unwrap_or("rows");
        let source = source.split(':').next().unwrap_or(source).to_string();
        if seen.insert((source.clone(), command.to_string())) {
            let cwd = field("cwd").unwrap_or(CWD).to_string();
            rows.push(Row {
                source,
                command: command.into(),
                cwd,
                must_stop,
            });
        }
    }
    Ok(rows)
}

fn judge_all(program: &Path, home: &Path, rows: &[Row]) -> Result<Vec<Judged>> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<(usize, Judged)>> {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(row) = rows.get(index) else { return Ok(done) };
            done.push((index, judge(program, home, row).with_context(|| row.command.clone())?));
        }
    };
    let mut judged: Vec<Judged> = rows.iter().map(|_| Judged::default()).collect();
    std::thread::scope(|scope| -> Result<()> {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            let done = worker.join().ok().context("a worker stopped")??;
            done.into_iter().for_each(|(index, verdict)| judged[index] = verdict);
        }
        Ok(())
    })?;
    Ok(judged)
}

/// One event through `hookbox explain`, which decides as `hookbox run` does, with the pack's defaults.
fn judge(program: &Path, home: &Path, row: &Row) -> Result<Judged> {
    let event = json!({
        "session_id": "s-1", "transcript_path": "/home/user/.claude/projects/demo/s-1.jsonl", "cwd": row.cwd,
        "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": row.command}, "tool_use_id": "toolu_0001",
    });
    let mut child = Command::new(program)
        .args(["explain", "--json"])
        .env_clear()
        .env("HOME", home)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    child
        .stdin
        .take()
        .context("stdin")?
        .write_all(event.to_string().as_bytes())?;
    let output = child.wait_with_output()?;
    let told: Value = serde_json::from_slice(&output.stdout).context("the answer of hookbox explain")?;
    if !told["fault"].is_null() {
        // What the host cannot judge it blocks: to the user of that row it is stopped.
        return Ok(Judged {
            stopped: true,
            rules: vec!["host".into()],
        });
    }
    let stops = |decision: &Value| matches!(decision.as_str(), Some("deny" | "ask" | "defer"));
    let handlers = told["handlers"].as_array().map(Vec::as_slice).unwrap_or_default();
    if let Some(failed) = handlers.iter().find(|handler| !handler["failure"].is_null()) {
        bail!("{} failed: {}", failed["handler"], failed["failure"]);
    }
    let rule = |handler: &Value| {
        let text = |name: &str| handler[name].as_str().unwrap_or("?").to_string();
        format!("{}/{}", text("handler"), text("rule"))
    };
    let rules = handlers
        .iter()
        .filter(|handler| stops(&handler["decision"]))
        .map(rule)
        .collect();
    Ok(Judged {
        stopped: stops(&told["outcome"]["decision"]),
        rules,
    })
}

fn report(rows: &[Row], judged: &[Judged], show_all: bool) {
    let mut sources: BTreeMap<&str, [Count; 2]> = BTreeMap::new();
    let mut rules: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    let mut all = [Count::default(), Count::default()];
    for (row, verdict) in rows.iter().zip(judged) {
        let side = usize::from(!row.must_stop);
        sources.entry(&row.source).or_default()[side].add(verdict.stopped);
        all[side].add(verdict.stopped);
        for rule in &verdict.rules {
            rules.entry(rule).or_default()[side] += 1;
        }
    }
    println!("rows that differ:");
    for (row, verdict) in rows.iter().zip(judged) {
        if verdict.stopped != row.must_stop || show_all {
            let what = if verdict.stopped { "stopped" } else { "passed" };
            println!(
                "  {what}  {}  {}  [{}]",
                row.command.replace('\n', "\\n"),
                verdict.rules.join(", "),
                row.source
            );
        }
    }
    println!("\nby rule (rightly, wrongly):");
    for (rule, [right, wrong]) in &rules {
        println!("  {right:5} {wrong:3}  {rule}");
    }
    println!("\nby source:");
    for (source, counts) in &sources {
        println!("  {source}: {}", figures(counts));
    }
    println!("\nall: {}", figures(&all));
}

fn figures([stop, pass]: &[Count; 2]) -> String {
    let percent = |count: &Count| 100.0 * count.stopped as f64 / count.rows.max(1) as f64;
    format!(
        "stopped {}/{} of what must not pass ({:.1} %), {}/{} of what must pass ({:.2} %)",
        stop.stopped,
        stop.rows,
        percent(stop),
        pass.stopped,
        pass.rows,
        percent(pass)
    )
}
