//! `cargo xtask fuzz [SECONDS] [TARGET…]`: every fuzz target for a while, from the committed seeds.

use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::plugins::root;

const TARGETS: [&str; 6] = ["codec", "configuration", "matcher", "condition", "shell", "protocol"];
/// Seconds per target: enough that a fault that any input shows is found.
const SMOKE: u64 = 20;
/// Seconds that one input may take, and MiB of memory. Seconds of the wall: a busy machine stands still for more than ten.
const LIMITS: [&str; 2] = ["-timeout=60", "-rss_limit_mb=2048"];

pub(crate) fn run(args: &[String]) -> Result<()> {
    let (seconds, named) = match args.split_first() {
        Some((first, rest)) if first.parse::<u64>().is_ok() => (first.parse()?, rest),
        _ => (SMOKE, args),
    };
    for name in named {
        ensure!(
            TARGETS.contains(&name.as_str()),
            "{name}: no such target\nhint: one of {}",
            TARGETS.join(", ")
        );
    }
    let installed = Command::new("cargo")
        .args(["fuzz", "--version"])
        .output()
        .is_ok_and(|output| output.status.success());
    ensure!(installed, "cargo-fuzz is not installed\nhint: cargo install cargo-fuzz");
    let mut failed = Vec::new();
    for target in TARGETS
        .into_iter()
        .filter(|target| named.is_empty() || named.iter().any(|name| name == target))
    {
        println!("{target}: {seconds} s");
        let (corpus, seeds) = (format!("fuzz/corpus/{target}"), format!("fuzz/seeds/{target}"));
        std::fs::create_dir_all(root().join(&corpus)).context(corpus.clone())?;
        let status = Command::new("cargo")
            .current_dir(root())
            .args(["+nightly", "fuzz", "run", target, &corpus, &seeds, "--"])
            .arg(format!("-max_total_time={seconds}"))
            .args(LIMITS)
            .status()
            .context("cargo fuzz")?;
        if !status.success() {
            failed.push(target);
        }
    }
    if !failed.is_empty() {
        bail!(
            "found faults: {}\nhint: the inputs are in fuzz/artifacts",
            failed.join(", ")
        );
    }
    Ok(())
}
