//! From a command line to what is found in it.

use crate::{GuardCommands, disks, files, http, obfuscated, permissions, repositories, scripts, sql, windows};
use hookbox_pack::words::{dashed, program};
use hookbox_pack::{Finding, Places, Severity, powershell};
use hookbox_sdk::{Event, Host, SimpleCommand, Word};

/// Command lines within command lines that are looked into by this plugin itself.
const DEPTH: usize = 3;
/// Later words of an unknown program at which a command may begin.
const STARTS: usize = 24;

/// What one command is judged by.
pub(crate) struct Scene<'a> {
    pub(crate) guard: &'a GuardCommands,
    pub(crate) places: Places<'a>,
    /// Every command of the line: a pipeline's other ends.
    pub(crate) line: &'a [SimpleCommand],
    /// The directory this command runs in; none where it cannot be known, or is another machine's or a container's.
    pub(crate) base: Option<String>,
}

impl Scene<'_> {
    pub(crate) fn locate(&self, word: &Word) -> (hookbox_pack::Place, Option<String>) {
        self.places.locate(word, self.base.as_deref())
    }

    /// The commands before this one in its pipeline.
    pub(crate) fn feeders<'s>(&'s self, command: &SimpleCommand) -> impl Iterator<Item = &'s SimpleCommand> {
        let (pipeline, place) = command.pipeline;
        self.line
            .iter()
            .filter(move |other| other.pipeline.0 == pipeline && other.pipeline.1 < place)
    }
}

/// Whether the words after `git` throw away what cannot be had back.
fn git_destroys<'t>(mut words: impl Iterator<Item = &'t str> + Clone) -> bool {
    let Some(verb) = words.find(|word| GIT_VERBS.iter().any(|(verb, _)| verb == word)) else {
        return false;
    };
    let forced = GIT_VERBS
        .iter()
        .find(|(other, _)| *other == verb)
        .map_or(&[][..], |(_, forced)| forced);
    forced.is_empty() || words.any(|word| forced.iter().any(|start| word.starts_with(start)))
}

/// Verbs of git and what makes each of them destroy; nothing where it always does.
const GIT_VERBS: [(&str, &[&str]); 9] = [
    ("push", &["--force", "-f", "--mirror", "--delete", "--prune"]),
    ("reset", &["--hard"]),
    ("clean", &["-f", "--force", "-df", "-xf", "-xdf", "-dxf"]),
    ("checkout", &["--force", "-f"]),
    ("branch", &["-D"]),
    ("stash", &["clear", "drop"]),
    ("reflog", &["expire", "delete"]),
    ("filter-branch", &[]),
    ("filter-repo", &[]),
];

/// Words after `git` that are looked at in a line that could not be read.
const GIT_WORDS: usize = 10;

/// Whether the words of a line that could not be read hold a program that deletes whole trees or disks, or what only a
/// repository or a database still holds.
fn names_a_deletion(text: &str) -> bool {
    let is_end = |c: char| !(c.is_alphanumeric() || "-_.=".contains(c));
    let mut words = text.split(is_end).filter(|word| !word.is_empty());
    let recursive = |word: &str| {
        word == "--recursive" || (word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'R']))
    };
    while let Some(word) = words.next() {
        let deletes = match word {
            "rm" => words.clone().take(12).any(recursive),
            "find" => words.clone().any(|word| word == "-delete"),
            "git" => git_destroys(words.clone().take(GIT_WORDS)),
            "dd" => words.clone().take(4).any(|word| word.starts_with("of=")),
            _ if word.ends_with(".dropDatabase") => true,
            _ => word.starts_with("mkfs") || word == "shred" || word == "wipefs",
        };
        if deletes {
            return true;
        }
    }
    false
}

/// Judges a command line.
pub(crate) fn line(
    guard: &GuardCommands,
    event: &Event,
    host: &impl Host,
    text: &str,
    shell: &str,
    depth: usize,
    findings: &mut Vec<Finding>,
) {
    let analysis = host.analyze(text, shell);
    obfuscated::line(text, &analysis, findings);
    if !analysis.complete {
        // Padding that ends the analysis early must not carry a deletion past it.
        let severity = if names_a_deletion(text) {
            Severity::Ask
        } else {
            Severity::Strict
        };
        findings.push(Finding::new(
            "unreadable",
            severity,
            "part of this line cannot be read as a command, so it cannot be judged: write it in a simpler way",
        ));
    }
    if depth < DEPTH {
        for script in scripts::run_after_written(&analysis.commands) {
            self::line(guard, event, host, &script, "bash", depth + 1, findings);
        }
    }
    let commands = powershell::commands(host, text, &analysis);
    broken(guard, event, &commands, findings);
    for command in commands.iter() {
        if guard.allow.allows(command) {
            continue;
        }
        let places = Places::of(event);
        let elsewhere = command.via.iter().any(|via| is_elsewhere(via));
        let base = if elsewhere { None } else { places.directory(command) };
        let scene = Scene {
            guard,
            places,
            line: &commands,
            base,
        };
        one(&scene, command, findings);
        within(guard, event, host, &scene, command, depth, findings);
    }
}

/// A line that begins with an option was meant to go on with the one before: `git reset` and, below it, `--hard`.
fn broken(guard: &GuardCommands, event: &Event, line: &[SimpleCommand], findings: &mut Vec<Finding>) {
    for pair in line.windows(2) {
        let [before, option] = pair else { continue };
        if !option.argv[0].text.starts_with('-') || option.argv[0].text.len() < 2 {
            continue;
        }
        let argv = before.argv.iter().chain(&option.argv).cloned().collect();
        let joined = SimpleCommand { argv, ..before.clone() };
        let places = Places::of(event);
        let scene = Scene {
            guard,
            places,
            line,
            base: places.directory(&joined),
        };
        one(&scene, &joined, findings);
    }
}

fn is_elsewhere(via: &str) -> bool {
    [
        "ssh", "docker", "podman", "kubectl", "nerdctl", "lxc", "chroot", "vagrant", "adb",
    ]
    .iter()
    .any(|start| via.starts_with(start))
}

/// Judges one command, as it stands.
pub(crate) fn one(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let fed = command
        .via
        .iter()
        .any(|via| via.starts_with("xargs") || via.starts_with("parallel"));
    if fed {
        // What comes through the pipe stands where an operand would.
        let names = Word {
            text: "…".into(),
            known: false,
            glob: false,
        };
        let argv = command.argv.iter().cloned().chain([names.clone(), names]).collect();
        scene.guard.rules.judge(
            &SimpleCommand {
                argv,
                ..command.clone()
            },
            findings,
        );
    } else {
        scene.guard.rules.judge(command, findings);
    }
    if scene.feeders(command).any(says_yes) {
        // `yes | tool`: the tool asks, and is answered.
        let forced = ["-f", "--force", "--yes", "-y", "-auto-approve"].map(|text| Word {
            text: text.into(),
            known: true,
            glob: false,
        });
        let argv = command.argv.iter().cloned().chain(forced).collect();
        scene.guard.rules.judge(
            &SimpleCommand {
                argv,
                ..command.clone()
            },
            findings,
        );
    }
    init_script(scene, command, findings);
    root_shell(command, findings);
    files::judge(scene, command, findings);
    files::redirects(scene, command, findings);
    permissions::judge(scene, command, findings);
    disks::judge(scene, command, findings);
    repositories::judge(scene, command, findings);
    windows::judge(scene, command, findings);
    sql::judge(scene, command, findings);
    http::judge(command, findings);
    obfuscated::judge(scene, command, findings);
}

/// `/etc/init.d/nginx stop` is `service nginx stop`.
fn init_script(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let Some(name) = command.argv[0].text.strip_prefix("/etc/init.d/") else {
        return;
    };
    let word = |text: &str| Word {
        text: text.into(),
        known: true,
        glob: false,
    };
    let argv = [word("service"), word(name)]
        .into_iter()
        .chain(command.args().iter().cloned());
    let service = SimpleCommand {
        argv: argv.collect(),
        ..command.clone()
    };
    scene.guard.rules.judge(&service, findings);
}

fn says_yes(feeder: &SimpleCommand) -> bool {
    match program(&feeder.argv[0].text).as_str() {
        "yes" => true,
        "echo" | "printf" => feeder.args().iter().any(|word| {
            matches!(
                word.text.trim_end_matches("\\n").trim().to_ascii_lowercase().as_str(),
                "y" | "yes" | "force" | "ok"
            )
        }),
        _ => false,
    }
}

/// `sudo bash`, `sudo su`: a shell with all rights, in which nothing is checked.
fn root_shell(command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let raised = command
        .via
        .last()
        .is_some_and(|via| matches!(via.as_str(), "sudo" | "doas" | "pkexec"));
    let shell = matches!(
        program(&command.argv[0].text).as_str(),
        "bash" | "sh" | "zsh" | "fish" | "dash" | "ksh" | "su"
    );
    let options_alone = command
        .args()
        .iter()
        .all(|word| word.text.starts_with('-') && word.text != "-c");
    if raised && shell && options_alone && command.redirects.is_empty() && command.pipeline.1 == 0 {
        findings.push(Finding::new(
            "root-shell",
            Severity::Ask,
            "opens a shell with all rights, in which nothing is checked: run the one command that needs it with `sudo COMMAND`",
        ));
    }
}

/// Commands that a command carries in its words: what an unknown wrapper would start, what a program that cannot be
/// known would be, the text after an unknown program's `-c`, git's shell aliases.
fn within(
    guard: &GuardCommands,
    event: &Event,
    host: &impl Host,
    scene: &Scene<'_>,
    command: &SimpleCommand,
    depth: usize,
    findings: &mut Vec<Finding>,
) {
    if depth >= DEPTH {
        return;
    }
    for text in repositories::shell_texts(command) {
        line(guard, event, host, &text, "bash", depth + 1, findings);
    }
    let Some(first) = command.argv.first() else { return };
    let name = program(&first.text);
    if !first.known {
        unknown_program(scene, command, findings);
    }
    if matches!(name.as_str(), "tmux" | "screen" | "zellij") {
        // A window's command, keys that are typed into it.
        for word in command
            .args()
            .iter()
            .filter(|word| word.known && word.text.contains(' '))
        {
            line(guard, event, host, &word.text, "bash", depth + 1, findings);
        }
    }
    if first.known && first.text.contains(' ') {
        quoted_whole(guard, event, host, &first.text, depth, findings);
    }
    if matches!(name.as_str(), "sh" | "bash" | "zsh" | "dash") {
        // `bash -c "$(cat <<EOF …)"`: the lines of the heredoc are what runs.
        let hidden = command
            .args()
            .iter()
            .filter(|word| !word.known && word.text.contains("<<"));
        for (_, text) in hidden.filter_map(|word| word.text.split_once('\n')) {
            line(guard, event, host, text, "bash", depth + 1, findings);
        }
    }
    if CARRIERS.contains(&name.as_str()) {
        carried(scene, command, findings);
    }
    if first.known && (guard.rules.knows(&name) || TAKES_NO_COMMAND.contains(&name.as_str())) {
        return;
    }
    if (!first.known || TAKES_A_LINE.contains(&name.as_str()))
        && let Some(index) = command
            .argv
            .iter()
            .position(|word| matches!(word.text.as_str(), "-c" | "-lc" | "-ic" | "--command" | "--run"))
        && let Some(text) = command
            .argv
            .get(index + 1)
            .filter(|text| text.known && text.text.contains(' '))
    {
        line(guard, event, host, &text.text, "bash", depth + 1, findings);
    }
    for start in 1..command.argv.len().min(STARTS) {
        let word = &command.argv[start];
        let name = program(&word.text);
        if !word.known || !is_program_word(&word.text) || VERBS.contains(&name.as_str()) || !destroys(guard, &name) {
            continue;
        }
        let tail = SimpleCommand {
            argv: command.argv[start..].to_vec(),
            redirects: Vec::new(),
            ..command.clone()
        };
        let mut found = Vec::new();
        one(scene, &tail, &mut found);
        // `tool rm -r thing` is the tool's own subcommand: only what is grave wherever it comes from counts.
        let own = start == 1 && !word.text.contains('/') && SUBCOMMANDS.contains(&name.as_str());
        found.retain(|finding| finding.severity == Severity::Block || !own);
        findings.append(&mut found);
    }
    windows::destructive_verb(&name, command, findings);
}

/// Programs of the table that also run another by its name, in their first operands: `pnpm prisma migrate reset`.
const CARRIERS: [&str; 7] = ["k3s", "k0s", "microk8s", "minikube", "pnpm", "yarn", "bun"];

/// The program that a carrier starts. Its own subcommands are never programs that a table knows by more than a verb.
fn carried(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let from = command
        .argv
        .iter()
        .skip(1)
        .position(|word| word.known && is_program_word(&word.text));
    let Some(start) = from.map(|at| at + 1) else { return };
    let name = program(&command.argv[start].text);
    let own = VERBS.contains(&name.as_str()) || SUBCOMMANDS.contains(&name.as_str());
    if own || !scene.guard.rules.knows(&name) {
        return;
    }
    let argv = command.argv[start..].iter().filter(|word| word.text != "--").cloned();
    let tail = SimpleCommand {
        argv: argv.collect(),
        redirects: Vec::new(),
        ..command.clone()
    };
    one(scene, &tail, findings);
}

/// A whole command line in quotes. The shell finds no program of that name, but the next try is without the quotes.
fn quoted_whole(
    guard: &GuardCommands,
    event: &Event,
    host: &impl Host,
    text: &str,
    depth: usize,
    findings: &mut Vec<Finding>,
) {
    let begins = program(text.split(' ').next().unwrap_or(""));
    if text.starts_with('/') || !(destroys(guard, &begins) || begins == "curl") {
        return;
    }
    let mut found = Vec::new();
    line(guard, event, host, text, "bash", depth + 1, &mut found);
    let capped = found.into_iter().map(|finding| Finding {
        severity: finding.severity.min(Severity::Ask),
        ..finding
    });
    findings.extend(capped);
}

/// A program that cannot be known, with words after it that would destroy if it were `rm`.
fn unknown_program(scene: &Scene<'_>, command: &SimpleCommand, findings: &mut Vec<Finding>) {
    let mut argv = command.argv.clone();
    argv[0] = Word {
        text: "rm".into(),
        known: true,
        glob: false,
    };
    let mut found = Vec::new();
    files::judge(
        scene,
        &SimpleCommand {
            argv,
            ..command.clone()
        },
        &mut found,
    );
    if found.iter().any(|finding| finding.severity >= Severity::Ask) && has_cluster(command) {
        findings.push(Finding::new(
            "unknown-program",
            Severity::Ask,
            "which program this runs cannot be told before it runs, and its words would delete if it were rm: write the program's name out",
        ));
    }
}

/// `-rf` in some spelling.
fn has_cluster(command: &SimpleCommand) -> bool {
    let has = |letters: [&str; 3]| {
        command.args().iter().any(|word| {
            letters
                .iter()
                .any(|name| hookbox_pack::words::sets(&dashed(&word.text), name))
        })
    };
    has(["-r", "-R", "--recursive"]) || has(["-f", "-F", "--force"])
}

fn is_program_word(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('-') && !text.contains([' ', '='])
}

/// Programs whose words are worth judging at the end of an unknown wrapper.
fn destroys(guard: &GuardCommands, name: &str) -> bool {
    guard.rules.knows(name)
        || name.starts_with("mkfs")
        || matches!(
            name,
            "rm" | "rimraf"
                | "del-cli"
                | "git"
                | "dd"
                | "shred"
                | "find"
                | "chmod"
                | "chown"
                | "psql"
                | "mysql"
                | "sqlite3"
                | "mongosh"
                | "mongo"
        )
}

/// Programs whose names are also subcommands of others: `tool rm -r thing`.
const SUBCOMMANDS: [&str; 10] = ["rm", "chmod", "chown", "dd", "find", "http", "mv", "sql", "swift", "up"];

/// Programs whose names are verbs that other programs take as well: `tool init`, `tool kill`.
const VERBS: [&str; 32] = [
    "at", "batch", "fly", "halt", "history", "init", "install", "kill", "log", "mount", "op", "port", "pkg", "reboot",
    "route", "security", "service", "shutdown", "snap", "su", "wipe", "last", "logoff", "adduser", "addgroup",
    "passwd", "date", "convert", "net", "sc", "reg", "skill",
];

/// Programs that start a shell for the text after `-c`.
const TAKES_A_LINE: [&str; 16] = [
    "su",
    "runuser",
    "sg",
    "script",
    "screen",
    "tmux",
    "newgrp",
    "nix-shell",
    "nix",
    "guix",
    "distrobox",
    "toolbox",
    "fish",
    "xonsh",
    "nu",
    "elvish",
];

/// Programs whose words are data: none of them starts a program that its words name.
const TAKES_NO_COMMAND: [&str; 59] = [
    "[", "[[", "ack", "ag", "alias", "apropos", "awk", "basename", "bat", "bd", "cat", "cd", "code", "cp", "curl",
    "cut", "declare", "diff", "dirname", "echo", "egrep", "export", "false", "fgrep", "file", "find", "git", "grep",
    "hash", "head", "help", "info", "jq", "ln", "local", "ls", "man", "mkdir", "mv", "printf", "read", "readlink",
    "realpath", "return", "rg", "rm", "sed", "set", "sort", "stat", "tail", "tee", "test", "tldr", "touch", "type",
    "wc", "whereis", "which",
];
