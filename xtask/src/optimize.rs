//! Makes a plugin's module smaller with binaryen's `wasm-opt`: half the functions, an eighth less code. What a plugin costs
//! an event is mostly the reading of its tables, which have an entry per function.
//!
//! The very version is pinned, so that everyone gets the same bytes: binaryen's build for Node.js, from npm.

use crate::plugins::{digest, target_dir};
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const BINARYEN: &str = "132.0.0";
/// The features that the plugins are compiled with, and no other: `xtask plugins` names them to rustc too.
const FLAGS: [&str; 6] = [
    "-O3",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-mutable-globals",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
];

/// The module, optimised. What was optimised before is taken from `target`.
pub(crate) fn module(module: &[u8]) -> Result<Vec<u8>> {
    let folder = target_dir().join("optimized");
    let key = digest(format!("{BINARYEN} {FLAGS:?} {}", digest(module)).as_bytes());
    let output = folder.join(format!("{key}.wasm"));
    if let Ok(known) = fs::read(&output) {
        return Ok(known);
    }
    fs::create_dir_all(&folder)?;
    let input = folder.join(format!("{key}.input"));
    let made = folder.join(format!("{key}.output"));
    fs::write(&input, module)?;
    let status = Command::new(wasm_opt()?)
        .args(FLAGS)
        .arg(&input)
        .arg("-o")
        .arg(&made)
        .status()
        .context("wasm-opt cannot be started\nhint: it needs Node.js (`node`) on the PATH")?;
    ensure!(status.success(), "wasm-opt: {status}");
    fs::remove_file(input)?;
    // Renamed when it is whole: half a file must not be taken for a result.
    fs::rename(&made, &output)?;
    Ok(fs::read(output)?)
}

/// Where `wasm-opt` of the pinned version is; installed on first use.
fn wasm_opt() -> Result<PathBuf> {
    let folder = target_dir().join(format!("binaryen-{BINARYEN}"));
    let program = folder.join("node_modules/.bin/wasm-opt");
    if !program.is_file() {
        fs::create_dir_all(&folder)?;
        let status = Command::new("npm")
            .args([
                "install",
                "--silent",
                "--no-audit",
                "--no-fund",
                "--ignore-scripts",
                "--prefix",
            ])
            .arg(&folder)
            .arg(format!("binaryen@{BINARYEN}"))
            .status()
            .context("npm cannot be started\nhint: building the plugins needs Node.js with npm")?;
        ensure!(status.success(), "npm cannot install binaryen {BINARYEN}: {status}");
    }
    Ok(program)
}
