//! Where compiled plugins lie. They are native code: whoever can write here can run anything as this user.
//!
//! So the folder belongs to the user with mode 0700, a file is checked for owner, mode, kind and links before it is
//! mapped, and it is written whole to a temporary name and renamed. Nothing here ever comes from a plugin or a repository.

use crate::error::PrepareError;
use rustix::fs::{Mode, OFlags};
use rustix::process::geteuid;
use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A folder of compiled plugins.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    /// It was looked at once and is safe: only its owner could change that.
    safe: OnceLock<()>,
}

impl Cache {
    /// The cache in `folder`, which need not exist yet.
    pub fn new(folder: PathBuf) -> Self {
        Cache {
            folder,
            safe: OnceLock::new(),
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    fn error(&self, message: impl Into<String>) -> PrepareError {
        PrepareError::Cache {
            path: self.folder.clone(),
            message: message.into(),
        }
    }

    /// An artefact, checked and open; none where it was not made yet.
    ///
    /// # Errors
    /// The folder or the file could have been written by somebody else: it is not used, and says how to mend it.
    pub fn open(&self, name: &str) -> Result<Option<File>, PrepareError> {
        if self.safe.get().is_none() {
            match fs::symlink_metadata(&self.folder) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(self.error(error.to_string())),
                Ok(metadata) => self.check_folder(&metadata)?,
            }
            let _ = self.safe.set(());
        }
        let path = self.folder.join(name);
        let file = match rustix::fs::open(
            &path,
            OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::CLOEXEC,
            Mode::empty(),
        ) {
            Ok(descriptor) => File::from(descriptor),
            Err(rustix::io::Errno::NOENT) => return Ok(None),
            Err(error) => return Err(self.error(format!("{name}: {error}"))),
        };
        let metadata = file
            .metadata()
            .map_err(|error| self.error(format!("{name}: {error}")))?;
        let fault = if !metadata.is_file() {
            "is not a regular file"
        } else if metadata.uid() != geteuid().as_raw() {
            "belongs to another user"
        } else if metadata.mode() & 0o022 != 0 {
            "can be written by others"
        } else if metadata.nlink() != 1 {
            "has a second name (hard link)"
        } else {
            return Ok(Some(file));
        };
        Err(self.error(format!("{name} {fault}: remove it, hookbox makes it again")))
    }

    fn check_folder(&self, metadata: &fs::Metadata) -> Result<(), PrepareError> {
        let fault = if !metadata.is_dir() {
            "is not a folder"
        } else if metadata.uid() != geteuid().as_raw() {
            "belongs to another user"
        } else if metadata.mode() & 0o077 != 0 {
            "can be read or written by others"
        } else {
            return Ok(());
        };
        Err(self.error(format!("{fault}: remove it, hookbox makes it again with mode 0700")))
    }

    /// Stores an artefact: whole or not at all.
    ///
    /// # Errors
    /// The folder cannot be made or written, or is not safe.
    pub fn store(&self, name: &str, content: &[u8]) -> Result<(), PrepareError> {
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&self.folder);
        made.map_err(|error| self.error(format!("cannot be made: {error}")))?;
        let metadata = fs::symlink_metadata(&self.folder).map_err(|error| self.error(error.to_string()))?;
        self.check_folder(&metadata)?;
        let temporary = self.folder.join(format!(".{name}.{}", std::process::id()));
        let written = write_new(&temporary, content).and_then(|()| fs::rename(&temporary, self.folder.join(name)));
        written.map_err(|error| {
            let _ = fs::remove_file(&temporary);
            self.error(format!("{name} cannot be written: {error}"))
        })
    }

    /// Forgets an artefact that does not fit this machine any more.
    pub fn remove(&self, name: &str) {
        let _ = fs::remove_file(self.folder.join(name));
    }
}

fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let _ = fs::remove_file(path);
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut file = File::from(rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?);
    file.write_all(content)?;
    file.sync_all()
}
