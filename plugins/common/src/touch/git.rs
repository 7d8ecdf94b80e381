//! git's subcommands that show, keep or write files.

use super::{Access, Touch, parse, part, push};
use hookbox_sdk::Word;

/// `git show REV:PATH`, `git diff -- PATH`, `git add PATH`, `git clone URL FOLDER`, …
pub(super) fn git(args: &[Word], found: &mut Vec<Touch>) {
    let mut at = 0;
    while let Some(word) = args.get(at).filter(|word| word.text.starts_with('-')) {
        let takes = [
            "-C",
            "-c",
            "--git-dir",
            "--work-tree",
            "--namespace",
            "--exec-path",
            "--config-env",
        ];
        at += if takes.contains(&word.text.as_str()) { 2 } else { 1 };
    }
    let Some(verb) = args.get(at) else { return };
    let rest = args.get(at + 1..).unwrap_or_default();
    // Values of message options are text.
    let parsed = parse(
        rest,
        "mFCctbBo",
        &[
            "message", "file", "author", "date", "output", "blob", "grep", "since", "until", "format", "pretty",
        ],
    );
    let operands = || parsed.operands.iter().copied();
    let in_revision = |word: &Word| match word.text.split_once(':') {
        Some((_, path)) => part(word, path),
        None => word.clone(),
    };
    match verb.text.as_str() {
        "show" | "cat-file" | "blame" | "annotate" | "diff" | "grep" | "difftool" => {
            operands().for_each(|word| push(found, Access::Read, &in_revision(word)));
        }
        "log" | "stash" | "whatchanged" if parsed.has(&["p", "patch", "u"]) || verb.text != "log" => {
            operands().for_each(|word| push(found, Access::Read, &in_revision(word)));
        }
        "add" | "stage" | "archive" => operands().for_each(|word| push(found, Access::Copy, &in_revision(word))),
        // Both put another content into the work tree.
        "restore" if !parsed.has(&["staged", "S"]) => operands().for_each(|word| push(found, Access::Write, word)),
        "checkout" => {
            let paths = rest.iter().skip_while(|word| word.text != "--").skip(1);
            paths.for_each(|word| push(found, Access::Write, word));
        }
        "mv" => operands().for_each(|word| push(found, Access::Delete, word)),
        "rm" if !parsed.has(&["cached"]) => operands().for_each(|word| push(found, Access::Delete, word)),
        "clone" => operands().skip(1).for_each(|word| push(found, Access::Make, word)),
        "config" => parsed
            .value(&["f", "file"])
            .into_iter()
            .for_each(|word| push(found, Access::Write, word)),
        "init" => operands().for_each(|word| push(found, Access::Make, word)),
        "worktree" if operands().next().is_some_and(|word| word.text == "add") => {
            operands()
                .skip(1)
                .take(1)
                .for_each(|word| push(found, Access::Make, word));
        }
        _ => {}
    }
    if let Some(output) = parsed.value(&["o", "output"]) {
        push(found, Access::Write, output);
    }
}
