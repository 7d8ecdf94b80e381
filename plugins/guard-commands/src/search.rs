//! `find` and `fd`: what they would delete or change, and what deleting the names they give to a pipe would mean.

use crate::files::made_again_or_safe;
use crate::judge::Scene;
use crate::safe::is_made_again;
use Severity::{Ask, Block, Strict};
use hookbox_pack::path::is_whole_content;
use hookbox_pack::words::{program, sets, split};
use hookbox_pack::{Finding, Place, Severity};
use hookbox_sdk::{SimpleCommand, Word};

/// A `find`, taken apart.
struct Search<'a> {
    roots: Vec<&'a Word>,
    args: &'a [Word],
}

impl<'a> Search<'a> {
    fn of(command: &'a SimpleCommand) -> Self {
        let all = command.args();
        let args = &all[group(all)..];
        let ends = |word: &&Word| !(word.text.starts_with('-') || word.text.starts_with('(') || word.text == "!");
        let skip = all
            .iter()
            .take_while(|word| matches!(word.text.as_str(), "-H" | "-L" | "-P"))
            .count();
        Search {
            roots: all[skip..].iter().take_while(ends).collect(),
            args,
        }
    }

    /// The value of the first of these tests that is not turned around.
    fn test(&self, names: &[&str]) -> Option<(usize, &'a str)> {
        let stands = |at: usize| !(at > 0 && matches!(self.args[at - 1].text.as_str(), "!" | "-not"));
        let mut places = (0..self.args.len()).filter(|at| names.contains(&self.args[*at].text.as_str()));
        let at = places.find(|at| stands(*at))?;
        Some((at, self.args.get(at + 1).map_or("", |word| word.text.as_str())))
    }

    /// What deleting all that is found would mean. `folders`: folders with their content are deleted, not files alone.
    fn danger(&self, scene: &Scene<'_>, folders: bool) -> Option<Finding> {
        let names = ["-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex"];
        let name = self
            .test(&names)
            .filter(|(_, value)| value.contains(char::is_alphanumeric));
        // What is empty holds nothing that could be lost.
        if self.test(&["-empty"]).is_some() {
            return None;
        }
        let narrow = name.is_some()
            || self
                .test(&[
                    "-mtime", "-mmin", "-atime", "-ctime", "-newer", "-size", "-user", "-xtype",
                ])
                .is_some();
        let made_again =
            name.is_some_and(|(_, value)| is_made_again(value.trim_start_matches("*/").trim_end_matches("/*")));
        let here = Word {
            text: ".".into(),
            known: true,
            glob: false,
        };
        let roots = if self.roots.is_empty() {
            vec![&here]
        } else {
            self.roots.clone()
        };
        roots.into_iter().find_map(|root| {
            let (place, path) = scene.locate(root);
            let safe = path.as_deref().is_some_and(|path| made_again_or_safe(scene, place, path));
            let severity = match place {
                Place::Temp | Place::Sink => return None,
                _ if narrow && matches!(path.as_deref(), Some("/tmp" | "/var/tmp")) => return None,
                Place::InProject | Place::Project | Place::Unknown if safe || made_again => return None,
                Place::InProject | Place::Project if narrow && !folders => Strict,
                Place::InProject | Place::Project | Place::Unknown => Ask,
                _ if safe => return None,
                _ if made_again && place == Place::InHome => Ask,
                _ => Block,
            };
            Some(Finding::new(
                "find-delete",
                severity,
                format!("deletes what it finds under {}: run it with -print first, read the list, then delete those files by name", root.text),
            ))
        })
    }
}

/// Where the tests begin that an action of `find` rests on: after the last `-o` before it that is in no parentheses.
fn group(args: &[Word]) -> usize {
    let (mut depth, mut from) = (0_i32, 0);
    for (at, word) in args.iter().enumerate() {
        match word.text.as_str() {
            "(" | "\\(" => depth += 1,
            ")" | "\\)" => depth -= 1,
            "-o" | "-or" | "," if depth == 0 => from = at + 1,
            "-delete" | "-exec" | "-execdir" | "-ok" | "-okdir" => break,
            _ => {}
        }
    }
    from
}

/// Programs that delete, behind `-exec`.
const DELETERS: [&str; 7] = ["rm", "unlink", "shred", "srm", "wipe", "rmdir", "truncate"];

/// Programs that change a file, behind `-exec`.
const CHANGERS: [&str; 7] = ["chown", "chgrp", "chmod", "sed", "mv", "chattr", "setfacl"];

pub(crate) fn find(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let search = Search::of(command);
    if let Some(delete) = search.args.iter().position(|word| word.text == "-delete") {
        // `-delete` before a test deletes before it tests.
        let tests = ["-name", "-iname", "-path", "-regex", "-type", "-mtime"];
        if search.test(&tests).is_some_and(|(at, _)| at > delete) {
            findings.push(Finding::new(
                "find-delete-first",
                Block,
                "find works from left to right: -delete before the tests deletes everything. Put -delete last",
            ));
        }
        findings.extend(search.danger(scene, true));
    }
    let exec = [
        "-exec",
        "-execdir",
        "-ok",
        "-okdir",
        "-x",
        "-X",
        "--exec",
        "--exec-batch",
    ];
    let Some((at, runs)) = search.test(&exec) else { return };
    let outside = || search.danger(scene, false).filter(|finding| finding.severity == Block);
    let mut runs = program(runs);
    let mut rest = &search.args[(at + 2).min(search.args.len())..];
    while matches!(runs.as_str(), "sudo" | "env" | "nice" | "command" | "doas") && !rest.is_empty() {
        runs = program(&rest[0].text);
        rest = &rest[1..];
    }
    if DELETERS.contains(&runs.as_str()) {
        let folders = runs != "rm"
            || rest
                .iter()
                .any(|word| sets(&word.text, "-r") || sets(&word.text, "-R") || word.text == "--recursive");
        findings.extend(search.danger(scene, folders && runs != "rmdir"));
    } else if CHANGERS.contains(&runs.as_str()) && rest.iter().any(|word| runs != "sed" || sets(&word.text, "-i")) {
        findings.extend(outside().map(|_| {
            Finding::new(
                "find-change",
                Ask,
                format!("changes what {runs} finds outside the project: run it with -print first, and name the files"),
            )
        }));
    }
}

/// What deleting the files that a pipe names would mean: as much as the search says that names them.
pub(crate) fn given_names(scene: &Scene<'_>, command: &SimpleCommand) -> Option<Finding> {
    let source = scene.feeders(command).min_by_key(|feeder| feeder.pipeline.1);
    let narrow = match source.map(|source| (source, program(&source.argv[0].text))) {
        Some((source, name)) if matches!(name.as_str(), "find" | "gfind") => {
            return Search::of(source).danger(scene, false);
        }
        Some((source, name)) if matches!(name.as_str(), "ls" | "fd" | "fdfind") => {
            let operands = split(source.args(), &[]).1;
            operands
                .iter()
                .any(|word| word.text.contains(['*', '.']) && !is_whole_content(&word.text))
        }
        // `echo *` prints the folder's whole content.
        Some((source, name)) if matches!(name.as_str(), "echo" | "printf") => !source
            .args()
            .iter()
            .any(|word| word.glob && is_whole_content(&word.text)),
        Some((_, name)) => matches!(name.as_str(), "mktemp" | "seq"),
        None => false,
    };
    (!narrow).then(|| {
        Finding::new(
            "xargs-rm",
            Ask,
            "rm of names that another program gives cannot be judged beforehand: list the names first, then delete those you mean",
        )
    })
}

/// Whether the names that `xargs` gets come from a `find` that is narrow itself.
pub(crate) fn fed_safely(scene: &Scene<'_>, command: &SimpleCommand) -> bool {
    scene
        .feeders(command)
        .any(|feeder| match program(&feeder.argv[0].text).as_str() {
            "find" => Search::of(feeder).danger(scene, true).is_none(),
            "mktemp" => true,
            _ => false,
        })
}
