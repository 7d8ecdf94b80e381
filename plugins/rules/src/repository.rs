//! The branch that is checked out, from `.git/HEAD`.

use hookbox_sdk::{ErrorCode, Host, Kind};

/// What can be said about the branch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Branch {
    /// Its name; `HEAD` where none is checked out.
    Named(String),
    /// Not in a repository.
    None,
    /// There is one, but it cannot be read: a rule that forbids holds it for every branch, one that allows for none.
    Unknown,
}

/// A HEAD file is one line; more is not one.
const MAX_HEAD: u64 = 4096;

/// The branch of the repository around `folder`. `project` is where reading is granted; above and below it the grant
/// `stat` tells whether there is a repository at all.
pub(crate) fn branch(folder: &str, project: &str, host: &impl Host) -> Branch {
    let mut at = folder.trim_end_matches('/');
    loop {
        let git = format!("{at}/.git");
        match host.read(&format!("{git}/HEAD"), MAX_HEAD) {
            Ok(head) => return name(&head),
            Err(ErrorCode::NotFound | ErrorCode::NotGranted) => match host.metadata_of(&git) {
                // A worktree's or submodule's `.git` is a file that says where its HEAD is.
                Ok(found) if found.kind == Kind::File => {
                    return host
                        .read(&git, MAX_HEAD)
                        .map_or(Branch::Unknown, |file| linked(at, &file, host));
                }
                Ok(_) => return Branch::Unknown,
                Err(ErrorCode::NotFound) => {}
                Err(ErrorCode::NotGranted) if at != project.trim_end_matches('/') => {}
                Err(_) => return Branch::Unknown,
            },
            Err(_) => return Branch::Unknown,
        }
        match at.rsplit_once('/') {
            Some((parent, _)) => at = parent,
            None => return Branch::None,
        }
    }
}

fn linked(folder: &str, file: &[u8], host: &impl Host) -> Branch {
    let text = String::from_utf8_lossy(file);
    let Some(target) = text.trim().strip_prefix("gitdir:").map(str::trim) else {
        return Branch::Unknown;
    };
    let target = if target.starts_with('/') {
        target.to_string()
    } else {
        format!("{folder}/{target}")
    };
    host.read(&format!("{target}/HEAD"), MAX_HEAD)
        .map_or(Branch::Unknown, |head| name(&head))
}

fn name(head: &[u8]) -> Branch {
    let text = String::from_utf8_lossy(head);
    let text = text.trim();
    match text.strip_prefix("ref:").map(str::trim) {
        Some(reference) => Branch::Named(reference.strip_prefix("refs/heads/").unwrap_or(reference).to_string()),
        None if text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) => Branch::Named("HEAD".into()),
        None => Branch::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hookbox_sdk::test::TestHost;

    fn host(files: &[(&str, &str)]) -> TestHost {
        let files = files
            .iter()
            .map(|(path, text)| (path.to_string(), text.as_bytes().to_vec()))
            .collect();
        TestHost {
            files,
            ..TestHost::default()
        }
    }

    #[test]
    fn it_is_read_from_the_repository_around_the_folder() {
        let host = host(&[("/p/.git/HEAD", "ref: refs/heads/release/2\n")]);
        assert_eq!(branch("/p/src/deep", "/p", &host), Branch::Named("release/2".into()));
        assert_eq!(branch("/q", "/q", &host), Branch::None);
    }

    #[test]
    fn a_worktree_names_its_head_elsewhere() {
        let host = host(&[
            ("/w/.git", "gitdir: /p/.git/worktrees/w\n"),
            ("/p/.git/worktrees/w/HEAD", "ref: refs/heads/x"),
        ]);
        assert_eq!(branch("/w", "/w", &host), Branch::Named("x".into()));
    }

    #[test]
    fn a_detached_head_is_called_head_and_rubbish_is_unknown() {
        let hash = "0123456789abcdef0123456789abcdef01234567";
        assert_eq!(
            branch("/p", "/p", &host(&[("/p/.git/HEAD", hash)])),
            Branch::Named("HEAD".into())
        );
        assert_eq!(branch("/p", "/p", &host(&[("/p/.git/HEAD", "?")])), Branch::Unknown);
        assert_eq!(
            branch("/p", "/p", &host(&[("/p/.git", "gitdir: /gone")])),
            Branch::Unknown
        );
    }
}
