//! hookbox in a process that goes on: one call of a plugin, and `hookbox serve`.

use crate::plugins::root;
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// What `hookbox serve` does.
pub(super) struct Served {
    pub(super) per_second: f64,
    pub(super) p99_milliseconds: f64,
}

/// µs of a call of a plugin that does nothing, each in a fresh instance: the median of the bench of that name.
pub(super) fn warm_call() -> Result<f64> {
    let ran = Command::new("cargo")
        .current_dir(root())
        .args([
            "bench",
            "-q",
            "-p",
            "hookbox",
            "--bench",
            "parts",
            "--",
            "--noplot",
            "warm call",
        ])
        .status()?;
    ensure!(ran.success(), "the bench `parts` failed");
    let estimates = root().join("target/criterion/warm call/new/estimates.json");
    let text = fs::read_to_string(&estimates).with_context(|| estimates.display().to_string())?;
    let estimates: Value = serde_json::from_str(&text)?;
    let nanoseconds = estimates["median"]["point_estimate"].as_f64();
    Ok(nanoseconds.context("no median")? / 1e3)
}

pub(super) fn serve(_hookbox: &str, _home: &Path) -> Result<Served> {
    bail!("not measured")
}
