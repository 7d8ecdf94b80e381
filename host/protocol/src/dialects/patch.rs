//! What a patch touches: the `apply_patch` envelope of Codex and its relatives, and unified diffs.

use crate::event::{Action, FileWrite};

/// The first line of the envelope.
const BEGIN: &str = "*** Begin Patch";

/// True where a shell command carries an `apply_patch` envelope, as in `apply_patch <<'EOF'`.
pub(crate) fn in_command(command: &str) -> bool {
    command.contains(BEGIN) && (command.contains("apply_patch") || command.contains("applypatch"))
}

/// A file that is written, as far as the patch was read.
struct Open {
    path: String,
    added: String,
}

impl Open {
    fn at(path: String) -> Self {
        Open {
            path,
            added: String::new(),
        }
    }
}

/// The writes and deletes of a patch in either format; empty where the text is neither.
///
/// Every header counts, also behind the end of the envelope and in a part that would not apply: what a lenient reader might touch is named.
pub(crate) fn actions(text: &str, absolute: impl Fn(&str) -> String) -> Vec<Action> {
    let mut out = Vec::new();
    let mut open: Option<Open> = None;
    // Inside an envelope, `+++ x` is an added line `++ x`.
    let unified = !text.contains(BEGIN);
    for line in text.lines() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let header = line.trim_start();
        let path = |prefix: &str| header.strip_prefix(prefix).map(|rest| absolute(rest.trim()));
        if let Some(path) = path("*** Add File:").or_else(|| path("*** Update File:")) {
            close(&mut open, &mut out);
            open = Some(Open::at(path));
        } else if let Some(path) = path("*** Delete File:") {
            close(&mut open, &mut out);
            out.push(Action::Delete(path));
        } else if let Some(path) = path("*** Move to:") {
            // The file goes from where it is to there.
            if let Some(old) = open.take() {
                open = Some(Open { path, added: old.added });
                out.push(Action::Delete(old.path));
            } else {
                open = Some(Open::at(path));
            }
        } else if let Some(path) = line.strip_prefix("+++ ").filter(|_| unified) {
            close(&mut open, &mut out);
            open = diff_path(path).map(|path| Open::at(absolute(path)));
        } else if let Some(path) = line.strip_prefix("--- ").filter(|_| unified) {
            close(&mut open, &mut out);
            out.extend(diff_path(path).map(|path| Action::Delete(absolute(path))));
        } else if let (Some(added), Some(open)) = (line.strip_prefix('+'), open.as_mut()) {
            open.added.push_str(added);
            open.added.push('\n');
        }
    }
    close(&mut open, &mut out);
    without_kept_files(out)
}

/// The lines that a diff adds.
pub(crate) fn added(diff: &str) -> String {
    let added = |line: &str| {
        line.strip_prefix('+')
            .filter(|rest| !rest.starts_with("++"))
            .map(str::to_owned)
    };
    diff.lines().filter_map(added).collect::<Vec<_>>().join("\n")
}

fn close(open: &mut Option<Open>, out: &mut Vec<Action>) {
    let write = |open: Open| FileWrite {
        path: open.path,
        content: Some(open.added.into()),
    };
    out.extend(open.take().map(write).map(Action::Write));
}

/// The path of a `---` or `+++` line, without git's `a/` and `b/` and without the time stamp behind a tab; none for `/dev/null`.
fn diff_path(text: &str) -> Option<&str> {
    let path = text.split('\t').next().unwrap_or(text).trim();
    let path = path
        .strip_prefix("a/")
        .or_else(|| path.strip_prefix("b/"))
        .unwrap_or(path);
    (path != "/dev/null").then_some(path)
}

/// A unified diff names a changed file on both sides: it is deleted only where no new side names it.
fn without_kept_files(actions: Vec<Action>) -> Vec<Action> {
    let written: Vec<String> = actions
        .iter()
        .filter_map(|action| match action {
            Action::Write(write) => Some(write.path.clone()),
            _ => None,
        })
        .collect();
    let kept = |action: &Action| match action {
        Action::Delete(path) => !written.contains(path),
        _ => true,
    };
    actions.into_iter().filter(kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        actions(text, |path| format!("/w/{path}"))
            .into_iter()
            .map(|action| match action {
                Action::Write(write) => format!("write {} {:?}", write.path, write.content.unwrap_or_default()),
                Action::Delete(path) => format!("delete {path}"),
                other => format!("{other:?}"),
            })
            .collect()
    }

    #[test]
    fn every_header_of_an_envelope_is_a_target() {
        let patch = "*** Begin Patch\n*** Add File: docs/a.md\n+hi\n+there\n*** Delete File: old.sql\n*** Update File: src/a.rs\n\
                     *** Move to: ci.yml\n@@\n-x\n+y\n*** End Patch\n";
        assert_eq!(
            told(patch),
            [
                "write /w/docs/a.md \"hi\\nthere\\n\"",
                "delete /w/old.sql",
                "delete /w/src/a.rs",
                "write /w/ci.yml \"y\\n\""
            ]
        );
    }

    #[test]
    fn windows_line_ends_and_indented_headers_do_not_hide_a_target() {
        assert_eq!(
            told("*** Begin Patch\r\n  *** Add File: a\r\n+x\r\n*** End Patch\r\n"),
            ["write /w/a \"x\\n\""]
        );
    }

    #[test]
    fn a_unified_diff_tells_changed_from_deleted_files() {
        let diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-one\n+ONE\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
        assert_eq!(told(diff), ["write /w/x \"ONE\\n\"", "delete /w/gone"]);
    }

    #[test]
    fn text_that_is_no_patch_has_no_targets() {
        assert!(told("hello\n+ there").is_empty());
    }
}
