//! The Unix socket: in a folder that nobody else writes to, for this user alone.

use anyhow::{Context, Result, bail, ensure};
use rustix::fs::Mode;
use rustix::process::{geteuid, umask};
use std::fs::{self, DirBuilder};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

/// The socket of this path. One that nobody listens on any more is replaced.
pub(super) fn bind(path: &Path) -> Result<UnixListener> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let name = path.display();
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)
        .with_context(|| folder.display().to_string())?;
    let metadata = fs::metadata(folder).with_context(|| folder.display().to_string())?;
    let hint = "use a folder of mode 0700, like $XDG_RUNTIME_DIR";
    ensure!(
        metadata.uid() == geteuid().as_raw() && metadata.mode() & 0o022 == 0,
        "{} is a folder that others can write to\nhint: {hint}",
        folder.display()
    );
    if let Ok(there) = fs::symlink_metadata(path) {
        ensure!(there.file_type().is_socket(), "{name} is there, and is no socket");
        if UnixStream::connect(path).is_ok() {
            bail!("{name}: another program listens on it");
        }
        fs::remove_file(path).with_context(|| name.to_string())?;
    }
    // No thread runs yet that could make a file meanwhile.
    let before = umask(Mode::from_raw_mode(0o177));
    let listener = UnixListener::bind(path);
    umask(before);
    listener.with_context(|| name.to_string())
}

/// Whether the other end is this user, or root.
pub(super) fn is_of_this_user(stream: &UnixStream) -> bool {
    rustix::net::sockopt::socket_peercred(stream).is_ok_and(|peer| peer.uid == geteuid() || peer.uid.is_root())
}
