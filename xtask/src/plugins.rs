//! Builds the plugins of the pack into components, byte for byte the same everywhere.

use crate::optimize;
use anyhow::{Context, Result, bail, ensure};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use wasm_encoder::{ComponentSection, CustomSection, Encode};

const TARGET: &str = "wasm32-unknown-unknown";
/// What the tests compile plain programs for.
const PROGRAMS: [&str; 2] = ["wasm32-wasip1", "wasm32-wasip2"];
/// The component of several plugins: built by itself, since each of them alone has the exports that it has.
const TOGETHER: &str = "guards";
/// The custom section that holds the manifest.
const SECTION: &str = "hookbox:plugin";

/// The workspace's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap_or(Path::new("."))
        .to_path_buf()
}

/// `cargo xtask plugins [--check]`
pub(crate) fn run(args: &[String]) -> Result<()> {
    let check = match args {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => bail!("usage: cargo xtask plugins [--check]"),
    };
    let built = build()?;
    let dist = root().join("plugins/dist");
    let sums: String = built
        .iter()
        .map(|(name, wasm)| format!("{}  {name}.wasm\n", digest(wasm)))
        .collect();
    if check {
        let committed = fs::read_to_string(dist.join("SHA256SUMS")).context("plugins/dist/SHA256SUMS")?;
        ensure!(
            committed == sums,
            "plugins/dist is not what the sources give\nhint: cargo xtask plugins\n{sums}"
        );
        for (name, wasm) in &built {
            let committed = fs::read(dist.join(format!("{name}.wasm")))?;
            ensure!(
                committed == *wasm,
                "plugins/dist/{name}.wasm is not what its digest says"
            );
        }
        println!("plugins/dist: {} plugins, as the sources give them", built.len());
        return Ok(());
    }
    fs::create_dir_all(&dist)?;
    for (name, wasm) in &built {
        fs::write(dist.join(format!("{name}.wasm")), wasm)?;
        println!("{name}.wasm: {} bytes", wasm.len());
    }
    fs::write(dist.join("SHA256SUMS"), sums)?;
    Ok(())
}

/// Name → component, of every folder with a manifest.
fn build() -> Result<BTreeMap<String, Vec<u8>>> {
    let mut manifests = BTreeMap::new();
    for entry in fs::read_dir(root().join("plugins"))? {
        let folder = entry?.path();
        if let Ok(manifest) = fs::read_to_string(folder.join("plugin.json")) {
            let manifest: serde_json::Value =
                serde_json::from_str(&manifest).with_context(|| format!("{}", folder.join("plugin.json").display()))?;
            let name = folder
                .file_name()
                .context("a folder without a name")?
                .to_string_lossy()
                .into_owned();
            ensure!(
                manifest["name"] == *name,
                "plugins/{name}/plugin.json: its name is not {name}"
            );
            manifests.insert(name, manifest);
        }
    }
    ensure!(!manifests.is_empty(), "no plugins/*/plugin.json");
    let (together, alone): (Vec<&str>, Vec<&str>) =
        manifests.keys().map(String::as_str).partition(|name| *name == TOGETHER);
    compile(&alone)?;
    compile(&together)?;
    let folder = target_dir().join(TARGET).join("plugin");
    let encode = |(name, manifest): (String, serde_json::Value)| {
        let module = fs::read(folder.join(format!("{}.wasm", name.replace('-', "_"))))?;
        let wasm = component(&module, &manifest).with_context(|| format!("plugin {name}"))?;
        Ok((name, wasm))
    };
    manifests.into_iter().map(encode).collect()
}

/// A folder of its own, so that its flags do not make cargo build everything else again.
pub(crate) fn target_dir() -> PathBuf {
    root().join("target/plugins")
}

fn compile(names: &[&str]) -> Result<()> {
    let mut command = Command::new("cargo");
    command.current_dir(root()).args([
        "build",
        "--locked",
        "--quiet",
        "--profile",
        "plugin",
        "--target",
        TARGET,
    ]);
    for name in names {
        command.args(["--package", name]);
    }
    // Paths of this machine must not reach the component: they would be in its panics.
    let home = std::env::var("CARGO_HOME").or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")))?;
    let sysroot = Command::new("rustc")
        .current_dir(root())
        .args(["--print", "sysroot"])
        .output()?
        .stdout;
    let sysroot = String::from_utf8(sysroot)?;
    let flags = [
        format!("--remap-path-prefix={}=/hookbox", root().display()),
        format!("--remap-path-prefix={home}=/cargo"),
        format!("--remap-path-prefix={}=/rust", sysroot.trim()),
        "-Ctarget-feature=+bulk-memory,+mutable-globals,+sign-ext,+nontrapping-fptoint".into(),
    ];
    command
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"))
        .env("CARGO_TARGET_DIR", target_dir());
    add(TARGET)?;
    ensure!(command.status()?.success(), "the plugins cannot be built");
    Ok(())
}

/// Adds the WebAssembly targets where rustup has not got them yet.
pub(crate) fn add_target() -> Result<()> {
    [TARGET].into_iter().chain(PROGRAMS).try_for_each(add)
}

fn add(target: &str) -> Result<()> {
    let libdir = Command::new("rustc")
        .current_dir(root())
        .args(["--print", "target-libdir", "--target", target])
        .output()?;
    if Path::new(String::from_utf8(libdir.stdout)?.trim()).is_dir() {
        return Ok(());
    }
    let added = Command::new("rustup")
        .current_dir(root())
        .args(["target", "add", target])
        .status();
    let hint = format!("hint: rustup target add {target}, or install your system's package of it");
    ensure!(
        added.is_ok_and(|status| status.success()),
        "the target {target} is missing\n{hint}"
    );
    Ok(())
}

/// Makes a component of a core module and puts the manifest into it.
fn component(module: &[u8], manifest: &serde_json::Value) -> Result<Vec<u8>> {
    let mut wasm = wit_component::ComponentEncoder::default()
        .validate(true)
        .module(&without_names(&optimize::module(module)?)?)?
        .encode()?;
    let data = serde_json::to_vec(manifest)?;
    let section = CustomSection {
        name: SECTION.into(),
        data: data.into(),
    };
    wasm.push(ComponentSection::id(&section));
    section.encode(&mut wasm);
    Ok(wasm)
}

/// A module without the names of its functions, which the compiled plugin would carry along: not every profile strips them.
fn without_names(module: &[u8]) -> Result<Vec<u8>> {
    let (header, mut rest) = module.split_at_checked(8).context("not a module")?;
    let mut kept = header.to_vec();
    while let Some((_, after_id)) = rest.split_first() {
        // The size, in LEB128; a custom section (id 0) begins with its name.
        let digits = 1 + after_id.iter().position(|byte| byte & 0x80 == 0).context("cut off")?;
        let size = after_id
            .iter()
            .take(digits)
            .rev()
            .fold(0, |size, byte| size << 7 | usize::from(byte & 0x7f));
        let (section, next) = rest.split_at_checked(1 + digits + size).context("cut off")?;
        if !(section.starts_with(&[0]) && section[1 + digits..].starts_with(b"\x04name")) {
            kept.extend(section);
        }
        rest = next;
    }
    Ok(kept)
}

pub(crate) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
