//! One spelling for every path: what a tool, a command word or a glob names, so that guards compare places and not
//! texts. Lexical only: symlinks are the host's to follow (`files.resolve`).

/// The absolute, normalised spelling of `path`: `~`, `$HOME` and Windows forms replaced, `.`, `..`, doubled and
/// trailing separators removed. Parts that cannot be known (`$(pwd)`) stay as they are written.
pub fn absolute(path: &str, cwd: &str, home: &str) -> String {
    let path = path
        .strip_prefix("file://localhost")
        .or_else(|| path.strip_prefix("file://"))
        .unwrap_or(path);
    let mut text = path.replace('\\', "/");
    for prefix in ["//?/UNC/", "//?/", "//./"] {
        if let Some(rest) = text.strip_prefix(prefix) {
            text = rest.to_string();
            break;
        }
    }
    if let Some(stream) = text.to_ascii_lowercase().find("::$data") {
        text.truncate(stream);
    }
    if let Some(rest) = home_relative(&text, home) {
        text = rest;
    }
    // `C:/x` that somebody joined to a folder is still `C:/x`.
    if let Some(at) = text
        .find(":/")
        .and_then(|colon| colon.checked_sub(2))
        .filter(|at| text[*at..].starts_with('/'))
    {
        text = text[at + 1..].to_string();
    }
    if let Some((drive, rest)) = drive(&text) {
        // A file's alternate stream (`name:stream`) is a door to the same file.
        let rest = match rest.rsplit_once('/') {
            Some((folder, name)) => format!("{folder}/{}", name.split(':').next().unwrap_or(name)),
            None => rest.to_string(),
        };
        text = format!("/{drive}/{rest}");
    } else if !text.starts_with('/') {
        let cwd = cwd.replace('\\', "/");
        let cwd = drive(&cwd).map_or(cwd.clone(), |(drive, rest)| format!("/{drive}/{rest}"));
        text = format!("{cwd}/{text}");
    }
    unaliased(&dotless(&text), cwd)
}

/// `~/x`, `$HOME/x`, `~name/x` and their Windows cousins.
fn home_relative(text: &str, home: &str) -> Option<String> {
    const HOMES: [&str; 6] = [
        "~",
        "$HOME",
        "${HOME}",
        "%USERPROFILE%",
        "$env:USERPROFILE",
        "$env:HOME",
    ];
    for name in HOMES {
        if let Some(rest) = text.strip_prefix(name)
            && (rest.is_empty() || rest.starts_with('/'))
        {
            let home = if home.is_empty() { "/home/user" } else { home };
            return Some(format!("{home}{rest}"));
        }
    }
    let rest = text.strip_prefix('~')?;
    let (user, rest) = rest.split_once('/').unwrap_or((rest, ""));
    if user.is_empty()
        || !user
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
    {
        return None;
    }
    if user == "root" {
        return Some(format!("/root/{rest}"));
    }
    Some(format!("/home/{user}/{rest}"))
}

/// `C:/x` as (`c`, `x`).
fn drive(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    let letter = chars.next().filter(char::is_ascii_alphabetic)?;
    let rest = chars.as_str().strip_prefix(':')?;
    Some((letter.to_ascii_lowercase(), rest.strip_prefix('/').unwrap_or(rest)))
}

fn dotless(text: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Other names of the same folder: macOS's `/private`, the root and the cwd as `/proc` shows them.
fn unaliased(text: &str, cwd: &str) -> String {
    for alias in ["/private/etc", "/private/var", "/private/tmp"] {
        if inside(text, alias) {
            return text["/private".len()..].to_string();
        }
    }
    if let Some(rest) = text.strip_prefix("/System/Volumes/Data/") {
        return format!("/{rest}");
    }
    if let Some(rest) = text.strip_prefix("/proc/") {
        let mut parts = rest.splitn(3, '/');
        let (_, what, rest) = (parts.next(), parts.next(), parts.next().unwrap_or(""));
        match what {
            Some("root") => return format!("/{rest}"),
            Some("cwd") if !cwd.starts_with("/proc/") => return dotless(&format!("{cwd}/{rest}")),
            _ => {}
        }
    }
    text.to_string()
}

/// Whether `path` is `folder` or below it. Both normalised.
pub fn inside(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The last part of a path.
pub fn name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or(path)
}

/// For comparison: as a file system that ignores case would see it, without the characters that a person does not see
/// and with the look-alikes of ASCII replaced.
pub fn folded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            'A'..='Z' => out.push(c.to_ascii_lowercase()),
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' => {}
            '\u{ff01}'..='\u{ff5e}' => {
                let ascii = char::from_u32(c as u32 - 0xfee0).unwrap_or(c);
                out.push(ascii.to_ascii_lowercase());
            }
            '\u{2024}' | '\u{fe52}' | '\u{3002}' => out.push('.'),
            '\u{2044}' | '\u{2215}' => out.push('/'),
            '\u{17f}' => out.push('s'),
            '\u{212a}' => out.push('k'),
            '\u{131}' => out.push('i'),
            c => out.push(c),
        }
    }
    // Windows drops dots and blanks at the end of a name.
    if out.ends_with(['.', ' ']) && !out.ends_with("/.") && !out.ends_with("..") {
        out.truncate(out.trim_end_matches(['.', ' ']).len());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(path: &str) -> String {
        absolute(path, "/srv/demo", "/home/user")
    }

    #[test]
    fn every_spelling_of_a_file_is_one_path() {
        for spelling in [
            ".env",
            "./.env",
            "config/../.env",
            "//srv//demo//.env",
            "/srv/demo/.env/",
            "../demo/./.env",
        ] {
            assert_eq!(at(spelling), "/srv/demo/.env", "{spelling}");
        }
        for spelling in [
            "C:\\work\\.env",
            "c:/work/.env",
            "\\\\?\\C:\\work\\.env",
            "C:\\work\\.env::$DATA",
            "/c/work/.env",
        ] {
            assert_eq!(at(spelling), "/c/work/.env", "{spelling}");
        }
    }

    #[test]
    fn home_is_known_in_its_spellings() {
        for spelling in ["~/.ssh", "$HOME/.ssh", "${HOME}/.ssh", "~user/.ssh"] {
            assert_eq!(at(spelling), "/home/user/.ssh", "{spelling}");
        }
        assert_eq!(at("~root/.ssh"), "/root/.ssh");
        assert_eq!(at("~+x!/y"), "/srv/demo/~+x!/y");
    }

    #[test]
    fn dots_never_climb_over_the_root() {
        assert_eq!(at("../../../../etc/passwd"), "/etc/passwd");
        assert_eq!(at("/.."), "/");
    }

    #[test]
    fn aliases_of_a_folder_are_the_folder() {
        assert_eq!(at("/private/etc/sudoers"), "/etc/sudoers");
        assert_eq!(at("/proc/self/root/etc/shadow"), "/etc/shadow");
        assert_eq!(at("/proc/1/cwd/.env"), "/srv/demo/.env");
        assert_eq!(at("file:///etc/shadow"), "/etc/shadow");
    }

    #[test]
    fn look_alikes_fold_to_what_they_look_like() {
        assert_eq!(folded("/a/.EnV"), "/a/.env");
        assert_eq!(folded("/a/\u{ff0e}env"), "/a/.env");
        assert_eq!(folded("/a/.g\u{200c}it"), "/a/.git");
        assert_eq!(folded("/a/.env. "), "/a/.env");
    }

    #[test]
    fn inside_is_by_folder_and_not_by_text() {
        assert!(inside("/srv/demo/a", "/srv/demo") && inside("/srv/demo", "/srv/demo/"));
        assert!(!inside("/srv/demo-2/a", "/srv/demo"));
        assert!(inside("/etc", "/"));
    }
}
