//! Files whose digest is remembered, so that a file that did not change is not read again.

use crate::open;
use hookbox_sandbox::Cache;
use hookbox_sandbox::prepare::digest;
use std::fs::{self, Metadata, OpenOptions};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A file as it was when it was looked at.
pub(crate) struct Stamped {
    path: PathBuf,
    stamp: [u64; 7],
}

impl Stamped {
    /// # Errors
    /// There is no regular file of that name.
    pub(crate) fn find(path: PathBuf) -> Result<Self, String> {
        let metadata = fs::metadata(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        if !metadata.is_file() {
            return Err(format!("{} is not a regular file", path.display()));
        }
        let stamp = stamp(&metadata);
        Ok(Stamped { path, stamp })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The digest, where it is known without reading the file again: the same file by device, inode, size and times, read
    /// for the same `purpose`.
    pub(crate) fn known(&self, cache: Option<&Cache>, purpose: &str) -> Result<Option<String>, String> {
        let Some(cache) = cache else { return Ok(None) };
        let Some(file) = cache.open(&self.name(purpose)).map_err(|error| error.to_string())? else {
            return Ok(None);
        };
        let mut text = String::new();
        let read = file.take(65).read_to_string(&mut text);
        let whole = read.is_ok() && text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        Ok(whole.then_some(text))
    }

    /// Keeps the digest of what was read.
    pub(crate) fn remember(&self, cache: &Cache, purpose: &str, digest: &str) {
        // Only a saving of time: without it the file is read and checked again.
        let _ = cache.store(&self.name(purpose), digest.as_bytes());
    }

    fn name(&self, purpose: &str) -> String {
        let named = format!("{} {:?} {purpose}", self.path.display(), self.stamp);
        format!("{}.digest", digest(named.as_bytes()))
    }

    /// The bytes of this very file; of a longer one, the first byte over `most` too.
    ///
    /// # Errors
    /// It cannot be read, or was changed since it was looked at.
    pub(crate) fn read(&self, most: u64) -> Result<Vec<u8>, String> {
        let failed = |error: std::io::Error| format!("{}: {error}", self.path.display());
        let mut bytes = Vec::new();
        let mut file = open::regular(&self.path, OpenOptions::new().read(true)).map_err(failed)?;
        file.by_ref().take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
        // What was looked at is what was read: the digest is remembered for this very file.
        if stamp(&file.metadata().map_err(failed)?) != self.stamp {
            return Err(format!("{} was changed while it was read", self.path.display()));
        }
        Ok(bytes)
    }
}

/// What changes when a file is replaced or written to.
pub(crate) fn stamp(m: &Metadata) -> [u64; 7] {
    [
        m.dev(),
        m.ino(),
        m.size(),
        m.mtime() as u64,
        m.mtime_nsec() as u64,
        m.ctime() as u64,
        m.ctime_nsec() as u64,
    ]
}
