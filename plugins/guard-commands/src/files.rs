//! Commands that delete, empty or overwrite files: what they mean depends on where the path leads.

use crate::judge::Scene;
use crate::safe::{is_made_again, is_protected, is_safe_by_settings, made_again};
use crate::search::{fed_safely, find, given_names};
use Severity::{Ask, Block, Strict};
use hookbox_pack::path::is_whole_content;
use hookbox_pack::words::{abbreviates, dashed, program, sets, split, value};
use hookbox_pack::{Finding, Place, Severity};
use hookbox_sdk::{SimpleCommand, Word};

const INSTEAD: &str =
    "move it aside (`mv PATH PATH.bak`), name a narrower path inside the project, or let the user delete it";

/// Judges a command by its program.
pub(crate) fn judge(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let Some(first) = command.argv.first() else { return };
    match program(&first.text).as_str() {
        "rm" | "unlink" | "rmdir" | "srm" => remove(scene, command, findings),
        "rimraf" | "del-cli" | "rimraf.js" => {
            let operands = split(command.args(), &[]).1;
            findings.extend(
                operands
                    .into_iter()
                    .filter_map(|word| removal(scene, command, word, true, true)),
            );
        }
        "find" | "gfind" | "fd" | "fdfind" => find(scene, command, findings),
        "shred" | "wipe" | "scrub" | "sdelete" => overwrite(scene, command, &["-n", "-s"], "shred", Ask, findings),
        "truncate" => truncate(scene, command, findings),
        "mv" => mv(scene, command, findings),
        "cp" | "install" | "ln" => copy(scene, command, findings),
        "tee" | "sponge" => tee(scene, command, findings),
        "rsync" => rsync(scene, command, findings),
        "tar" | "bsdtar" if command.has_arg("--remove-files") => {
            findings.push(Finding::new(
                "tar-remove-files",
                Ask,
                "tar --remove-files deletes what it packs: leave the option out",
            ));
        }
        "zip"
            if command
                .args()
                .iter()
                .any(|word| sets(&word.text, "-m") || word.text == "--move") =>
        {
            findings.push(Finding::new(
                "tar-remove-files",
                Ask,
                "zip -m deletes what it packs: leave the option out",
            ));
        }
        "7z" | "7za" | "7zz" if command.has_arg("-sdel") => {
            findings.push(Finding::new(
                "tar-remove-files",
                Ask,
                "7z -sdel deletes what it packs: leave the option out",
            ));
        }
        _ => {}
    }
}

/// What deleting a path would mean.
fn removal(scene: &Scene<'_>, command: &SimpleCommand, word: &Word, recursive: bool, force: bool) -> Option<Finding> {
    let (place, path) = scene.locate(word);
    let shown = &word.text;
    let found = |rule: &'static str, severity: Severity, what: &str| {
        Some(Finding::new(
            rule,
            severity,
            format!("deleting {shown} {what}: {INSTEAD}"),
        ))
    };
    let Some(path) = path else {
        return match place {
            Place::Temp => None,
            // Relative, in a directory that cannot be known: a container, another machine, `cd $X`.
            _ if word.known && !word.text.contains('$') => {
                if !recursive || is_made_again(&word.text) && !is_whole_content(&word.text) {
                    None
                } else {
                    found(
                        "rm-unknown-directory",
                        Ask,
                        "happens in a folder that cannot be known before it runs",
                    )
                }
            }
            // `os.remove(name)` in a loop over a folder.
            _ if recursive || command.via.last().is_some_and(|via| is_code(via)) => found(
                "rm-unknown",
                Ask,
                "deletes whatever the variable holds then: if it is empty or wrong, much more than was meant. Write the path out",
            ),
            _ => None,
        };
    };
    if is_protected(scene, &path) {
        return found("rm-protected", Block, "touches a path that the settings protect");
    }
    if is_safe_by_settings(scene, &path) || (made_again(scene, place, &path)) {
        return None;
    }
    let deletes = recursive || word.glob || is_whole_content(&word.text);
    match place {
        Place::Root if deletes => found("rm-root", Block, "deletes the whole disk"),
        Place::Home if deletes => found("rm-home", Block, "deletes a whole home folder"),
        Place::System => found("rm-system", Block, "deletes part of the operating system"),
        Place::Device => found("rm-device", Ask, "removes a device file"),
        Place::Project if deletes => found(
            "rm-project",
            if recursive { Block } else { Ask },
            "deletes the whole project",
        ),
        Place::InProject => in_project(scene, word, &path, recursive, force)
            .and_then(|(rule, severity, what)| found(rule, severity, what)),
        Place::InHome if recursive => found("rm-home", Block, "deletes files of the user outside the project"),
        Place::InHome if is_dotfile(scene, &path) => found("rm-dotfile", Ask, "deletes the user's own settings"),
        Place::Outside if recursive => found("rm-outside", Block, "deletes a folder outside the project"),
        Place::InHome | Place::Outside => found("rm-outside", Strict, "deletes a file outside the project"),
        _ => None,
    }
}

/// Whether a command comes from an interpreter's own code.
fn is_code(via: &str) -> bool {
    ["python", "node", "perl", "ruby", "php", "deno", "bun"]
        .iter()
        .any(|name| via.starts_with(name))
}

fn in_project(
    scene: &Scene<'_>,
    word: &Word,
    path: &str,
    recursive: bool,
    force: bool,
) -> Option<(&'static str, Severity, &'static str)> {
    let inner = scene.places.in_project(path).unwrap_or(path);
    let first = inner.split('/').next().unwrap_or("");
    if first == ".git" || inner.contains("/.git/") || inner.ends_with("/.git") {
        if inner.ends_with(".lock") {
            return None;
        }
        return Some((
            "rm-git",
            if recursive { Block } else { Ask },
            "deletes the repository's history",
        ));
    }
    let name = inner.rsplit('/').next().unwrap_or("");
    let named = name == ".env" || name.starts_with(".env.");
    let matched = word.glob && (name.starts_with(".env") || name.ends_with(".env"));
    if (named || matched) && !name.ends_with("example") && !name.ends_with("sample") {
        return Some(("rm-env", Ask, "deletes settings that no commit holds"));
    }
    if is_whole_content(&word.text) {
        return Some(("rm-all", Ask, "deletes everything in that folder"));
    }
    if !recursive {
        return None;
    }
    let severity = if force { Ask } else { Strict };
    Some((
        "rm-source",
        severity,
        "deletes a folder of the project for good, uncommitted work included; `git rm -r` or `mv` can be undone",
    ))
}

/// `~/Documents`, `~/.ssh`: a folder of the home folder itself.
fn is_home_folder(scene: &Scene<'_>, word: &Word) -> bool {
    let home = hookbox_pack::path::normalise(scene.places.home);
    let path = scene.locate(word).1.unwrap_or_default();
    let inner = path.strip_prefix(&home).unwrap_or("").trim_matches('/');
    let named = inner.strip_prefix('.').unwrap_or(inner);
    !named.is_empty() && !named.contains(['/', '.'])
}

fn is_dotfile(scene: &Scene<'_>, path: &str) -> bool {
    let home = hookbox_pack::path::normalise(scene.places.home);
    path.strip_prefix(&home).is_some_and(|rest| rest.starts_with("/."))
}

fn remove(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let rmdir = program(&command.argv[0].text) == "rmdir";
    let (options, operands) = split(command.args(), &[]);
    let set = |short: [&str; 2], long: &str, least: usize| {
        options.iter().any(|word| {
            let text = dashed(&word.text);
            short.iter().any(|name| sets(&text, name)) || abbreviates(&text, long, least)
        })
    };
    if rmdir {
        return; // It takes empty folders alone; `rd /s` is Windows' and judged there.
    }
    let recursive = set(["-r", "-R"], "--recursive", 3);
    let force = set(["-f", "-f"], "--force", 3);
    if options
        .iter()
        .any(|word| abbreviates(&word.text, "--no-preserve-root", 5))
    {
        findings.push(Finding::new(
            "rm-root",
            Block,
            "--no-preserve-root is there to delete the whole disk: leave it out",
        ));
    }
    for word in &operands {
        if is_placeholder(command, word) {
            continue;
        }
        findings.extend(removal(scene, command, word, recursive, force));
    }
    let fed = command.via.iter().any(|via| is_feeder(via));
    if fed && !recursive {
        findings.extend(given_names(scene, command));
    }
    if recursive && fed && !fed_safely(scene, command) {
        findings.push(Finding::new(
            "xargs-rm",
            Ask,
            "rm -r on names that another program gives cannot be judged beforehand: list the names first, then delete those you mean",
        ));
    }
}

fn is_feeder(via: &str) -> bool {
    ["xargs", "parallel"].iter().any(|start| via.starts_with(start))
}

/// `{}` and the like: what `find -exec` and `xargs -I` put in.
fn is_placeholder(command: &SimpleCommand, word: &Word) -> bool {
    let given = |via: &String| is_feeder(via) || via.starts_with("find") || via.starts_with("fd");
    matches!(word.text.as_str(), "{}" | "%" | "@" | "_" | "FILE" | "{.}" | "{/}") && command.via.iter().any(given)
}

pub(crate) fn made_again_or_safe(scene: &Scene<'_>, place: Place, path: &str) -> bool {
    made_again(scene, place, path) || is_safe_by_settings(scene, path)
}

/// A file whose content is lost.
fn overwrite(
    scene: &Scene<'_>,
    command: &SimpleCommand,
    valued: &[&str],
    rule: &'static str,
    in_project: Severity,
    findings: &mut Vec<Finding>,
) {
    for word in split(command.args(), valued).1 {
        findings.extend(loss(scene, word, rule, in_project));
    }
}

/// What losing a file's content would mean. `in_project`: how bad that is for a file of the project.
fn loss(scene: &Scene<'_>, word: &Word, rule: &'static str, in_project: Severity) -> Option<Finding> {
    let (place, path) = scene.locate(word);
    let path = path.unwrap_or_default();
    let safe = !path.is_empty() && made_again_or_safe(scene, place, &path);
    let severity = match place {
        _ if !path.is_empty() && is_protected(scene, &path) => Block,
        Place::Temp | Place::Sink => return None,
        _ if safe => return None,
        Place::Device => {
            return Some(Finding::new(
                "write-device",
                Block,
                format!(
                    "writing to {} destroys what is on that disk: write to a file",
                    word.text
                ),
            ));
        }
        Place::System | Place::Root | Place::Home => Block,
        Place::InHome if is_dotfile(scene, &path) => Ask.max(in_project),
        Place::InProject if path.contains("/.git/") && !path.contains("/.git/hooks/") => Block,
        Place::InProject | Place::Project | Place::Unknown => in_project,
        Place::InHome | Place::Outside => Strict.max(in_project),
    };
    Some(Finding::new(
        rule,
        severity,
        format!(
            "the content of {} would be lost: copy it first, or change the part you mean with the edit tool",
            word.text
        ),
    ))
}

fn truncate(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let size = value(command.args(), "-s")
        .or_else(|| value(command.args(), "--size"))
        .unwrap_or("");
    if size.starts_with(['+', '>']) {
        return; // It grows the file.
    }
    let grows = size.trim_start_matches('0').starts_with(|c: char| c.is_ascii_digit());
    let in_project = if grows { Strict } else { Ask };
    overwrite(
        scene,
        command,
        &["-s", "--size", "-r", "--reference"],
        "truncate",
        in_project,
        findings,
    );
}

fn mv(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let (_, mut operands) = split(command.args(), &["-t", "--target-directory", "-S", "--suffix"]);
    let target = value(command.args(), "-t").or_else(|| value(command.args(), "--target-directory"));
    let into = match target {
        Some(text) => Some(Word {
            text: text.into(),
            known: true,
            glob: false,
        }),
        None if operands.len() > 1 => operands.pop().cloned(),
        None => None,
    };
    if let Some(into) = &into {
        match scene.locate(into).0 {
            Place::Sink => findings.push(Finding::new(
                "mv-null",
                Block,
                "a file that is moved to /dev/null is gone: leave it where it is",
            )),
            Place::Device => findings.push(Finding::new(
                "write-device",
                Block,
                "writing to a device destroys what is on that disk",
            )),
            _ => {}
        }
    }
    for word in operands {
        let severity = match scene.locate(word).0 {
            Place::Root | Place::Home => Block,
            Place::Project | Place::System => Ask,
            _ if word.text.trim_end_matches('/').rsplit('/').next() == Some(".git") => Ask,
            Place::InHome if is_home_folder(scene, word) => Ask,
            _ => continue,
        };
        findings.push(Finding::new(
            "mv-system",
            severity,
            format!(
                "moving {} away breaks what depends on it: copy what you need instead",
                word.text
            ),
        ));
    }
}

fn copy(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let (_, operands) = split(
        command.args(),
        &["-t", "-m", "-o", "-g", "-S", "--mode", "--owner", "--group"],
    );
    let [first, .., last] = operands.as_slice() else { return };
    if scene.locate(last).0 == Place::Device && program(&command.argv[0].text) != "ln" {
        findings.push(Finding::new(
            "write-device",
            Block,
            "copying onto a device destroys what is on that disk: copy to a file",
        ));
    }
    if matches!(first.text.as_str(), "/dev/null" | "/dev/zero") {
        findings.extend(loss(scene, last, "overwrite", Ask));
    }
}

fn tee(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let appends = command
        .args()
        .iter()
        .any(|word| sets(&word.text, "-a") || word.text == "--append");
    for word in split(command.args(), &[]).1 {
        let place = scene.locate(word).0;
        if place == Place::Device || (!appends && is_vital(scene, word, place)) {
            findings.extend(loss(scene, word, "overwrite", Strict));
        }
    }
}

/// Files whose overwriting is destruction wherever it comes from; other writes are guard-paths' business.
fn is_vital(scene: &Scene<'_>, word: &Word, place: Place) -> bool {
    let path = scene.locate(word).1.unwrap_or_default();
    match place {
        Place::Device => true,
        Place::System => [
            "/etc/",
            "/boot/",
            "/bin/",
            "/sbin/",
            "/lib",
            "/usr/",
            "/proc/",
            "/sys/",
            "/var/lib/",
        ]
        .iter()
        .any(|start| path.starts_with(start)),
        Place::InProject => path.contains("/.git/") && !path.contains("/.git/hooks/") && !path.contains("/.git/info/"),
        Place::InHome => [
            ".bashrc",
            ".zshrc",
            ".profile",
            ".bash_profile",
            "/.ssh/",
            ".gitconfig",
            "/.aws/",
            "/.kube/",
            "/.gnupg/",
        ]
        .iter()
        .any(|name| path.contains(name)),
        _ => is_protected(scene, &path) && !path.is_empty(),
    }
}

/// `> FILE`: empties it first.
pub(crate) fn redirects(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    for redirect in &command.redirects {
        let truncates = matches!(
            redirect.operator.as_str(),
            ">" | ">|" | "&>" | ">&" | "1>" | "2>" | "<>"
        );
        let place = scene.locate(&redirect.target).0;
        let appends = matches!(redirect.operator.as_str(), ">>" | "&>>");
        if truncates && prints_nothing(command) && !command.via.iter().any(|via| is_code(via)) {
            findings.extend(loss(scene, &redirect.target, "redirect-empty", Ask));
        }
        if (truncates && is_vital(scene, &redirect.target, place)) || (appends && place == Place::Device) {
            findings.extend(loss(scene, &redirect.target, "redirect-over", Block));
        }
    }
}

/// `: > FILE`, `cat /dev/null > FILE`: nothing is written, so emptying the file is what is meant.
fn prints_nothing(command: &SimpleCommand) -> bool {
    let args = command.args();
    match program(&command.argv[0].text).as_str() {
        "" | ":" | "true" => true,
        "cat" => args.len() == 1 && args[0].text == "/dev/null",
        // Without `-n` it prints a line break: a file is begun.
        "echo" => {
            args.iter().any(|word| word.text == "-n")
                && args
                    .iter()
                    .all(|word| word.text.is_empty() && word.known || word.text == "-n")
        }
        "printf" => args.len() == 1 && args[0].text.is_empty() && args[0].known,
        _ => false,
    }
}

fn rsync(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let args = command.args();
    let has = |start: &str| args.iter().any(|word| word.text.starts_with(start));
    if has("--dry-run") || has("--list-only") || args.iter().any(|word| sets(&word.text, "-n")) {
        return;
    }
    if has("--remove-source-files") {
        findings.push(Finding::new(
            "rsync-remove-source",
            Ask,
            "--remove-source-files deletes what was copied: leave it out and delete after checking the copy",
        ));
    }
    if !has("--del") {
        return;
    }
    let (_, operands) = split(
        args,
        &[
            "-e",
            "--rsh",
            "--exclude",
            "--include",
            "-f",
            "--filter",
            "--exclude-from",
            "--rsync-path",
            "--port",
        ],
    );
    let Some(into) = operands.last() else { return };
    let (place, path) = scene.locate(into);
    let remote = into.text.split('/').next().is_some_and(|host| host.contains(':'));
    if !remote
        && path
            .as_deref()
            .is_some_and(|path| made_again_or_safe(scene, place, path))
    {
        return;
    }
    let severity = match place {
        Place::Root | Place::Home | Place::System if !remote => Block,
        _ => Ask,
    };
    findings.push(Finding::new("rsync-delete", severity, format!("rsync --delete removes from {} all that the source does not have: run it with --dry-run first and show the list", into.text)));
}
