//! Takes the components of `plugins/dist` into the program, with their digests. Without them there is no program: one with an
//! empty pack would block every event.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// The component that is several plugins.
const TOGETHER: &str = "guards";

fn main() {
    // Asked for at run time: a build folder may have moved since this was compiled.
    let dist = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../plugins/dist");
    let sums = dist.join("SHA256SUMS");
    println!("cargo::rerun-if-changed={}", sums.display());
    let (mut table, mut together) = (Vec::new(), String::new());
    let lines = match fs::read_to_string(&sums) {
        Ok(lines) if !lines.trim().is_empty() => lines,
        Ok(_) => return println!("cargo::error={} names no plugin: cargo xtask plugins", sums.display()),
        Err(error) => return println!("cargo::error={}: {error}: cargo xtask plugins", sums.display()),
    };
    for line in lines.lines() {
        if let Some((digest, file)) = line.split_once("  ") {
            let path = dist.join(file);
            println!("cargo::rerun-if-changed={}", path.display());
            let name = file.trim_end_matches(".wasm");
            let builtin = format!("Builtin {{ name: {name:?}, digest: {digest:?}, wasm: include_bytes!({path:?}) }}");
            match name {
                TOGETHER => together = builtin,
                _ => table.push(builtin),
            }
        }
    }
    let text = format!(
        "/// Every plugin of the pack.\npub static BUILTINS: &[Builtin] = &[{}];\n\
         /// The guards in one component.\npub(crate) static TOGETHER: Builtin = {together};\n",
        table.join(",\n")
    );
    let out = env::var("OUT_DIR").unwrap_or_default();
    if let Err(error) = fs::write(Path::new(&out).join("builtins.rs"), text) {
        println!("cargo::error=builtins.rs cannot be written: {error}");
    }
}
