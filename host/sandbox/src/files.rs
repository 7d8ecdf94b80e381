//! The import `files`: narrow functions over granted paths, never a folder handed to the component.

use crate::bindings::hookbox::hook::files::{ErrorCode, Host, Kind, Metadata};
use crate::limits::PATH_BYTES;
use crate::state::State;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// Bytes that one `read` gives at most.
const READ_BYTES: u64 = 1 << 20;

impl Host for State {
    fn resolve(&mut self, path: String) -> wasmtime::Result<Result<String, ErrorCode>> {
        self.work(path.len(), 1)?;
        Ok(self.visible(&path).map(|path| {
            let world = self.event.world();
            let real = resolve(&world.place(path));
            world.shown(real).to_string_lossy().into_owned()
        }))
    }

    fn metadata_of(&mut self, path: String) -> wasmtime::Result<Result<Metadata, ErrorCode>> {
        self.work(path.len(), 1)?;
        Ok(self.visible(&path).and_then(|path| {
            let world = self.event.world();
            let path = world.place(path);
            let metadata = fs::symlink_metadata(&path).map_err(|error| code(&error))?;
            let target = fs::read_link(&path)
                .ok()
                .map(|target| world.shown(target).to_string_lossy().into_owned());
            let kind = match metadata.file_type() {
                kind if kind.is_file() => Kind::File,
                kind if kind.is_dir() => Kind::Directory,
                kind if kind.is_symlink() => Kind::Symlink,
                _ => Kind::Other,
            };
            Ok(Metadata {
                kind,
                size: metadata.len(),
                target,
            })
        }))
    }

    fn read(&mut self, path: String, max: u64) -> wasmtime::Result<Result<Vec<u8>, ErrorCode>> {
        let path = match self.path(&path) {
            Ok(path) => path,
            Err(error) => return Ok(Err(error)),
        };
        self.work(0, 1)?;
        let grant = self.grants.read.iter().find(|grant| path.starts_with(grant));
        let content = match grant {
            Some(grant) => {
                let world = self.event.world();
                read(&world.place(grant.into()), &world.place(path), max.min(READ_BYTES))
            }
            None => Err(ErrorCode::NotGranted),
        };
        self.work(content.as_ref().map_or(0, Vec::len), 1)?;
        Ok(content)
    }
}

impl State {
    /// The path, where files may be looked at: what `configure` leaves is kept for every event, and must not rest on files that
    /// change.
    fn path(&self, path: &str) -> Result<PathBuf, ErrorCode> {
        plain(path)
            .filter(|_| !self.event.is_none())
            .ok_or(ErrorCode::NotGranted)
    }

    fn visible(&self, path: &str) -> Result<PathBuf, ErrorCode> {
        let path = self.path(path)?;
        let grants = self.grants.stat.iter().chain(&self.grants.read);
        let granted = grants.into_iter().any(|grant| path.starts_with(grant));
        if granted { Ok(path) } else { Err(ErrorCode::NotGranted) }
    }
}

/// An absolute path without `.` and `..`: only such a path is compared with a grant. A longer one than any system takes
/// is not looked at, since following it costs the square of its length.
fn plain(path: &str) -> Option<PathBuf> {
    if path.len() > PATH_BYTES {
        return None;
    }
    let path = Path::new(path);
    let plain = path
        .components()
        .all(|part| matches!(part, Component::RootDir | Component::Normal(_)));
    (path.is_absolute() && plain).then(|| path.components().collect())
}

fn code(error: &io::Error) -> ErrorCode {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ErrorCode::NotFound,
        io::ErrorKind::PermissionDenied => ErrorCode::NotGranted,
        _ => ErrorCode::Io,
    }
}

/// Symlinks that lead nowhere, one after the other: as many as a kernel follows.
const DANGLING: usize = 40;

/// Follows symlinks as far as the path exists, and those whose target does not exist yet: who writes there makes it.
fn resolve(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..DANGLING {
        let Some((real, rest)) = existing(&path) else { break };
        let Some((first, more)) = rest.split_first() else {
            return real;
        };
        match fs::read_link(real.join(first)) {
            Ok(target) => path = plain_join(&real, more.iter().fold(target, |path, name| path.join(name))),
            Err(_) => return rest.iter().fold(real, |path, name| path.join(name)),
        }
    }
    path
}

/// The part of a path that exists, with its links followed, and the names behind it.
fn existing(path: &Path) -> Option<(PathBuf, Vec<&OsStr>)> {
    let mut rest = Vec::new();
    let mut head = path;
    loop {
        if let Ok(real) = fs::canonicalize(head) {
            rest.reverse();
            return Some((real, rest));
        }
        rest.push(head.file_name()?);
        head = head.parent()?;
    }
}

/// `path` from the folder `base`, without `.` and `..`.
fn plain_join(base: &Path, path: PathBuf) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in base.join(path).components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// Reads below the grant: the folder is opened first, and no symlink or `..` leads out of it.
fn read(grant: &Path, path: &Path, max: u64) -> Result<Vec<u8>, ErrorCode> {
    let (folder, name) = if path == grant || !grant.is_dir() {
        (
            path.parent().ok_or(ErrorCode::NotAFile)?,
            Path::new(path.file_name().ok_or(ErrorCode::NotAFile)?),
        )
    } else {
        (grant, path.strip_prefix(grant).map_err(|_| ErrorCode::NotGranted)?)
    };
    let folder = Dir::open_ambient_dir(folder, ambient_authority()).map_err(|error| code(&error))?;
    // A pipe or a terminal must not keep the plugin waiting.
    let nonblocking = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or(0);
    let file = folder.open_with(name, OpenOptions::new().read(true).custom_flags(nonblocking));
    let file = file.map_err(|error| code(&error))?;
    if !file.metadata().map_err(|error| code(&error))?.is_file() {
        return Err(ErrorCode::NotAFile);
    }
    let mut content = Vec::new();
    file.take(max + 1)
        .read_to_end(&mut content)
        .map_err(|error| code(&error))?;
    if content.len() as u64 > max {
        Err(ErrorCode::TooLarge)
    } else {
        Ok(content)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_link_is_followed_whether_or_not_its_target_is_there_yet() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        fs::create_dir_all(root.join("there/deep")).unwrap();
        for (link, target) in [
            ("to-there", "there"),
            ("to-nowhere", "nowhere"),
            ("absolute", root.join("nowhere/a").to_str().unwrap()),
            ("chain", "to-nowhere"),
            ("there/deep/up", "../../../other"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        let other = root.parent().unwrap().join("other");
        for (path, real) in [
            ("to-there/x", root.join("there/x")),
            ("to-nowhere", root.join("nowhere")),
            ("to-nowhere/x/y", root.join("nowhere/x/y")),
            ("absolute", root.join("nowhere/a")),
            ("chain/x", root.join("nowhere/x")),
            ("there/deep/up/x", other.join("x")),
            ("not/there", root.join("not/there")),
        ] {
            assert_eq!(resolve(&root.join(path)), real, "{path}");
        }
    }

    #[test]
    fn links_in_a_circle_end() {
        let folder = tempfile::tempdir().unwrap();
        symlink("b", folder.path().join("a")).unwrap();
        symlink("a", folder.path().join("b")).unwrap();
        assert!(resolve(&folder.path().join("a/x")).ends_with("x"));
    }
}
