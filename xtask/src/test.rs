//! `cargo xtask test` and `cargo xtask check`: what CI runs is what people run.

use crate::plugins::root;
use anyhow::{Context, Result, ensure};
use std::process::Command;

fn cargo(args: &[&str]) -> Result<()> {
    println!("$ cargo {}", args.join(" "));
    let status = Command::new("cargo")
        .current_dir(root())
        .args(args)
        .status()
        .context("cargo")?;
    ensure!(status.success(), "cargo {} failed", args.join(" "));
    Ok(())
}

/// The program that tests from outside run, with the features that the tests' own build gives it.
pub(crate) const PROGRAM: &[&str] = &["build", "--workspace", "--all-features", "--bin", "hookbox"];
/// The suites whose runs are pages of the docs.
pub(crate) const SUITES: &[&str] = &[
    "test",
    "--workspace",
    "--all-features",
    "--test",
    "hostile",
    "--test",
    "faults",
];

/// The hostile guests and everything that can break, with the two tables.
pub(crate) fn hostile() -> Result<()> {
    cargo(PROGRAM)?;
    cargo(&[SUITES, &["--", "--nocapture"]].concat())
}

/// Builds the guests that tests run and runs every test.
pub(crate) fn test(rest: &[String]) -> Result<()> {
    crate::plugins::add_target()?;
    // Tests from outside run the program that lies beside them.
    cargo(PROGRAM)?;
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    let nextest = Command::new("cargo")
        .args(["nextest", "--version"])
        .output()
        .is_ok_and(|o| o.status.success());
    if nextest {
        cargo(
            &[
                &["nextest", "run", "--workspace", "--all-features", "--no-fail-fast"],
                &rest[..],
            ]
            .concat(),
        )?;
        return cargo(&["test", "--workspace", "--all-features", "--doc", "--quiet"]);
    }
    cargo(&[&["test", "--workspace", "--all-features", "--no-fail-fast"], &rest[..]].concat())
}

/// Formatting, clippy with warnings as errors, generated files.
pub(crate) fn check() -> Result<()> {
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--",
        "-D",
        "warnings",
    ])?;
    crate::supply::run()?;
    crate::generate::run(&["--check".into()])?;
    crate::plugins::run(&["--check".into()])
}
