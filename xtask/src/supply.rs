//! `cargo xtask supply`: where the code comes from. Offline: everything is read from `cargo metadata` and the sources.
//!
//! The same rules as `deny.toml` for `cargo deny`, for machines without it; and that `unsafe` stands where it is argued.

use crate::plugins::root;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Licences that a dependency may have. An `OR` needs one of them, an `AND` all.
const LICENCES: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-1-Clause",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "OpenSSL",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "Zlib",
];
/// Crates of which two versions in one program would be two sandboxes, or two parsers that disagree.
const SINGLE: &[&str] = &[
    "wasmtime",
    "wasmtime-wasi",
    "wasmtime-environ",
    "cranelift-codegen",
    "serde_json",
    "regress",
];
/// The only files that may allow `unsafe`, each use argued there.
const UNSAFE: &[&str] = &[
    "host/cli/src/arena.rs",
    "host/cli/src/os.rs",
    "host/cli/src/start.rs",
    "host/sandbox/src/os.rs",
    "sdk/rust/src/bindings.rs",
];

pub(crate) fn run() -> Result<()> {
    let output = Command::new("cargo")
        .current_dir(root())
        .args(["metadata", "--format-version", "1", "--locked", "--all-features"])
        .output()
        .context("cargo metadata")?;
    ensure!(
        output.status.success(),
        "cargo metadata: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("no packages")?;
    let mut wrong: Vec<String> = packages.iter().filter_map(foreign).collect();
    wrong.extend(twice(packages));
    unsafe_code(&root(), &mut wrong)?;
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    println!(
        "supply: {} packages, their licences, sources and duplicates; no unsafe but where it is argued",
        packages.len()
    );
    Ok(())
}

fn text<'a>(package: &'a Value, key: &str) -> &'a str {
    package[key].as_str().unwrap_or_default()
}

/// A package of another source, or under another licence.
fn foreign(package: &Value) -> Option<String> {
    let name = format!("{} {}", text(package, "name"), text(package, "version"));
    let source = package["source"].as_str();
    if source.is_some_and(|source| source != "registry+https://github.com/rust-lang/crates.io-index") {
        return Some(format!("{name}: comes from {}", source.unwrap_or_default()));
    }
    let licence = text(package, "license");
    (source.is_some() && !allowed(licence))
        .then(|| format!("{name}: its licence {licence:?} is not among those allowed"))
}

fn allowed(licence: &str) -> bool {
    let licence = licence.replace('/', " OR ").replace(['(', ')'], "");
    !licence.trim().is_empty()
        && licence
            .split(" AND ")
            .all(|part| part.split(" OR ").any(|one| LICENCES.contains(&one.trim())))
}

fn twice(packages: &[Value]) -> Vec<String> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in packages
        .iter()
        .filter(|package| SINGLE.contains(&text(package, "name")))
    {
        versions
            .entry(text(package, "name"))
            .or_default()
            .push(text(package, "version"));
    }
    let more = versions.into_iter().filter(|(_, versions)| versions.len() > 1);
    more.map(|(name, versions)| format!("{name}: {} versions: {}", versions.len(), versions.join(", ")))
        .collect()
}

/// Files that use `unsafe`, or allow it, without being among those that may.
fn unsafe_code(folder: &Path, wrong: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .strip_prefix(root())
            .unwrap_or(&path)
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            if !matches!(name.as_str(), "target" | ".git" | "plugins/dist") {
                unsafe_code(&path, wrong)?;
            }
        } else if path.extension().is_some_and(|ending| ending == "rs") && !UNSAFE.contains(&name.as_str()) {
            let words = [
                "unsafe {",
                "unsafe fn",
                "unsafe impl",
                "unsafe extern",
                "allow(unsafe_code)",
                "global_asm!(",
            ];
            let source = fs::read_to_string(&path)?;
            let found = source.lines().position(|line| {
                let code = line.split("//").next().unwrap_or_default();
                !code.contains('"') && words.iter().any(|word| code.contains(word))
            });
            if let Some(line) = found {
                wrong.push(format!(
                    "{name}:{}: unsafe code; it belongs into {}",
                    line + 1,
                    UNSAFE[1]
                ));
            }
        }
    }
    Ok(())
}
