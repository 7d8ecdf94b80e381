//! Changes of files: shown, made, and undone to the byte.
//!
//! Where taking the entries out again would not give the old bytes (a file on one line, an empty list that was there), `init` keeps a receipt: the
//! file as it was and as it left it. As long as nobody has touched the file since, `--remove` puts the old bytes back; after that, and everywhere
//! else, it takes out its entries by their shape.

use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// One file as it is and as it shall be; none where it is not there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) path: PathBuf,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
    pub(crate) mode: Mode,
    /// Taking the entries out gives the old bytes.
    pub(crate) reversible: bool,
}

/// Who may do what with a new file; one that is there keeps its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Usual,
    Executable,
    /// For the user alone.
    Private,
}

impl Change {
    pub(crate) fn is_none(&self) -> bool {
        self.before == self.after
    }

    /// The lines that differ, between those that do not.
    pub(crate) fn shown(&self) -> String {
        let old: Vec<&str> = self.before.as_deref().unwrap_or_default().lines().collect();
        let new: Vec<&str> = self.after.as_deref().unwrap_or_default().lines().collect();
        let start = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let rest = old.len().min(new.len()) - start;
        let end = old
            .iter()
            .rev()
            .zip(new.iter().rev())
            .take(rest)
            .take_while(|(a, b)| a == b)
            .count();
        let what = match (&self.before, &self.after) {
            (None, _) => "new file",
            (_, None) => "deleted",
            _ => "changed",
        };
        let mut out = format!("{} ({what})\n", self.path.display());
        out.extend(
            old[start.saturating_sub(2)..start]
                .iter()
                .map(|line| format!("  {line}\n")),
        );
        out.extend(old[start..old.len() - end].iter().map(|line| format!("- {line}\n")));
        out.extend(new[start..new.len() - end].iter().map(|line| format!("+ {line}\n")));
        out.extend(old[old.len() - end..].iter().take(2).map(|line| format!("  {line}\n")));
        out
    }

    /// Writes the file whole or not at all; a symlink is followed, so that a linked settings file stays linked.
    pub(crate) fn make(&self) -> Result<()> {
        let path = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let Some(after) = &self.after else {
            return fs::remove_file(&path).with_context(|| format!("{} cannot be deleted", path.display()));
        };
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = folder.join(format!(".{name}.hookbox-{}", std::process::id()));
        let written = (|| {
            let mut file = create(&temporary, self.mode)?;
            if let Ok(metadata) = fs::metadata(&path) {
                file.set_permissions(metadata.permissions())?;
            }
            file.write_all(after.as_bytes())?;
            file.sync_all()?;
            fs::rename(&temporary, &path)
        })();
        if written.is_err() {
            let _ = fs::remove_file(&temporary);
        }
        written.with_context(|| format!("{} cannot be written", path.display()))
    }
}

#[cfg(unix)]
fn create(path: &Path, mode: Mode) -> std::io::Result<fs::File> {
    use std::os::unix::fs::OpenOptionsExt;
    let bits = match mode {
        Mode::Usual => 0o644,
        Mode::Executable => 0o755,
        Mode::Private => 0o600,
    };
    fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(bits)
        .open(path)
}

#[cfg(not(unix))]
fn create(path: &Path, _: Mode) -> std::io::Result<fs::File> {
    fs::OpenOptions::new().write(true).create_new(true).open(path)
}

/// A file's text; none where it is not there.
pub(crate) fn read(path: &Path) -> Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("{} cannot be read", path.display())),
    }
}

/// The receipts of one user.
#[derive(Debug)]
pub(crate) struct Receipts {
    folder: PathBuf,
}

impl Receipts {
    /// `state` is hookbox's state folder.
    pub(crate) fn new(state: &Path) -> Self {
        Receipts {
            folder: state.join("init"),
        }
    }

    fn file(&self, path: &Path) -> PathBuf {
        use sha2::{Digest, Sha256};
        let digest = Sha256::digest(path.to_string_lossy().as_bytes());
        let name: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        self.folder.join(format!("{name}.json"))
    }

    /// Keeps how the file was before the first `init` that is not undone.
    pub(crate) fn keep(&self, change: &Change) -> Result<()> {
        let original = match self.original(&change.path, change.before.as_deref()) {
            Some(original) => original,
            None => change.before.clone(),
        };
        let receipt = json!({ "path": change.path, "before": original, "after": change.after });
        let file = self.file(&change.path);
        // The file may hold keys, so its copy is the user's alone.
        Change {
            path: file,
            before: None,
            after: Some(format!("{receipt}\n")),
            mode: Mode::Private,
            reversible: true,
        }
        .make()
    }

    /// How the file was, where it is still as `init` left it. The inner none: it was not there.
    pub(crate) fn original(&self, path: &Path, now: Option<&str>) -> Option<Option<String>> {
        let text = fs::read_to_string(self.file(path)).ok()?;
        let receipt: Value = serde_json::from_str(&text).ok()?;
        (receipt.get("after")?.as_str() == now).then(|| receipt["before"].as_str().map(str::to_owned))
    }

    pub(crate) fn forget(&self, path: &Path) {
        let _ = fs::remove_file(self.file(path));
    }
}
