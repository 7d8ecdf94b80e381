//! `cargo xtask agents`: the end-to-end tests with real clients (`tests/agents`), which need Python 3, npm and, for a network of their own, root.

use crate::generate;
use crate::plugins::root;
use anyhow::{Context, Result, bail, ensure};
use std::path::PathBuf;
use std::process::Command;

const USAGE: &str = "\
usage: cargo xtask agents [CLIENTS] [--release] [--docs] [--may-skip] [--only TEXT] [--jobs N] [--cache FOLDER] [--keep FOLDER]

  CLIENTS      codex,gemini,claude,qwen,copilot,opencode, or some of them
  --release    with the released program instead of the one that tests use
  --docs       keep the table in docs/agents.md
  --may-skip   where none of the clients can be installed, say so and pass";

/// What `run.py` ends with where no client could be installed.
const NONE_INSTALLED: i32 = 2;

/// Builds the program and runs the scenarios. The rest of the arguments goes to `run.py`.
pub(crate) fn run(rest: &[String]) -> Result<()> {
    let (mut release, mut docs, mut may_skip) = (false, false, false);
    let mut passed_on = Vec::new();
    let mut clients = None;
    let mut rest = rest.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "--release" => release = true,
            "--docs" => docs = true,
            "--may-skip" => may_skip = true,
            "--only" | "--jobs" | "--cache" | "--keep" => {
                passed_on.extend([arg.clone(), rest.next().context(USAGE)?.clone()]);
            }
            flag if flag.starts_with('-') => bail!("{USAGE}"),
            names if clients.is_none() => clients = Some(names.to_owned()),
            _ => bail!("{USAGE}"),
        }
    }
    for program in ["python3", "npm", "node"] {
        if Command::new(program).arg("--version").output().is_err() {
            let message = format!("no client can be tried: `{program}` is missing");
            ensure!(may_skip, message);
            println!("SKIPPED: {message}");
            return Ok(());
        }
    }
    let table = root().join("target/agents.md");
    let mut tests = Command::new("python3");
    tests.arg(root().join("tests/agents/run.py")).arg(build(release)?);
    if let Some(clients) = clients {
        tests.args(["--clients", &clients]);
    }
    let status = tests
        .arg("--table")
        .arg(&table)
        .args(passed_on)
        .status()
        .context("python3")?;
    if status.code() == Some(NONE_INSTALLED) && may_skip {
        println!("SKIPPED: none of the clients can be installed here, so none was tried");
        return Ok(());
    }
    ensure!(
        status.success(),
        "a client differs from what tests/agents/scenarios.py says, or none could be installed"
    );
    if docs {
        generate::put_clients(&std::fs::read_to_string(&table)?)?;
    }
    Ok(())
}

/// The program: as `cargo xtask test` builds it, so that CI builds nothing twice.
fn build(release: bool) -> Result<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(root())
        .args(["build", "--package", "hookbox-cli", "--all-features"]);
    if release {
        cargo.arg("--release");
    }
    ensure!(cargo.status().context("cargo")?.success(), "the program does not build");
    let profile = if release { "release" } else { "debug" };
    Ok(root().join("target").join(profile).join("hookbox"))
}
