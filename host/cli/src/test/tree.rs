//! The file system that a case sees: its files and links below a folder of its own.

use hookbox_cases::{Case, HOME, PROJECT};
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Makes the files and links of a case below `root`, with the project's and the home folder.
pub(crate) fn make(root: &Path, case: &Case) -> io::Result<()> {
    // Links first: a file, or the project itself, may lie behind one.
    fs::create_dir_all(root)?;
    for (path, target) in &case.links {
        let (link, target) = (below(root, path), below(root, target));
        if let Some(folder) = link.parent() {
            fs::create_dir_all(folder)?;
        }
        symlink(target, link)?;
    }
    for folder in [HOME, PROJECT] {
        make_folder(&below(root, folder))?;
    }
    for (path, content) in &case.files {
        let file = below(root, path);
        file.parent().map_or(Ok(()), make_folder)?;
        fs::write(file, content)?;
    }
    Ok(())
}

/// The folder, or the one that a link in its place leads to.
fn make_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder).or_else(|error| match fs::read_link(folder) {
        Ok(target) if error.kind() == ErrorKind::AlreadyExists => fs::create_dir_all(target),
        _ => Err(error),
    })
}

fn below(root: &Path, path: &str) -> PathBuf {
    root.join(path.trim_start_matches('/'))
}
