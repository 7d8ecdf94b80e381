//! Where a path is: the project, a folder for temporary files, the system's, somebody's home, elsewhere.

use hookbox_pack::spell;

/// A kind of place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zone {
    /// `/dev/null` and its like.
    Sink,
    /// The project, or where the session stands.
    Project,
    Temporary,
    /// Caches: made to be thrown away.
    Cache,
    System,
    /// Of the system, for what its owner adds: `/usr/local`, `/opt`.
    Local,
    /// A disk or another device.
    Device,
    Home,
    Elsewhere,
}

const SINKS: [&str; 9] = [
    "/dev/null",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/stdin",
    "/dev/tty",
    "/dev/fd",
    "/dev/zero",
    "/dev/full",
    "/dev/tcp",
];
const TEMPORARY: [&str; 6] = [
    "/tmp",
    "/var/tmp",
    "/usr/tmp",
    "/var/folders",
    "/dev/shm",
    "/c/windows/temp",
];
const SYSTEM: [&str; 22] = [
    "/etc",
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/boot",
    "/efi",
    "/sys",
    "/proc",
    "/system",
    "/library",
    "/applications",
    "/cores",
    "/c/windows",
    "/c/program files",
    "/c/program files (x86)",
    "/c/programdata",
    "/nix",
    "/snap",
];
const LOCAL: [&str; 5] = ["/usr/local", "/opt", "/var", "/run", "/srv"];
const HOMES: [&str; 4] = ["/home", "/users", "/c/users", "/root"];
/// In a home folder.
const CACHES: [&str; 10] = [
    ".cache",
    "library/caches",
    ".npm",
    ".pnpm-store",
    ".yarn",
    ".gradle/caches",
    ".m2/repository",
    ".cargo/registry",
    "go/pkg",
    "appdata/local/temp",
];

/// The folders of one event, absolute and normalised.
#[derive(Clone, Debug)]
pub(crate) struct Folders {
    pub project: Vec<String>,
    pub home: Vec<String>,
}

impl Folders {
    /// The project, and where the session stands, unless that is a place that holds more than work.
    pub(crate) fn new(project: &str, cwd: &str, home: &str) -> Self {
        let home = spell::absolute(home, "/", home);
        let mut folders = Folders {
            project: Vec::new(),
            home: vec![home.clone()],
        };
        for folder in [project, cwd] {
            let folder = spell::absolute(folder, "/", &home);
            let holds_homes = spell::inside(&home, &folder) && home != "/";
            let of_system = matches!(folders.outside(&folder), Zone::System | Zone::Device | Zone::Sink);
            if !folder.is_empty()
                && folder != "/"
                && !HOMES.contains(&folder.as_str())
                && !of_system
                && (!holds_homes || folder == project)
            {
                folders.project.push(folder);
            }
        }
        folders
    }

    pub(crate) fn zone(&self, path: &str) -> Zone {
        if sink(path) {
            return Zone::Sink;
        }
        if self.project.iter().any(|folder| spell::inside(path, folder)) {
            return Zone::Project;
        }
        self.outside(path)
    }

    fn outside(&self, path: &str) -> Zone {
        let path = spell::folded(path);
        let within = |folders: &[&str]| folders.iter().any(|folder| spell::inside(&path, folder));
        let home = self
            .home
            .iter()
            .map(|home| spell::folded(home))
            .find(|home| home != "/" && spell::inside(&path, home));
        if let Some(home) = &home {
            let rest = path[home.len()..].trim_start_matches('/');
            return if CACHES.iter().any(|cache| spell::inside(rest, cache)) {
                Zone::Cache
            } else {
                Zone::Home
            };
        }
        if within(&TEMPORARY) || path.contains("/appdata/local/temp/") {
            return Zone::Temporary;
        }
        if spell::inside(&path, "/dev") {
            return Zone::Device;
        }
        if within(&LOCAL) {
            return Zone::Local;
        }
        if path == "/" || within(&SYSTEM) {
            return Zone::System;
        }
        if within(&HOMES) { Zone::Home } else { Zone::Elsewhere }
    }
}

fn sink(path: &str) -> bool {
    SINKS.iter().any(|sink| spell::inside(path, sink))
        || matches!(spell::name(path).to_ascii_lowercase().as_str(), "nul" | "con")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_has_its_zone() {
        let folders = Folders::new("/home/user/demo", "/home/user/demo/web", "/home/user");
        for (path, zone) in [
            ("/dev/null", Zone::Sink),
            ("/home/user/demo/a", Zone::Project),
            ("/tmp/a", Zone::Temporary),
            ("/home/user/.cache/pip/x", Zone::Cache),
            ("/etc/hosts", Zone::System),
            ("/ETC/hosts", Zone::System),
            ("/usr/bin/ls", Zone::System),
            ("/usr/local/bin/x", Zone::Local),
            ("/var/log/x", Zone::Local),
            ("/dev/sda", Zone::Device),
            ("/home/user/notes", Zone::Home),
            ("/home/ann/notes", Zone::Home),
            ("/data/x", Zone::Elsewhere),
            ("/c/windows/system32/x", Zone::System),
        ] {
            assert_eq!(folders.zone(path), zone, "{path}");
        }
    }

    #[test]
    fn a_session_at_the_root_or_at_home_opens_neither() {
        let folders = Folders::new("/home/user/demo", "/", "/home/user");
        assert_eq!(folders.zone("/etc/hosts"), Zone::System);
        let folders = Folders::new("/home/user/demo", "/home/user", "/home/user");
        assert_eq!(folders.zone("/home/user/notes"), Zone::Home);
        let folders = Folders::new("/srv/demo", "/srv/demo", "/tmp/home");
        assert_eq!(folders.zone("/tmp/home/notes"), Zone::Home);
        assert_eq!(folders.zone("/srv/demo/x"), Zone::Project);
    }
}
