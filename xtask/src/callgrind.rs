//! `cargo xtask instructions [--check] [--dev] [--may-skip]` and `cargo xtask order`: what the program executes for an event, by
//! valgrind's callgrind. Instructions are the same on a busy machine, where times are not. `--dev` counts those of the
//! development build, which every clean clone makes anyway.
//!
//! `order` writes `host/cli/order.txt`: the functions that events need, which the linker then puts side by side. A page
//! fault maps 64 KiB of the program, and what one event executes lies scattered over sixteen MiB. A name that is not in the
//! program any more is passed over; after larger changes or a new compiler the list is worth making anew.

use crate::plugins::root;
use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Where the counts stand that `--check` compares with.
const COUNTS: &str = "host/cli/instructions.json";
/// Where the order stands.
const ORDER: &str = "host/cli/order.txt";
/// A count may grow by this part until somebody writes down that it did.
const GROWTH: f64 = 0.05;

/// One run: its name, its configuration (none: the pack's defaults), its event.
struct Case {
    name: &'static str,
    config: Option<Value>,
    event: Value,
}

fn cases() -> Vec<Case> {
    let call = |tool: &str, input: Value| {
        json!({
            "session_id": "s", "transcript_path": "/home/user/s.jsonl", "cwd": "/home/user/demo", "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "t",
        })
    };
    let bash = |command: &str| call("Bash", json!({ "command": command }));
    let small = bash("git status && ls -la src");
    let one = json!([{ "matcher": "Bash", "hooks": [{ "type": "wasm", "plugin": "guard-commands" }] }]);
    let mut after = bash("ls");
    after["hook_event_name"] = json!("PostToolUse");
    after["tool_response"] = json!({ "stdout": "a\nb", "stderr": "" });
    let case = |name, config, event| Case { name, config, event };
    vec![
        case(
            "no handler",
            Some(json!({ "hooks": { "PreToolUse": [] } })),
            small.clone(),
        ),
        case(
            "1 plugin",
            Some(json!({ "hooks": { "PreToolUse": one } })),
            small.clone(),
        ),
        case("pack", None, small),
        case(
            "pack, denied",
            None,
            bash("cd /tmp && sudo rm -rf ~/x | grep \"a b\" > out.txt; for i in 1 2; do echo $i; done"),
        ),
        case(
            "pack, Write",
            None,
            call(
                "Write",
                json!({ "file_path": "/home/user/demo/a.txt", "content": "x = 1\n" }),
            ),
        ),
        case(
            "pack, Read",
            None,
            call("Read", json!({ "file_path": "/home/user/demo/.env" })),
        ),
        case("pack, PostToolUse", None, after),
    ]
}

/// What callgrind saw of a case.
struct Seen {
    name: &'static str,
    instructions: u64,
    functions: Vec<String>,
}

/// Instructions of each case, by name.
#[derive(Serialize, Deserialize)]
struct Counts {
    release: BTreeMap<String, u64>,
    dev: BTreeMap<String, u64>,
}

pub(crate) fn instructions(args: &[String]) -> Result<()> {
    let [mut check, mut dev, mut may_skip] = [false; 3];
    for arg in args {
        match arg.as_str() {
            "--check" => check = true,
            "--dev" => dev = true,
            "--may-skip" => may_skip = true,
            _ => bail!("usage: cargo xtask instructions [--check] [--dev] [--may-skip]"),
        }
    }
    if may_skip && Command::new("valgrind").arg("--version").output().is_err() {
        println!("skipped: there is no valgrind on the PATH");
        return Ok(());
    }
    let known = root().join(COUNTS);
    let program = if dev {
        built_for_development()?
    } else {
        built_for_release()?
    };
    let counts: BTreeMap<String, u64> = seen(&program)?
        .into_iter()
        .map(|seen| (seen.name.to_owned(), seen.instructions))
        .collect();
    let mut all: Counts = serde_json::from_str(&fs::read_to_string(&known).context(COUNTS)?).context(COUNTS)?;
    let before = if dev { &mut all.dev } else { &mut all.release };
    if !check {
        *before = counts;
        return fs::write(&known, serde_json::to_string_pretty(&all)? + "\n").context(COUNTS);
    }
    let mut grown = Vec::new();
    for (name, count) in &counts {
        let budget = *before.get(name).with_context(|| format!("{COUNTS}: no {name:?}"))?;
        let change = *count as f64 / budget as f64 - 1.0;
        println!("{name}: {count} instructions ({:+.1} % of {budget})", change * 100.0);
        if change > GROWTH {
            grown.push(name.as_str());
        }
    }
    ensure!(
        grown.is_empty(),
        "more than 5 % more instructions: {}\nhint: if it is worth it, write it down with `cargo xtask instructions`",
        grown.join(", ")
    );
    Ok(())
}

pub(crate) fn order() -> Result<()> {
    let mut known = HashSet::new();
    let mut text = String::new();
    for name in seen(&built_for_release()?)?.into_iter().flat_map(|seen| seen.functions) {
        // Functions of the plugins, and what has no name.
        let ours = !name.starts_with("0x") && !name.contains([' ', '[', ':']);
        if ours && known.insert(name.clone()) {
            text.push_str(&name);
            text.push('\n');
        }
    }
    fs::write(root().join(ORDER), text).context(ORDER)
}

fn seen(program: &Path) -> Result<Vec<Seen>> {
    let folder = root().join("target/callgrind");
    let home = folder.join("home");
    fs::create_dir_all(&home)?;
    cases().iter().map(|case| run(case, program, &folder, &home)).collect()
}

/// The released program with its functions' names.
fn built_for_release() -> Result<PathBuf> {
    let built = Command::new("cargo")
        .current_dir(root())
        .args([
            "rustc",
            "--release",
            "-p",
            "hookbox-cli",
            "--bin",
            "hookbox",
            "--",
            "-C",
            "strip=debuginfo",
        ])
        .status()?;
    ensure!(built.success(), "the program cannot be built");
    Ok(root().join("target/release/hookbox"))
}

fn built_for_development() -> Result<PathBuf> {
    let built = Command::new("cargo")
        .current_dir(root())
        .args(["build", "--quiet", "-p", "hookbox-cli"])
        .status()?;
    ensure!(built.success(), "the program cannot be built");
    Ok(root().join("target/debug/hookbox"))
}

fn run(case: &Case, program: &Path, folder: &Path, home: &Path) -> Result<Seen> {
    let (event, out) = (folder.join("event.json"), folder.join("callgrind.out"));
    fs::write(&event, case.event.to_string())?;
    let mut args = vec!["run".to_string()];
    if let Some(config) = &case.config {
        let file = folder.join("config.json");
        fs::write(&file, config.to_string())?;
        args.extend(["--config".to_string(), file.to_string_lossy().into_owned()]);
    }
    let start = |command: &mut Command| -> Result<()> {
        let status = command
            .args(&args)
            .env_clear()
            .env("HOME", home)
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .stdin(File::open(&event)?)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .context("valgrind (Debian's package `valgrind`)")?;
        ensure!(
            matches!(status.code(), Some(0 | 2)),
            "{}: it ended with {status}",
            case.name
        );
        Ok(())
    };
    // The first run prepares the plugins.
    start(&mut Command::new(program))?;
    let mut callgrind = Command::new("valgrind");
    callgrind.args(["-q", "--tool=callgrind", "--demangle=no"]);
    callgrind
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(program);
    start(&mut callgrind)?;
    let text = fs::read_to_string(&out)?;
    let total = text.lines().find_map(|line| line.strip_prefix("summary: "));
    let Some(instructions) = total.and_then(|total| total.trim().parse().ok()) else {
        bail!("{}: callgrind gave no sum", case.name);
    };
    // `fn=(12) name` where a function is named first, `fn=(12)` after that; a recursive one has `'2` behind its name.
    let functions = text.lines().filter_map(|line| {
        let name = line
            .strip_prefix("fn=")
            .or_else(|| line.strip_prefix("cfn="))?
            .split_once(") ")?
            .1;
        Some(name.split('\'').next().unwrap_or(name).to_string())
    });
    Ok(Seen {
        name: case.name,
        instructions,
        functions: functions.collect(),
    })
}
