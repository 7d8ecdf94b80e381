//! Opens files that somebody else may have put there: nothing is waited for, and nothing is read without end.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Opens a regular file. What the name stands for is looked at when it is open: a pipe in its place would let the event wait
/// until the agent gives up on its hook.
///
/// # Errors
/// It cannot be opened, or is something else.
pub(crate) fn regular(path: &Path, how: &mut OpenOptions) -> io::Result<File> {
    let nonblocking = i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).unwrap_or(0);
    let file = how.custom_flags(nonblocking).open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other("it is not a regular file"))
    }
}

/// The text of a regular file of at most so many bytes.
///
/// # Errors
/// It cannot be read, is longer, or is not UTF-8.
pub(crate) fn text(path: &Path, most: u64) -> io::Result<String> {
    let mut text = String::new();
    regular(path, OpenOptions::new().read(true))?
        .take(most + 1)
        .read_to_string(&mut text)?;
    if text.len() as u64 > most {
        return Err(io::Error::other(format!("it has more than {most} bytes")));
    }
    Ok(text)
}
