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
        let mut files: Vec<File> = load::paths(options, project)
            .iter()
            .map(|(_, path)| file(path))
            .collect();
        files.extend(load::trust_list(options).as_deref().map(file));
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

fn file(path: &Path) -> File {
    let error = match fs::metadata(path) {
        Ok(metadata) => return File::There(stamp(&metadata)),
        Err(error) => error.kind(),
    };
    match fs::symlink_metadata(path) {
        Ok(link) => File::Dangling(stamp(&link)),
        Err(_) if error == ErrorKind::NotFound => File::Missing {
            folder: path.parent().is_some_and(|folder| fs::symlink_metadata(folder).is_ok()),
        },
        Err(_) => File::Hidden(error),
    }
}
