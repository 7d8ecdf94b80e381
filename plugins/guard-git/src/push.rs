//! Where a push would land, and whether it overwrites or deletes what is there.

use crate::repository::Repository;
use crate::{GuardGit, Protect, found};
use hookbox_pack::git::Git;
use hookbox_pack::words::{abbreviates, dashed};
use hookbox_pack::{Finding, Severity};
use hookbox_sdk::Host;

/// A push, taken apart.
#[derive(Debug, Default, PartialEq, Eq)]
struct Push {
    force: bool,
    lease: bool,
    mirror: bool,
    prune: bool,
    delete: bool,
    dry_run: bool,
    all: bool,
    refspecs: Vec<Refspec>,
}

/// `[+]source:destination`.
#[derive(Debug, PartialEq, Eq)]
struct Refspec {
    force: bool,
    delete: bool,
    /// None where it cannot be told.
    destination: Option<String>,
}

/// Options whose value is the next word.
const VALUED: [&str; 5] = ["-o", "--push-option", "--receive-pack", "--exec", "--repo"];

impl Push {
    fn parse<H: Host>(git: &Git, repository: &Repository<'_, H>) -> Self {
        let mut push = Push::default();
        let mut operands = Vec::new();
        let mut words = git.args.iter();
        let mut options = true;
        while let Some(word) = words.next() {
            let text = dashed(&word.text);
            if options && text == "--" {
                options = false;
            } else if options && text.len() > 1 && text.starts_with('-') {
                push.option(&text);
                if VALUED.contains(&&*text) {
                    words.next();
                }
            } else {
                operands.push(word);
            }
        }
        let remote = operands.first().map_or("origin", |word| word.text.as_str());
        let configured = |name: &str| repository.setting(git, &format!("remote.{remote}.{name}"));
        push.mirror |= configured("mirror").is_some_and(|value| value == "true");
        let branch = repository.branch();
        for word in operands.iter().skip(1) {
            let text = if word.known { Some(word.text.as_str()) } else { None };
            push.refspecs.push(Refspec::parse(
                text.unwrap_or(&word.text),
                word.known,
                branch,
                push.delete,
            ));
        }
        if push.refspecs.is_empty() && !push.all && !push.mirror {
            let given = configured("push");
            push.refspecs.push(match given {
                Some(text) => Refspec::parse(&text, true, branch, false),
                None => Refspec {
                    force: false,
                    delete: false,
                    destination: upstream(git, repository, branch),
                },
            });
        }
        push
    }

    fn option(&mut self, text: &str) {
        let lower = text.to_ascii_lowercase();
        let name = lower.split('=').next().unwrap_or("");
        let long = |full: &str, least: usize| abbreviates(name, full, least);
        if name == "--force" || name == "--forc" {
            self.force = true;
        } else if name.starts_with("--force-with-lease") || long("--force-with-lease", 7) {
            self.lease = true;
        } else if long("--mirror", 3) {
            self.mirror = true;
        } else if long("--prune", 5) {
            self.prune = true;
        } else if long("--delete", 4) {
            self.delete = true;
        } else if long("--dry-run", 4) {
            self.dry_run = true;
        } else if long("--all", 4) || long("--branches", 4) {
            self.all = true;
        } else if !text.starts_with("--") {
            // A cluster, up to an option that takes the rest as its value.
            for letter in text[1..].chars() {
                match letter {
                    'f' => self.force = true,
                    'd' => self.delete = true,
                    'n' => self.dry_run = true,
                    'o' => break,
                    _ => {}
                }
            }
        }
    }
}

impl Refspec {
    fn parse(text: &str, known: bool, branch: Option<&str>, delete: bool) -> Self {
        let (force, text) = match text.strip_prefix('+') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (source, destination) = text.split_once(':').unwrap_or((text, text));
        let delete = delete || (source.is_empty() && !destination.is_empty());
        let destination = match destination {
            "HEAD" | "@" => branch.map(str::to_string),
            "" => branch.map(str::to_string),
            name if known => Some(name.trim_start_matches("refs/heads/").to_string()),
            _ => None,
        };
        Refspec {
            force,
            delete,
            destination,
        }
    }
}

/// Where a push without a refspec lands.
fn upstream<H: Host>(git: &Git, repository: &Repository<'_, H>, branch: Option<&str>) -> Option<String> {
    let branch = branch?;
    if repository.setting(git, "push.default").as_deref() == Some("upstream") {
        let merge = repository.setting(git, &format!("branch.{branch}.merge"))?;
        return Some(merge.trim_start_matches("refs/heads/").into());
    }
    Some(branch.into())
}

pub(crate) fn judge<H: Host>(guard: &GuardGit, git: &Git, repository: &Repository<'_, H>, findings: &mut Vec<Finding>) {
    if git.subcommand == "send-pack" && git.has(&["--force", "--mirror"]) {
        return found(
            findings,
            "push-force",
            Severity::Block,
            "git send-pack --force overwrites what others pushed: use `git push`",
        );
    }
    if git.subcommand != "push" {
        return;
    }
    let push = Push::parse(git, repository);
    if push.dry_run {
        return;
    }
    if push.mirror {
        found(
            findings,
            "push-mirror",
            Severity::Block,
            "a mirror push overwrites and deletes every branch and tag of the remote that is not here: push the branches that you mean",
        );
    }
    if push.prune {
        found(
            findings,
            "push-prune",
            Severity::Ask,
            "git push --prune deletes the remote's branches that are not here: delete the one you mean, by name",
        );
    }
    let protected = |refspec: &Refspec| {
        refspec
            .destination
            .as_deref()
            .is_some_and(|name| guard.is_protected(name))
    };
    if (push.all || push.refspecs.is_empty()) && push.force && !push.mirror {
        found(
            findings,
            "push-force-protected",
            Severity::Block,
            "a force push of all branches overwrites protected ones too: push your own branch with `git push --force-with-lease origin BRANCH`",
        );
    }
    for refspec in &push.refspecs {
        let name = refspec.destination.as_deref().unwrap_or("it");
        if refspec.delete {
            let severity = if protected(refspec) {
                Severity::Block
            } else {
                Severity::Ask
            };
            found(
                findings,
                "push-delete",
                severity,
                format!(
                    "deletes {name} at the remote, for everybody: let the user confirm; a merged branch can be deleted on its pull request"
                ),
            );
        } else if push.force || refspec.force {
            if protected(refspec) {
                found(
                    findings,
                    "push-force-protected",
                    Severity::Block,
                    format!(
                        "{name} is protected, and a force push overwrites what others pushed there: push to a branch of your own and open a pull request"
                    ),
                );
            } else {
                found(
                    findings,
                    "push-force",
                    Severity::Block,
                    "a force push overwrites what others pushed: use `git push --force-with-lease`, which refuses when the remote has what you have not seen",
                );
            }
        } else if push.lease {
            if protected(refspec) {
                found(
                    findings,
                    "push-force-protected",
                    Severity::Ask,
                    format!(
                        "{name} is protected, and this overwrites its history: push to a branch of your own and open a pull request"
                    ),
                );
            } else {
                found(
                    findings,
                    "push-lease",
                    Severity::Paranoid,
                    "rewrites the branch at the remote: say that nobody else works on it",
                );
            }
        } else if protected(refspec) {
            let severity = if guard.protect >= Protect::Push {
                Severity::Ask
            } else {
                Severity::Paranoid
            };
            found(
                findings,
                "push-protected",
                severity,
                format!("{name} is protected: push to a branch of your own and open a pull request"),
            );
        }
    }
}
