//! Where a path of a command leads: the whole disk, a system folder, home, the project, a temporary folder, elsewhere.
//! Pure: symlinks are not followed here (guard-paths does that, by grant).

use hookbox_sdk::{Event, SimpleCommand, Word};

/// Where a path leads. Ordered by meaning, not by danger: what a place means is for the plugin to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// `/`, or a whole drive.
    Root,
    /// A folder of the operating system, or something in it.
    System,
    /// The home folder, one that holds it, or another user's home.
    Home,
    /// Something in the home folder, outside the project.
    InHome,
    /// The project's root, or a folder that holds it.
    Project,
    /// Something in the project.
    InProject,
    /// Something in a folder for temporary files.
    Temp,
    /// A device: `/dev/sda`, not `/dev/null` and its like.
    Device,
    /// `/dev/null`, `/dev/stdout`, … : nothing is lost by writing there.
    Sink,
    /// Some other absolute path.
    Outside,
    /// Cannot be known before the command runs.
    Unknown,
}

/// What paths are told apart by: the folders of one event.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    pub cwd: &'a str,
    pub project: &'a str,
    pub home: &'a str,
}

const SYSTEM: [&str; 28] = [
    "/etc",
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/boot",
    "/var",
    "/opt",
    "/root",
    "/proc",
    "/sys",
    "/run",
    "/snap",
    "/nix",
    "/home",
    "/Users",
    "/System",
    "/Library",
    "/Applications",
    "/private",
    "/Volumes",
    "/cores",
    "/mnt",
    "/media",
    "/srv",
];
/// Folders of Windows, after the drive, in lower case.
const SYSTEM_WINDOWS: [&str; 6] = [
    "windows",
    "program files",
    "program files (x86)",
    "programdata",
    "users",
    "boot",
];
const TEMP: [&str; 8] = [
    "/tmp",
    "/var/tmp",
    "/private/tmp",
    "/private/var/tmp",
    "/var/folders",
    "/private/var/folders",
    "/dev/shm",
    "/usr/tmp",
];
const SINKS: [&str; 10] = [
    "/dev/null",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/stdin",
    "/dev/tty",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/console",
];
const HOME_NAMES: [&str; 8] = [
    "~",
    "$HOME",
    "${HOME}",
    "%USERPROFILE%",
    "$env:USERPROFILE",
    "${env:USERPROFILE}",
    "$env:HOME",
    "%HOMEPATH%",
];
const CWD_NAMES: [&str; 3] = ["$PWD", "${PWD}", "%CD%"];
const TEMP_NAMES: [&str; 10] = [
    "$RUNNER_TEMP",
    "${RUNNER_TEMP}",
    "${TMPDIR:-/tmp}",
    "${TMPDIR-/tmp}",
    "${TMPDIR}",
    "$TMPDIR",
    "%TEMP%",
    "%TMP%",
    "$env:TEMP",
    "$env:TMP",
];

impl<'a> Places<'a> {
    pub fn of(event: &'a Event) -> Self {
        Places {
            cwd: &event.cwd,
            project: &event.project,
            home: &event.home,
        }
    }

    /// The directory that a command runs in; none where it cannot be known.
    pub fn directory(&self, command: &SimpleCommand) -> Option<String> {
        match &command.cwd {
            None => Some(normalise(self.cwd)),
            Some(word) => self.absolute(word, Some(self.cwd)),
        }
    }

    /// A word as an absolute path without `.` and `..`; none where it cannot be known. `base`: what it is relative to.
    pub fn absolute(&self, word: &Word, base: Option<&str>) -> Option<String> {
        self.absolute_text(&word.text, base)
    }

    /// As [`absolute`](Self::absolute), of a text.
    pub fn absolute_text(&self, text: &str, base: Option<&str>) -> Option<String> {
        let expanded = self.expand(text)?;
        if unknown(&expanded) {
            return None;
        }
        if is_absolute(&expanded) {
            Some(normalise(&expanded))
        } else {
            Some(normalise(&format!("{}/{expanded}", base?)))
        }
    }

    /// `~`, `$HOME`, `$PWD`, `$TMPDIR` and their like at the start of a path.
    fn expand(&self, text: &str) -> Option<String> {
        let slashed = if is_windows(text) || text.starts_with(['%', '$']) {
            text.replace('\\', "/")
        } else {
            text.into()
        };
        let after = |names: &[&str], value: &str| {
            names.iter().find_map(|name| {
                let rest = slashed.strip_prefix(name)?;
                (rest.is_empty() || rest.starts_with('/')).then(|| format!("{value}{rest}"))
            })
        };
        if let Some(path) = after(&HOME_NAMES, if self.home.is_empty() { "/root" } else { self.home }) {
            return Some(path);
        }
        if let Some(path) = after(&CWD_NAMES, self.cwd).or_else(|| after(&TEMP_NAMES, "/tmp")) {
            return Some(path);
        }
        // `~name`: that user's home. `~+` and `~-` are folders of the shell's own.
        match slashed.strip_prefix('~') {
            Some(rest) if rest.starts_with(|c: char| c.is_ascii_alphabetic()) => Some(format!("/home/{rest}")),
            Some(rest) if rest.starts_with('+') => Some(format!("{}{}", self.cwd, &rest[1..])),
            Some(rest) if rest.starts_with('-') => None,
            _ => Some(slashed),
        }
    }

    /// Where a word leads, and the path, as far as it is known.
    pub fn locate(&self, word: &Word, base: Option<&str>) -> (Place, Option<String>) {
        match self.absolute(word, base) {
            Some(path) => (self.classify(&path), Some(path)),
            None if temporary_name(&word.text) => (Place::Temp, None),
            None => (Place::Unknown, None),
        }
    }

    /// Where an absolute path without `.` and `..` leads. A last part that is a bare glob (`*`, `.*`) stands for the
    /// folder's whole content, and so for the folder.
    pub fn classify(&self, path: &str) -> Place {
        let (folder, all) = whole_content(path);
        let home = normalise(self.home);
        let project = normalise(self.project);
        if is_root(folder) {
            return Place::Root;
        }
        if SINKS.contains(&folder) || under(folder, "/dev/fd") || under(folder, "/dev/tcp") || under(folder, "/dev/udp")
        {
            return Place::Sink;
        }
        // A home below /tmp (in a test, in a container) does not make `/tmp/*` a home; that folder itself is one.
        let temp = TEMP.iter().any(|temp| under(folder, temp) && (all || folder != *temp));
        if !self.home.is_empty() && (folder == home || (holds(folder, &home) && !temp)) {
            return Place::Home;
        }
        if !self.project.is_empty() && holds(folder, &project) {
            return Place::Project;
        }
        if under(folder, &project) && !self.project.is_empty() && !is_root(&project) {
            return Place::InProject;
        }
        if under(folder, &home) && !self.home.is_empty() && !is_root(&home) && folder != home {
            return Place::InHome;
        }
        if temp {
            return Place::Temp;
        }
        if under(folder, "/dev") {
            return Place::Device;
        }
        if ["/home", "/Users"]
            .iter()
            .any(|homes| depth_below(folder, homes) == Some(1))
        {
            return Place::Home;
        }
        if ["/home", "/Users"]
            .iter()
            .any(|homes| depth_below(folder, homes) > Some(1))
        {
            return Place::Outside;
        }
        if SYSTEM.iter().any(|system| under(folder, system)) || TEMP.contains(&folder) || system_of_windows(folder) {
            return Place::System;
        }
        Place::Outside
    }

    /// A path under the project, as seen from it; none where it lies elsewhere.
    pub fn in_project<'p>(&self, path: &'p str) -> Option<&'p str> {
        let project = normalise(self.project);
        if self.project.is_empty() || !under(path, &project) {
            return None;
        }
        Some(path[project.len()..].trim_start_matches('/'))
    }
}

/// The folder whose whole content `path` names, and whether it does so by a glob.
fn whole_content(path: &str) -> (&str, bool) {
    match path.rsplit_once('/') {
        Some((folder, "*" | ".*" | "{*,.*}" | "{.*,*}" | ".??*" | ".[!.]*" | ".[^.]*" | "**" | "*.*" | "?*")) => {
            let (folder, _) = whole_content(if folder.is_empty() { "/" } else { folder });
            (folder, true)
        }
        _ => (path, false),
    }
}

/// Whether `path` names all that a folder holds: `*`, `./*`, `dir/*`, `.*`.
pub fn is_whole_content(path: &str) -> bool {
    whole_content(&format!("/{path}")).1
}

fn is_windows(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= 2
        && bytes[0].is_ascii_alphabetic()
        && bytes[1] == b':'
        && matches!(bytes.get(2), None | Some(b'\\' | b'/'))
}

fn is_absolute(text: &str) -> bool {
    text.starts_with('/') || is_windows(text)
}

fn is_root(path: &str) -> bool {
    path == "/" || (is_windows(path) && path.len() <= 3)
}

fn system_of_windows(path: &str) -> bool {
    if !is_windows(path) {
        return false;
    }
    let first = path[2..]
        .trim_start_matches('/')
        .split('/')
        .next()
        .unwrap_or("")
        .to_ascii_lowercase();
    SYSTEM_WINDOWS.contains(&first.as_str())
}

/// Text that only the running shell can complete.
fn unknown(text: &str) -> bool {
    text.contains(['$', '`']) || (text.starts_with('%') && text[1..].contains('%'))
}

/// A variable or substitution that by its name holds a temporary folder: `$tmpdir`, `"$TMP"`, `$(mktemp -d)`. A `..`
/// could lead out of it.
fn temporary_name(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    if lower.split('/').any(|part| part == "..") {
        return false;
    }
    let name = lower.trim_start_matches(['"', '$', '{', '(']);
    lower.starts_with('$')
        && ["mktemp", "tmp", "temp_", "tempdir", "temp}", "temp/", "scratch"]
            .iter()
            .any(|start| name.starts_with(start))
        || matches!(lower.as_str(), "$temp" | "${temp}")
}

/// Whether `path` is `folder` or lies in it.
pub fn under(path: &str, folder: &str) -> bool {
    let folder = if folder == "/" { "" } else { folder };
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether `inner` is `folder` or lies in it.
fn holds(folder: &str, inner: &str) -> bool {
    under(inner, folder)
}

fn depth_below(path: &str, folder: &str) -> Option<usize> {
    let rest = path.strip_prefix(folder)?.strip_prefix('/')?;
    Some(rest.split('/').filter(|part| !part.is_empty()).count())
}

/// An absolute path without `.`, `..` and doubled slashes. A `..` at the root stays there.
pub fn normalise(path: &str) -> String {
    let (drive, rest) = if is_windows(path) { path.split_at(2) } else { ("", path) };
    let mut parts: Vec<&str> = Vec::new();
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("{drive}/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Places<'_> = Places {
        cwd: "/home/user/demo/sub",
        project: "/home/user/demo",
        home: "/home/user",
    };

    fn place(text: &str) -> Place {
        let word = Word {
            text: text.into(),
            known: true,
            glob: false,
        };
        HERE.locate(&word, Some(HERE.cwd)).0
    }

    #[test]
    fn a_path_is_told_by_where_it_leads() {
        for (text, expected) in [
            ("/", Place::Root),
            ("/*", Place::Root),
            ("//", Place::Root),
            ("/tmp/../", Place::Root),
            ("C:\\", Place::Root),
            ("/etc/passwd", Place::System),
            ("/tmp/../etc", Place::System),
            ("$TMPDIR/../etc", Place::System),
            ("/tmp", Place::System),
            ("C:\\Windows\\System32", Place::System),
            ("/home", Place::Home),
            ("~", Place::Home),
            ("$HOME/", Place::Home),
            ("~/*", Place::Home),
            ("~/.*", Place::Home),
            ("../../..", Place::Home),
            ("/home/other", Place::Home),
            ("~other", Place::Home),
            ("~/Documents", Place::InHome),
            ("..", Place::Project),
            ("../*", Place::Project),
            ("$PWD/..", Place::Project),
            ("../..", Place::Home),
            (".", Place::InProject),
            ("*", Place::InProject),
            ("build", Place::InProject),
            ("${TMPDIR:-/tmp}/build", Place::Temp),
            ("/tmp/*", Place::Temp),
            ("/var/tmp/x", Place::Temp),
            ("$tmpdir/x", Place::Temp),
            ("$(mktemp -d)", Place::Temp),
            ("/dev/sda", Place::Device),
            ("/dev/null", Place::Sink),
            ("/data/x", Place::Outside),
            ("$X", Place::Unknown),
            ("$X/*", Place::Unknown),
            ("~-/x", Place::Unknown),
        ] {
            assert_eq!(place(text), expected, "{text}");
        }
    }

    #[test]
    fn a_relative_path_in_an_unknown_directory_is_unknown() {
        let word = Word {
            text: "build".into(),
            known: true,
            glob: false,
        };
        assert_eq!(HERE.locate(&word, None).0, Place::Unknown);
    }

    #[test]
    fn a_home_under_tmp_is_home_and_not_temporary() {
        let here = Places {
            cwd: "/srv/demo",
            project: "/srv/demo",
            home: "/tmp/home",
        };
        let locate = |text: &str| here.classify(text);
        assert_eq!(locate("/tmp/home"), Place::Home);
        assert_eq!(locate("/tmp/home/Documents"), Place::InHome);
        assert_eq!(locate("/tmp/build"), Place::Temp);
    }
}
