//! `cargo xtask agents`: the end-to-end tests with real clients (`tests/agents`), which need Python 3, npm and, for a network of their own, root.

use crate::plugins::root;
use anyhow::{Context, Result, ensure};
use std::process::Command;

/// Builds the program and runs the scenarios. The first argument may be a list of clients (`codex,gemini`); the rest goes to `run.py`.
pub(crate) fn run(rest: &[String]) -> Result<()> {
    let built = Command::new("cargo")
        .current_dir(root())
        .args(["build", "--release", "-p", "hookbox-cli"])
        .status()
        .context("cargo")?;
    ensure!(built.success(), "the program does not build");
    let mut tests = Command::new("python3");
    tests
        .arg(root().join("tests/agents/run.py"))
        .arg(root().join("target/release/hookbox"));
    let mut rest = rest.iter().peekable();
    if let Some(clients) = rest.next_if(|first| !first.starts_with("--")) {
        tests.args(["--clients", clients]);
    }
    let status = tests.args(rest).status().context("python3")?;
    ensure!(
        status.success(),
        "a client differs from what tests/agents/scenarios.py says, or none could be installed"
    );
    Ok(())
}
