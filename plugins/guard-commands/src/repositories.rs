//! git commands that throw work away: uncommitted changes, stashes, branches, history. What concerns others (pushes to
//! protected branches, skipped hooks) is guard-git's.

use crate::judge::Scene;
use Severity::{Ask, Block};
use hookbox_pack::git::{Alias, Git};
use hookbox_pack::words::{dashed, is_option};
use hookbox_pack::{Finding, Severity};
use hookbox_sdk::SimpleCommand;

pub(crate) fn judge(_: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    if let Some(git) = Git::parse(command) {
        call(&git, 0, findings);
    }
}

fn call(git: &Git, depth: usize, findings: &mut Vec<Finding>) {
    if depth < 3
        && let Some(alias) = git.config(&format!("alias.{}", git.subcommand))
        && let Alias::Git(expanded) = git.expand(alias)
    {
        call(&expanded, depth + 1, findings);
    }
    let operands: Vec<&str> = git
        .args
        .iter()
        .map(|word| word.text.as_str())
        .filter(|text| !is_option(&dashed(text)))
        .collect();
    let first = operands.first().copied().unwrap_or("");
    let pathspecs = git
        .args
        .iter()
        .position(|word| word.text == "--")
        .is_some_and(|at| at + 1 < git.args.len());
    if git.args.first().is_some_and(|word| word.text == "--help") {
        return; // Its page of the manual, whatever follows.
    }
    let mut found = |rule: &'static str, severity: Severity, reason: &'static str| {
        findings.push(Finding::new(rule, severity, reason));
    };
    match git.subcommand.as_str() {
        "reset" if long(git, "--hard", 4) || long(git, "--merge", 5) => {
            found(
                "git-reset-hard",
                Ask,
                "git reset --hard throws away uncommitted work: `git stash` first, or `git reset --keep`, or `git restore FILE` for one file",
            );
        }
        "clean"
            if !git.has(&["-n", "--dry-run", "-i", "--interactive"])
                && (git.has(&["-f"])
                    || long(git, "--force", 3)
                    || git.config("clean.requireforce").is_some_and(|value| value == "false")) =>
        {
            found(
                "git-clean",
                Ask,
                "git clean -f deletes untracked files for good: `git clean -n` lists them; then delete by name, or `git stash -u`",
            );
        }
        "checkout" if discards(git, first, pathspecs, &operands) => {
            found(
                "git-checkout",
                Ask,
                "git checkout of paths throws away their uncommitted changes: `git stash push -- PATH`, or `git diff > saved.patch` first",
            );
        }
        "switch"
            if git.has(&["-f", "--discard-changes"])
                || long(git, "--force", 7)
                || long(git, "--discard-changes", 4) =>
        {
            found(
                "git-checkout",
                Ask,
                "git switch --force throws away uncommitted changes: `git stash` first, or `git switch --merge`",
            );
        }
        "restore" if git.has(&["-W", "--worktree"]) || !git.has(&["-S", "--staged"]) && !operands.is_empty() => {
            found(
                "git-restore",
                Ask,
                "git restore throws away uncommitted changes: `git stash push -- PATH` keeps them; `git restore --staged` only unstages",
            );
        }
        "stash" if matches!(first, "drop" | "clear") => {
            found(
                "git-stash-drop",
                Ask,
                "a dropped stash is lost: `git stash show -p` first, or `git stash branch NAME` to keep it",
            );
        }
        "branch" if git.has(&["-D"]) || (git.has(&["-d", "--delete"]) && git.has(&["-f", "--force"])) => {
            found(
                "git-branch-delete",
                Ask,
                "git branch -D deletes commits that are merged nowhere: `git branch -d` refuses where something would be lost",
            );
        }
        "tag" if git.has(&["-d", "--delete"]) => {
            found(
                "git-tag-delete",
                Ask,
                "deleting a tag loses the name of a release: list it with `git show TAG` first",
            );
        }
        "push" if pushes_by_force(git) => {
            found(
                "git-push-force",
                Block,
                "a force push overwrites what others pushed: use `git push --force-with-lease` on your own branch",
            );
        }
        "filter-branch" | "filter-repo" => {
            found(
                "git-filter-branch",
                Ask,
                "rewrites the whole history: work on a fresh clone, and agree with everybody who has one",
            );
        }
        "reflog" if matches!(first, "expire" | "delete") => {
            found(
                "git-reflog",
                Ask,
                "the reflog is the last way back to lost commits: leave it",
            );
        }
        "gc" if git.args.iter().any(|word| {
            word.text.starts_with("--prune=") && !word.text.contains("week") && !word.text.contains("never")
        }) =>
        {
            found(
                "git-gc-prune",
                Ask,
                "git gc --prune=now deletes commits that no branch names: plain `git gc` keeps them for two weeks",
            );
        }
        "prune" if !git.has(&["-n", "--dry-run"]) => found(
            "git-gc-prune",
            Ask,
            "git prune deletes commits that no branch names: plain `git gc` keeps them for two weeks",
        ),
        "update-ref" if git.has(&["-d"]) || long(git, "--stdin", 4) => {
            found(
                "git-update-ref",
                Ask,
                "git update-ref -d deletes a branch without a check: use `git branch -d`",
            );
        }
        "worktree" if first == "remove" && (git.has(&["-f"]) || long(git, "--force", 3)) => {
            found(
                "git-worktree-remove",
                Ask,
                "git worktree remove --force deletes its uncommitted work: leave --force out",
            );
        }
        "rm" if (git.has(&["-f"]) || long(git, "--force", 3))
            && !long(git, "--cached", 4)
            && !git.has(&["-n", "--dry-run"]) =>
        {
            found(
                "git-rm-force",
                Ask,
                "git rm -f deletes files with uncommitted changes: leave -f out, or `git rm --cached`",
            );
        }
        "submodule" if first == "deinit" && (git.has(&["-f", "--all"]) || long(git, "--force", 3)) => {
            found(
                "git-submodule-deinit",
                Ask,
                "git submodule deinit --force deletes its uncommitted work",
            );
        }
        "submodule" if first == "update" && (git.has(&["-f"]) || long(git, "--force", 4)) => found(
            "git-checkout",
            Ask,
            "git submodule update --force throws away uncommitted changes in the submodules: `git stash` in them first",
        ),
        "fetch" | "pull" if operands.iter().any(|text| text.starts_with('+') && text.contains(':')) => found(
            "git-fetch-force",
            Ask,
            "a forced refspec overwrites the local branch: fetch without `+`, then compare",
        ),
        "lfs" if first == "prune" && long(git, "--force", 5) => found(
            "git-gc-prune",
            Ask,
            "git lfs prune --force deletes local copies of large files",
        ),
        "read-tree" if git.has(&["--reset"]) => found(
            "git-reset-hard",
            Ask,
            "git read-tree --reset throws away uncommitted work: `git stash` first",
        ),
        "checkout-index" if git.has(&["-f", "--force"]) => found(
            "git-checkout",
            Ask,
            "git checkout-index -f overwrites uncommitted changes: `git stash` first",
        ),
        "remote" if matches!(first, "remove" | "rm") => {
            found("git-remote-remove", Ask, "removing a remote loses its branches here")
        }
        _ => {}
    }
}

/// A long option or an abbreviation of it, in any case: `--hard` is meant by `--HARD`, though git refuses that.
fn long(git: &Git, name: &str, least: usize) -> bool {
    git.options()
        .any(|word| hookbox_pack::words::abbreviates(&dashed(&word.text).to_ascii_lowercase(), name, least))
}

/// Whether `git checkout` puts files back rather than switching branches.
fn discards(git: &Git, first: &str, pathspecs: bool, operands: &[&str]) -> bool {
    if git.has(&["-f"]) || long(git, "--force", 5) {
        return true;
    }
    if git.has(&[
        "-b", "-B", "--orphan", "-t", "--track", "--detach", "-d", "-p", "--patch",
    ]) {
        return false;
    }
    let looks_like_path = first == "." || first.starts_with("./") || first.starts_with(":/") || first.starts_with('*');
    pathspecs
        || looks_like_path
        || operands.len() > 1
        || long(git, "--pathspec-from-file", 5)
        || long(git, "--ours", 5)
        || long(git, "--theirs", 5)
}

/// `--force`, `-f`, `--mirror`, `+refspec`; `--force-with-lease` alone is the careful way.
fn pushes_by_force(git: &Git) -> bool {
    if git.has(&["-n"]) || long(git, "--dry-run", 4) {
        return false;
    }
    let forced = git.options().any(|word| {
        let text = dashed(&word.text).to_ascii_lowercase();
        let name = text.split('=').next().unwrap_or("");
        name == "--mirror"
            || (name == "--force" || name == "--forc")
            || (name.len() > 1 && !name.starts_with("--") && name[1..].contains('f') && !name.contains("o="))
    });
    forced
        || git
            .args
            .iter()
            .any(|word| word.text.starts_with('+') && word.text.len() > 1)
}

/// Texts that git would hand to a shell: shell aliases and commands given with `-c`.
pub(crate) fn shell_texts(command: &SimpleCommand) -> Vec<String> {
    let Some(git) = Git::parse(command) else {
        return Vec::new();
    };
    let mut texts = Vec::new();
    for (name, value) in &git.config {
        let runs = matches!(
            name.as_str(),
            "core.sshcommand"
                | "core.pager"
                | "core.editor"
                | "core.fsmonitor"
                | "sequence.editor"
                | "credential.helper"
                | "diff.external"
                | "core.askpass"
                | "gpg.program"
                | "core.gitproxy"
        ) || name.starts_with("pager.")
            || name.ends_with(".cmd")
            || name.ends_with(".textconv")
            || name.ends_with(".clean")
            || name.ends_with(".smudge");
        if runs {
            texts.push(value.trim_start_matches('!').to_string());
        } else if name.starts_with("alias.") && value.trim_start().starts_with('!') {
            texts.push(value.trim_start().trim_start_matches('!').to_string());
        }
    }
    match git.subcommand.as_str() {
        "rebase" => texts.extend(
            hookbox_pack::words::value(&git.args, "--exec")
                .or_else(|| hookbox_pack::words::value(&git.args, "-x"))
                .map(str::to_string),
        ),
        "bisect" if git.args.first().is_some_and(|word| word.text == "run") => {
            texts.push(
                git.args[1..]
                    .iter()
                    .map(|word| word.text.as_str())
                    .collect::<Vec<_>>()
                    .join(" "),
            );
        }
        "submodule" if git.args.first().is_some_and(|word| word.text == "foreach") => {
            let words = git.args[1..].iter().filter(|word| !word.text.starts_with('-'));
            texts.push(words.map(|word| word.text.as_str()).collect::<Vec<_>>().join(" "));
        }
        "filter-branch" => {}
        _ => {}
    }
    texts
}
