//! Branches and history: what moves, renames or deletes a protected branch, commits on one, rewrites what is published.

use crate::repository::Repository;
use crate::{GuardGit, Protect, found};
use hookbox_pack::git::Git;
use hookbox_pack::words::{dashed, is_option};
use hookbox_pack::{Finding, Severity};
use hookbox_sdk::Host;

const OWN_BRANCH: &str = "work on a branch of your own (`git switch -c NAME`) and open a pull request";

pub(crate) fn judge<H: Host>(guard: &GuardGit, git: &Git, repository: &Repository<'_, H>, findings: &mut Vec<Finding>) {
    let operands: Vec<&str> = git
        .args
        .iter()
        .map(|word| word.text.as_str())
        .filter(|text| !is_option(&dashed(text)))
        .collect();
    let named = || operands.iter().copied().find(|name| guard.is_protected(name));
    let on_protected = || repository.branch().filter(|branch| guard.is_protected(branch));
    match git.subcommand.as_str() {
        "branch" if git.has(&["-D", "-d", "--delete"]) => {
            if let Some(name) = named() {
                let severity = if git.has(&["-D", "-f", "--force"]) {
                    Severity::Block
                } else {
                    Severity::Ask
                };
                found(
                    findings,
                    "branch-delete",
                    severity,
                    format!("{name} is protected: leave it; delete branches that you made"),
                );
            }
        }
        // With one name, `-M` names the current branch anew: how a new repository gets its `main`.
        "branch" if git.has(&["-f", "--force", "-M", "-m", "--move", "-C"]) && operands.len() > 1 => {
            if let Some(name) = named() {
                found(
                    findings,
                    "branch-move",
                    Severity::Ask,
                    format!("{name} is protected, and this moves or renames it: {OWN_BRANCH}"),
                );
            }
        }
        "checkout" if git.has(&["-B"]) => reset_branch(guard, &operands, findings),
        "switch" if git.has(&["-C", "--force-create"]) => reset_branch(guard, &operands, findings),
        "update-ref" => {
            if let Some(name) = named() {
                found(
                    findings,
                    "branch-move",
                    Severity::Ask,
                    format!("{name} is protected, and this moves it without a check: {OWN_BRANCH}"),
                );
            }
        }
        "commit" | "merge" | "cherry-pick" | "revert" | "am" => {
            if let Some(branch) = on_protected() {
                let severity = if guard.protect >= Protect::Commit {
                    Severity::Ask
                } else {
                    Severity::Paranoid
                };
                found(
                    findings,
                    "commit-protected",
                    severity,
                    format!("the current branch, {branch}, is protected: {OWN_BRANCH}"),
                );
            }
            if git.subcommand == "commit" && git.has(&["--amend"]) {
                found(
                    findings,
                    "commit-amend",
                    Severity::Strict,
                    "amending rewrites a commit that may be pushed already: make a new commit",
                );
            }
        }
        "rebase" if git.has(&["--root"]) => {
            found(
                findings,
                "history-rewrite",
                Severity::Ask,
                "a rebase from the root rewrites every commit, published ones too: rebase your own commits (`git rebase main`)",
            );
        }
        "rebase" if !git.has(&["--abort", "--continue", "--quit", "--skip", "--show-current-patch"]) => {
            if let Some(branch) = on_protected() {
                found(
                    findings,
                    "history-rewrite",
                    Severity::Strict,
                    format!("rebasing {branch} rewrites what others have: {OWN_BRANCH}"),
                );
            }
        }
        "filter-branch" | "filter-repo" => {
            found(
                findings,
                "history-rewrite",
                Severity::Ask,
                "rewrites the whole history, and everybody's clones with it: work on a fresh clone and agree with the others first",
            );
        }
        "replace" if !git.has(&["-l", "--list", "-d", "--delete"]) && !operands.is_empty() => {
            found(
                findings,
                "history-rewrite",
                Severity::Ask,
                "git replace makes git show other commits than there are: make a new commit",
            );
        }
        "tag" if git.has(&["-f", "--force"]) => {
            found(
                findings,
                "tag-move",
                Severity::Strict,
                "moving a tag changes what a release means: make a new tag",
            );
        }
        _ => {}
    }
}

fn reset_branch(guard: &GuardGit, operands: &[&str], findings: &mut Vec<Finding>) {
    if let Some(name) = operands.iter().find(|name| guard.is_protected(name)) {
        found(
            findings,
            "branch-move",
            Severity::Ask,
            format!("{name} is protected, and this moves it to another commit: {OWN_BRANCH}"),
        );
    }
}
