//! Links the released program statically, as a position-independent executable: finding and relocating shared libraries
//! would be half of the time that an event takes, and address-space randomisation stays.
//!
//! `-C target-feature=+crt-static` would do the same, but for every crate of the build, and with it procedural macros
//! cannot be built unless cargo is given a `--target`. So the linker is shown the static twins of the same libraries first.
//! Where they are not installed, the program is linked as usual.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What `std` asks for on this system, and the archives that hold it.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("c", &["libc.a"]),
    ("m", &["libm.a"]),
    ("rt", &["librt.a"]),
    ("pthread", &["libpthread.a"]),
    ("dl", &["libdl.a"]),
    ("util", &["libutil.a"]),
    ("gcc_s", &["libgcc_eh.a", "libgcc.a"]),
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|found| found == value);
    let same_machine = env::var("TARGET").ok() == env::var("HOST").ok();
    if !(same_machine
        && is("PROFILE", "release")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu"))
    {
        return;
    }
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("static");
    match scripts(&folder) {
        Some(()) => {
            println!("cargo::rustc-link-search=native={}", folder.display());
            println!("cargo::rustc-link-arg-bins=-static-pie");
            println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
            if is("CARGO_CFG_TARGET_ARCH", "x86_64") {
                // See `src/start.rs`: relocated data gets an address that a huge page can have.
                println!("cargo::rustc-link-arg-bins=-Wl,-e,hookbox_start");
                println!("cargo::rustc-link-arg-bins=-Wl,-z,max-page-size=2097152,-z,separate-loadable-segments");
                // Functions that events need lie side by side. Known to the linker that this target has by default.
                let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
                if env::var_os("RUSTC_LINKER").is_none() && !flags.contains("link") {
                    let order = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default()).join("order.txt");
                    println!("cargo::rerun-if-changed={}", order.display());
                    println!(
                        "cargo::rustc-link-arg-bins=-Wl,--symbol-ordering-file={}",
                        order.display()
                    );
                    println!("cargo::rustc-link-arg-bins=-Wl,--no-warn-symbol-ordering");
                }
            }
        }
        None => {
            println!("cargo::warning=static libraries are missing (libc6-dev): linked dynamically, which starts slower")
        }
    }
}

/// A linker script per library that names its archives.
fn scripts(folder: &Path) -> Option<()> {
    fs::create_dir_all(folder).ok()?;
    for (library, archives) in LIBRARIES {
        let found: Option<Vec<String>> = archives.iter().map(|archive| find(archive)).collect();
        fs::write(
            folder.join(format!("lib{library}.a")),
            format!("INPUT({})\n", found?.join(" ")),
        )
        .ok()?;
    }
    Some(())
}

/// Where the compiler's linker finds an archive.
fn find(archive: &str) -> Option<String> {
    let output = Command::new("cc")
        .arg(format!("-print-file-name={archive}"))
        .output()
        .ok()?;
    let path = String::from_utf8(output.stdout).ok()?.trim().to_string();
    Path::new(&path).is_absolute().then_some(path)
}
