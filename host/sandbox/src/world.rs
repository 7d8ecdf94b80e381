//! What stands in the place of this machine while a plugin is tested. Outside of tests nothing does.

use std::path::{Path, PathBuf};

/// A file system and a clock of a test's own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct World {
    /// The folder that is `/` to the import `files`. Grants are compared with the paths that the plugin names.
    pub root: Option<PathBuf>,
    /// What the clock shows: milliseconds since the epoch.
    pub now: Option<u64>,
    /// Where programs run in the place of the event's folders.
    pub workplace: Option<PathBuf>,
}

impl World {
    /// Where a path that the plugin names lies on this machine.
    pub(crate) fn place(&self, path: PathBuf) -> PathBuf {
        match (&self.root, path.strip_prefix("/")) {
            (Some(root), Ok(rest)) => root.join(rest),
            _ => path,
        }
    }

    /// A path of this machine as the plugin names it.
    pub(crate) fn shown(&self, path: PathBuf) -> PathBuf {
        let inside = self.root.as_ref().and_then(|root| path.strip_prefix(root).ok());
        inside.map_or_else(|| path.clone(), |rest| Path::new("/").join(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_root_paths_are_those_of_this_machine() {
        let world = World::default();
        assert_eq!(world.place("/etc/x".into()), Path::new("/etc/x"));
        assert_eq!(world.shown("/etc/x".into()), Path::new("/etc/x"));
    }

    #[test]
    fn with_a_root_every_path_lies_in_it_and_is_shown_without_it() {
        let world = World {
            root: Some("/tmp/world".into()),
            ..World::default()
        };
        assert_eq!(world.place("/etc/x".into()), Path::new("/tmp/world/etc/x"));
        assert_eq!(world.shown("/tmp/world/etc/x".into()), Path::new("/etc/x"));
        assert_eq!(world.shown("/tmp/world".into()), Path::new("/"));
    }
}
