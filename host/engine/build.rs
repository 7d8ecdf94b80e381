//! Takes the components of `plugins/dist` into the program, with their digests.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugins/dist");
    let sums = dist.join("SHA256SUMS");
    println!("cargo::rerun-if-changed={}", sums.display());
    let mut table = String::from("&[\n");
    for line in fs::read_to_string(&sums).unwrap_or_default().lines() {
        if let Some((digest, file)) = line.split_once("  ") {
            let path = dist.join(file);
            println!("cargo::rerun-if-changed={}", path.display());
            let name = file.trim_end_matches(".wasm");
            let _ = writeln!(
                table,
                "    Builtin {{ name: {name:?}, digest: {digest:?}, wasm: include_bytes!({path:?}) }},"
            );
        }
    }
    table.push(']');
    let out = env::var("OUT_DIR").unwrap_or_default();
    if let Err(error) = fs::write(Path::new(&out).join("builtins.rs"), table) {
        println!("cargo::error=builtins.rs cannot be written: {error}");
    }
}
