//! What the repository says of itself: the current branch and its own configuration. Nothing here is needed for a block;
//! where it cannot be read, what depends on it is not known and is treated so.

use hookbox_pack::Places;
use hookbox_pack::git::Git;
use hookbox_pack::path::under;
use hookbox_sdk::{Event, Host, SimpleCommand};
use std::cell::OnceCell;

/// Bytes of `.git/config` that are read.
const CONFIG_BYTES: u64 = 256 * 1024;

/// The repository that a call of git works on.
pub(crate) struct Repository<'a, H> {
    host: &'a H,
    /// `.git` of the project; none where the call works elsewhere.
    folder: Option<String>,
    head: OnceCell<Option<String>>,
    config: OnceCell<Vec<(String, String)>>,
}

impl<'a, H: Host> Repository<'a, H> {
    pub(crate) fn find(event: &Event, host: &'a H, command: &SimpleCommand, git: &Git) -> Self {
        let places = Places::of(event);
        let mut at = places.directory(command);
        for directory in &git.directories {
            at = at.and_then(|at| places.absolute(directory, Some(&at)));
        }
        let project = hookbox_pack::path::normalise(&event.project);
        let folder = match (&git.git_dir, at) {
            (Some(given), at) => places.absolute(given, at.as_deref()),
            (None, Some(at)) if under(&at, &project) => Some(format!("{project}/.git")),
            _ => None,
        };
        // The grant is for the project's repository alone.
        let folder = folder.filter(|folder| *folder == format!("{project}/.git"));
        Repository {
            host,
            folder,
            head: OnceCell::new(),
            config: OnceCell::new(),
        }
    }

    fn file(&self, name: &str, max: u64) -> Option<String> {
        let folder = self.folder.as_ref()?;
        String::from_utf8(self.host.read(&format!("{folder}/{name}"), max).ok()?).ok()
    }

    /// The current branch; none where there is none or it cannot be told.
    pub(crate) fn branch(&self) -> Option<&str> {
        let read = || {
            Some(
                self.file("HEAD", 4096)?
                    .trim()
                    .strip_prefix("ref: refs/heads/")?
                    .to_string(),
            )
        };
        self.head.get_or_init(read).as_deref()
    }

    fn config(&self) -> &[(String, String)] {
        self.config.get_or_init(|| {
            self.file("config", CONFIG_BYTES)
                .map_or_else(Vec::new, |text| parse(&text))
        })
    }

    /// What a name is set to: by `-c`, or else by the repository.
    pub(crate) fn setting(&self, git: &Git, name: &str) -> Option<String> {
        if let Some(value) = git.config(&name.to_ascii_lowercase()) {
            return Some(value.into());
        }
        self.config()
            .iter()
            .rev()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.clone())
    }

    /// What the subcommand stands for, if it is an alias. git does not let an alias hide a command of its own.
    pub(crate) fn alias(&self, git: &Git) -> Option<String> {
        if git.subcommand.is_empty() || OWN.contains(&git.subcommand.as_str()) {
            return None;
        }
        self.setting(git, &format!("alias.{}", git.subcommand))
    }
}

/// git's configuration file: `section.sub.name` → value. Sections and names in lower case, as git compares them.
fn parse(text: &str) -> Vec<(String, String)> {
    let mut section = String::new();
    let mut entries = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        if let Some(head) = line.strip_prefix('[') {
            let head = head.split(']').next().unwrap_or("");
            section = match head.split_once(' ') {
                Some((name, sub)) => format!("{}.{}", name.to_ascii_lowercase(), sub.trim().trim_matches('"')),
                None => head.to_ascii_lowercase(),
            };
        } else if !line.is_empty() && !line.starts_with(['#', ';']) {
            let (name, value) = line.split_once('=').unwrap_or((line, "true"));
            let value = value.trim().trim_matches('"').replace("\\\"", "\"");
            entries.push((format!("{section}.{}", name.trim().to_ascii_lowercase()), value));
        }
    }
    entries
}

/// Commands that exist, so that no alias can hide them: those that this plugin judges, and the everyday ones.
const OWN: [&str; 40] = [
    "add",
    "am",
    "apply",
    "bisect",
    "blame",
    "branch",
    "checkout",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "config",
    "describe",
    "diff",
    "fetch",
    "filter-branch",
    "gc",
    "grep",
    "init",
    "log",
    "ls-files",
    "merge",
    "mv",
    "notes",
    "pull",
    "push",
    "rebase",
    "reflog",
    "remote",
    "replace",
    "reset",
    "restore",
    "rev-parse",
    "revert",
    "rm",
    "show",
    "stash",
    "status",
    "switch",
    "tag",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_configuration_is_read_as_git_reads_it() {
        let entries =
            parse("[core]\n\tbare = false\n[alias]\n p = push --force\n[remote \"origin\"]\n\turl = x\n # c\n");
        assert!(entries.contains(&("alias.p".into(), "push --force".into())));
        assert!(entries.contains(&("remote.origin.url".into(), "x".into())));
        assert_eq!(entries.len(), 3);
    }
}
