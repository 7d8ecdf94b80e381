//! Paths as agents write them, made absolute and plain. No file system: symlinks are for who has one.

/// What the host knows beside the payload. Each is used where the payload does not say it itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings<'a> {
    /// The project's root, as the agent's variable names it (`CLAUDE_PROJECT_DIR`, …).
    pub project: Option<&'a str>,
    /// The directory that the hook was started in.
    pub cwd: Option<&'a str>,
    /// The user's home directory: what `~` stands for.
    pub home: Option<&'a str>,
}

/// Makes the paths of one event absolute.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paths<'a> {
    pub(crate) cwd: &'a str,
    pub(crate) home: Option<&'a str>,
}

impl Paths<'_> {
    /// `path` as it will be opened: a `file:` URL is unwrapped, `~` and relative paths are expanded, `.`, `..` and repeated slashes resolved.
    ///
    /// `..` is resolved by its text: the agents do the same (`path.resolve` of Node) before they open the file.
    pub(crate) fn absolute(&self, path: &str) -> String {
        let path = match path.strip_prefix("file://") {
            // `file://localhost/x` and `file:///x` are the same file.
            Some(rest) => percent_decoded(rest.strip_prefix("localhost").unwrap_or(rest)),
            None => path.to_owned(),
        };
        if is_windows(&path) {
            return path;
        }
        if path == "~" || path.starts_with("~/") {
            return match self.home {
                Some(home) => plain(&format!("{home}/{}", &path[1..])),
                // Joined to the current directory it would look like a file of the project.
                None => path,
            };
        }
        if path.starts_with('/') || self.cwd.is_empty() {
            return plain(&path);
        }
        plain(&format!("{}/{path}", self.cwd))
    }
}

/// A drive or a share: `C:\x`, `C:/x`, `\\host\x`. Left as it is.
fn is_windows(path: &str) -> bool {
    let bytes = path.as_bytes();
    let drive =
        bytes.len() >= 3 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':' && matches!(bytes[2], b'\\' | b'/');
    drive || path.starts_with("\\\\")
}

fn plain(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if rooted => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".into(),
        (false, false) => joined,
    }
}

fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while i < bytes.len() {
        let hex = |at: usize| bytes.get(at).and_then(|b| char::from(*b).to_digit(16));
        match (bytes[i], hex(i + 1), hex(i + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                i += 3;
            }
            (byte, ..) => {
                out.push(byte);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_file_becomes_one_absolute_path() {
        let paths = Paths {
            cwd: "/srv/demo",
            home: Some("/home/user"),
        };
        for (given, want) in [
            ("a.txt", "/srv/demo/a.txt"),
            ("./config/../.env", "/srv/demo/.env"),
            ("//srv//demo//.env", "/srv/demo/.env"),
            ("../../../../etc/passwd", "/etc/passwd"),
            ("~/.ssh/id_rsa", "/home/user/.ssh/id_rsa"),
            ("~", "/home/user"),
            ("file:///etc/pass%77d", "/etc/passwd"),
            ("file://localhost/etc/passwd", "/etc/passwd"),
            ("C:\\Users\\x", "C:\\Users\\x"),
            ("", "/srv/demo"),
            ("/", "/"),
            ("%zz", "/srv/demo/%zz"),
        ] {
            assert_eq!(paths.absolute(given), want, "{given}");
        }
    }

    #[test]
    fn without_a_home_a_tilde_is_not_taken_for_a_file_of_the_project() {
        let paths = Paths {
            cwd: "/srv/demo",
            home: None,
        };
        assert_eq!(paths.absolute("~/.ssh/id_rsa"), "~/.ssh/id_rsa");
    }

    #[test]
    fn without_a_current_directory_a_relative_path_stays_relative() {
        let paths = Paths { cwd: "", home: None };
        assert_eq!(paths.absolute("a/../../b"), "../b");
        assert_eq!(paths.absolute("."), ".");
    }
}
