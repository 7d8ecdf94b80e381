//! The token of HTTP requests: in a file that only this user can read, made once, so that an agent's settings stay good.

use anyhow::{Context, Result, ensure};
use hookbox::Options;
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Bytes of chance in it.
const BYTES: usize = 32;

pub(super) struct Token {
    pub(super) file: PathBuf,
    pub(super) text: String,
}

impl Token {
    /// The token of this user.
    pub(super) fn of(options: &Options) -> Result<Self> {
        let hint = "set HOME";
        let state = options
            .state
            .as_ref()
            .with_context(|| format!("there is no place for the token\nhint: {hint}"))?;
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(state)
            .with_context(|| state.display().to_string())?;
        let file = state.join("serve.token");
        let text = match read(&file)? {
            Some(text) => text,
            None => {
                make(&file).with_context(|| file.display().to_string())?;
                read(&file)?.context("the token vanished")?
            }
        };
        Ok(Token { file, text })
    }
}

fn read(file: &Path) -> Result<Option<String>> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let open = match OpenOptions::new().read(true).custom_flags(flags).open(file) {
        Ok(open) => open,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| file.display().to_string()),
    };
    let metadata = open.metadata()?;
    let ours =
        metadata.is_file() && metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o077 == 0;
    let mut text = String::new();
    let read = open.take(1024).read_to_string(&mut text);
    let text = text.trim();
    let whole = read.is_ok() && text.len() == 2 * BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let name = file.display();
    ensure!(
        ours && whole,
        "{name} is no token that only you can read\nhint: remove it, and a new one is made"
    );
    Ok(Some(text.to_owned()))
}

/// Under its name only when it is whole; whoever was first is right.
fn make(file: &Path) -> std::io::Result<()> {
    let mut chance = [0; BYTES];
    fs::File::open("/dev/urandom")?.read_exact(&mut chance)?;
    let text: String = chance.iter().map(|byte| format!("{byte:02x}")).collect();
    let folder = file.parent().unwrap_or(Path::new("/"));
    // It is created with mode 0600.
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    writeln!(new, "{text}")?;
    match new.persist_noclobber(file) {
        Err(error) if error.error.kind() != ErrorKind::AlreadyExists => Err(error.error),
        _ => Ok(()),
    }
}
