//! Whether the files of a configuration are still what they were: a resident engine looks with every event.

use crate::load;
use crate::options::Options;
use crate::stamped::stamp;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The clock of a file system may stand still for so long: what was written so shortly before it was looked at could be written
/// again without a trace.
const TICK: Duration = Duration::from_millis(50);

/// Every file that a project's configuration can be in, as it was.
#[derive(Debug)]
pub(crate) struct Seen {
    at: SystemTime,
    files: Vec<File>,
}

#[derive(Debug, PartialEq, Eq)]
enum File {
    /// With what a name stands for, where the name is a link.
    There([u64; 7]),
    /// Of a link that leads nowhere, the link.
    Dangling([u64; 7]),
    /// Whether there is something of its folder's name: a link that leads nowhere makes a difference.
    Missing {
        folder: bool,
    },
    Hidden(ErrorKind),
}

impl Seen {
    pub(crate) fn now(options: &Options, project: &Path) -> Self {
        let at = SystemTime::now();
        let paths = load::paths(options, project);
        let list = load::trust_list(options);
        let mut folder = None;
        let all = paths.iter().map(|(_, path)| path.as_path()).chain(list.as_deref());
        let files = all.map(|path| file(path, &mut folder)).collect();
        Seen { at, files }
    }

    pub(crate) fn same_files(&self, other: &Seen) -> bool {
        self.files == other.files
    }

    /// Whether a later change would be seen.
    pub(crate) fn settled(&self) -> bool {
        let Some(before) = self
            .at
            .checked_sub(TICK)
            .and_then(|at| at.duration_since(UNIX_EPOCH).ok())
        else {
            return false;
        };
        self.files.iter().all(|file| match file {
            // The time of the change, in seconds and nanoseconds.
            File::There(stamp) | File::Dangling(stamp) => {
                (stamp[5], stamp[6]) < (before.as_secs(), before.subsec_nanos().into())
            }
            File::Missing { .. } | File::Hidden(_) => true,
        })
    }
}

/// `folder`: what is known of the folder that the last file was in.
fn file<'a>(path: &'a Path, folder: &mut Option<(&'a Path, bool)>) -> File {
    let parent = path.parent().unwrap_or(path);
    let there = match folder {
        Some((known, there)) if *known == parent => *there,
        _ => !is_missing(parent),
    };
    *folder = Some((parent, there));
    if !there {
        return File::Missing { folder: false };
    }
    match fs::symlink_metadata(path) {
        // The link may stay, and lead to something else.
        Ok(link) if link.is_symlink() => match fs::metadata(path) {
            Ok(metadata) => File::There(stamp(&metadata)),
            Err(_) => File::Dangling(stamp(&link)),
        },
        Ok(metadata) => File::There(stamp(&metadata)),
        Err(error) if error.kind() == ErrorKind::NotFound => File::Missing { folder: true },
        Err(error) => File::Hidden(error.kind()),
    }
}

fn is_missing(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|error| error.kind() == ErrorKind::NotFound)
}
