//! An event taken apart into the things that rules judge: each program that would run, each file, each address.

use crate::pattern::{Hold, Places, Word};
use crate::repository::{self, Branch};
use hookbox_pack::touch::{self, Access};
use hookbox_sdk::{Action, Analysis, Event, Host, SimpleCommand};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::rc::Rc;

/// What a subject does: the `action` of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Run,
    Read,
    Write,
    Delete,
    Search,
    Fetch,
    Call,
}

impl Kind {
    /// Each under the name that a rule gives it.
    pub(crate) const NAMES: [(&'static str, Kind); 7] = [
        ("run", Kind::Run),
        ("read", Kind::Read),
        ("write", Kind::Write),
        ("delete", Kind::Delete),
        ("search", Kind::Search),
        ("fetch", Kind::Fetch),
        ("call", Kind::Call),
    ];
}

/// One program that would run.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    /// Without its folder and `.exe`.
    pub(crate) program: String,
    pub(crate) args: Vec<&'a str>,
    pub(crate) via: &'a [String],
    /// Every word is known before it runs.
    pub(crate) known: bool,
    /// It gets variables of its own: `PAGER=… git log`.
    pub(crate) assigns: bool,
}

/// One thing that an event does.
#[derive(Debug, Default)]
pub(crate) struct Subject<'a> {
    /// None: an event that is no tool call, or a call whose actions hookbox cannot tell.
    pub(crate) kind: Option<Kind>,
    pub(crate) command: Option<Program<'a>>,
    /// The command line as it was written.
    pub(crate) text: Option<&'a str>,
    /// Absolute, without `.` and `..`; each also with its symlinks followed.
    pub(crate) paths: Vec<String>,
    /// What every argument of the command would be as a path: for holds that must account for all of them.
    pub(crate) words: Vec<String>,
    /// It is a part of a command that is a subject itself: an allow needs nothing more for it.
    pub(crate) derived: bool,
    /// False where there may be more paths than `paths`, or others.
    pub(crate) paths_known: bool,
    pub(crate) hosts: Vec<String>,
    pub(crate) content: Option<Cow<'a, str>>,
    pub(crate) cwd: Option<String>,
}

impl Subject<'_> {
    /// Whether what lies below its paths goes with them.
    pub(crate) fn takes_folders_along(&self) -> bool {
        let program = self.command.as_ref().map_or("", |command| &command.program);
        self.kind == Some(Kind::Delete) || ["rm", "mv", "rmdir"].contains(&program)
    }
}

/// An event, and what was asked of the host about it.
pub(crate) struct Scene<'a, H: Host> {
    pub(crate) event: &'a Event,
    pub(crate) host: &'a H,
    branch: OnceCell<Branch>,
    output: OnceCell<Option<String>>,
}

impl<'a, H: Host> Scene<'a, H> {
    pub(crate) fn new(event: &'a Event, host: &'a H) -> Self {
        Scene {
            event,
            host,
            branch: OnceCell::new(),
            output: OnceCell::new(),
        }
    }

    pub(crate) fn places(&self) -> Places<'a> {
        Places {
            project: &self.event.project,
            home: &self.event.home,
            cwd: &self.event.cwd,
        }
    }

    /// A field of the event as text.
    pub(crate) fn field(&self, pointer: &str) -> Option<String> {
        let text = self.host.payload_text(pointer)?;
        Some(serde_json::from_str(&text).unwrap_or(text))
    }

    /// What the tool gave back, as text.
    pub(crate) fn tool_output(&self) -> Option<&str> {
        self.output
            .get_or_init(|| self.field("/tool_response").or_else(|| self.field("/error")))
            .as_deref()
    }

    /// Whether the branch is one of the pattern's; an unknown one is every branch to a rule that forbids.
    pub(crate) fn on_branch(&self, word: &Word, hold: Hold) -> bool {
        let branch = self
            .branch
            .get_or_init(|| repository::branch(&self.event.cwd, &self.event.project, self.host));
        match branch {
            Branch::Named(name) => word.matches(name),
            Branch::None => false,
            Branch::Unknown => hold == Hold::Any,
        }
    }
}

/// What an event does, taken apart.
pub(crate) struct Subjects<'a> {
    pub(crate) all: Vec<Subject<'a>>,
    /// False where there may be more: no allow can hold then.
    pub(crate) complete: bool,
}

/// The command lines of an event, analysed: what `subjects` borrows from.
pub(crate) fn analyses<'a>(event: &'a Event, host: &impl Host) -> Vec<(&'a str, Rc<Analysis>)> {
    let run = event.actions().iter().filter_map(|action| match action {
        Action::Run(command) => Some(command),
        _ => None,
    });
    run.map(|command| (command.text.as_str(), host.analyze(&command.text, &command.shell)))
        .collect()
}

/// Everything that the event does.
pub(crate) fn subjects<'a>(
    event: &'a Event,
    analyses: &'a [(&'a str, Rc<Analysis>)],
    host: &impl Host,
) -> Subjects<'a> {
    let mut all = Vec::new();
    let mut complete = true;
    for (text, analysis) in analyses {
        complete &= analysis.complete;
        if analysis.commands.is_empty() || !analysis.complete {
            all.push(Subject {
                kind: Some(Kind::Run),
                text: Some(text),
                cwd: Some(event.cwd.clone()),
                ..Subject::default()
            });
        }
        for command in &analysis.commands {
            running(event, text, command, &mut all);
        }
    }
    for action in event.actions() {
        all.extend(acting(event, action, host));
    }
    if all.is_empty() {
        all.push(Subject {
            cwd: Some(event.cwd.clone()),
            ..Subject::default()
        });
    }
    for subject in &mut all {
        let resolved: Vec<String> = subject
            .paths
            .iter()
            .filter_map(|path| host.resolve(path).ok())
            .collect();
        for path in resolved {
            if !subject.paths.contains(&path) {
                subject.paths.push(path);
            }
        }
    }
    Subjects { all, complete }
}

/// What an action that is no command does.
fn acting<'a>(event: &'a Event, action: &'a Action, host: &impl Host) -> Option<Subject<'a>> {
    let cwd = Some(event.cwd.clone());
    let file = |kind: Kind, path: &str| Subject {
        kind: Some(kind),
        paths: vec![absolute(path, &event.cwd, &event.home)],
        paths_known: true,
        cwd: cwd.clone(),
        ..Subject::default()
    };
    Some(match action {
        Action::Run(_) => return None,
        Action::Read(path) => file(Kind::Read, path),
        Action::Delete(path) => file(Kind::Delete, path),
        Action::Write(write) => Subject {
            content: host.content(write).map(Cow::Owned),
            ..file(Kind::Write, &write.path)
        },
        Action::Search(search) => {
            let mut subject = file(Kind::Search, search.path.as_deref().unwrap_or("."));
            if let (Some(glob), Some(folder)) = (&search.glob, subject.paths.first()) {
                let inner = absolute(glob, folder, &event.home);
                subject.paths.push(inner);
            }
            subject
        }
        Action::Fetch(url) => Subject {
            kind: Some(Kind::Fetch),
            hosts: host_of(url).into_iter().collect(),
            cwd,
            ..Subject::default()
        },
        Action::Call(call) => {
            let mut subject = Subject {
                kind: Some(Kind::Call),
                cwd,
                ..Subject::default()
            };
            let mut texts = Vec::new();
            strings(&serde_json::from_str(&call.arguments).unwrap_or_default(), &mut texts);
            for text in &texts {
                subject.hosts.extend(host_of(text));
                if text.starts_with(['/', '~']) || text.starts_with("./") || text.starts_with("../") {
                    subject.paths.push(absolute(text, &event.cwd, &event.home));
                }
            }
            subject.content = Some(Cow::Owned(texts.join("\n")));
            subject
        }
    })
}

fn strings(value: &serde_json::Value, into: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) => into.push(text.clone()),
        serde_json::Value::Array(items) => items.iter().for_each(|item| strings(item, into)),
        serde_json::Value::Object(fields) => fields.values().for_each(|item| strings(item, into)),
        _ => {}
    }
}

/// Programs whose arguments are text or are told apart by `touch`: where it finds no file, there is none.
const SPOKEN_TO: [&str; 22] = [
    "echo", "printf", "true", ":", "git", "gh", "glab", "grep", "egrep", "fgrep", "rg", "ag", "sed", "awk", "gawk",
    "perl", "ruby", "curl", "wget", "docker", "kubectl", "test",
];

/// A program that would run, and the files that its redirections open.
fn running<'a>(event: &'a Event, text: &'a str, command: &'a SimpleCommand, into: &mut Vec<Subject<'a>>) {
    let name = command.program();
    let program = name.strip_suffix(".exe").unwrap_or(name).to_string();
    let cwd = match &command.cwd {
        None => Some(event.cwd.clone()),
        Some(word) if word.known => Some(absolute(&word.text, &event.cwd, &event.home)),
        Some(_) => None,
    };
    let from = cwd.clone().unwrap_or_else(|| event.cwd.clone());
    let args: Vec<&str> = command.args().iter().map(|word| word.text.as_str()).collect();
    let known = command.argv.iter().all(|word| word.known) && cwd.is_some();
    let first = into.len();
    let mut body = None;
    for redirect in &command.redirects {
        let kind = match redirect
            .operator
            .trim_start_matches(|letter: char| letter.is_ascii_digit())
        {
            "<<" | "<<-" | "<<<" => {
                body = Some(redirect.target.text.as_str());
                continue;
            }
            "<" | "<>" => Kind::Read,
            operator if operator.contains('>') => Kind::Write,
            _ => continue,
        };
        let target = redirect.target.text.as_str();
        let descriptor = redirect.operator.ends_with('&') && target.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        if descriptor || ["/dev/null", "/dev/stdout", "/dev/stderr"].contains(&target) {
            continue;
        }
        into.push(Subject {
            kind: Some(kind),
            text: Some(text),
            paths: vec![absolute(target, &from, &event.home)],
            paths_known: redirect.target.known && cwd.is_some(),
            cwd: cwd.clone(),
            content: (kind == Kind::Write).then(|| Cow::Owned(args.join(" "))),
            ..Subject::default()
        });
    }
    // What a heredoc says goes into the file that the same command writes.
    if let (Some(body), Some(last)) = (body, into[first..].last_mut())
        && last.kind == Some(Kind::Write)
    {
        last.content = Some(Cow::Borrowed(body));
    }
    let words = operands(&args, &from, &event.home);
    let touched = touched(command, &from, &event.home);
    let understood = !touched.is_empty() || SPOKEN_TO.contains(&program.as_str());
    let paths = if understood {
        touched.iter().map(|(_, path, _)| path.clone()).collect()
    } else {
        words.clone()
    };
    into.extend(touched.into_iter().map(|(kind, path, known)| Subject {
        kind: Some(kind),
        text: Some(text),
        paths: vec![path],
        cwd: cwd.clone(),
        derived: true,
        paths_known: known && cwd.is_some(),
        ..Subject::default()
    }));
    into.push(Subject {
        kind: Some(Kind::Run),
        text: Some(text),
        paths,
        words,
        paths_known: known,
        hosts: args.iter().filter_map(|arg| host_of(arg)).collect(),
        cwd,
        content: None,
        derived: false,
        command: Some(Program {
            program,
            args,
            via: &command.via,
            known,
            assigns: !command.assignments.is_empty(),
        }),
    });
}

/// What every argument would be as a path.
fn operands(args: &[&str], from: &str, home: &str) -> Vec<String> {
    let file = |arg: &&str| match arg.strip_prefix('-') {
        Some(_) => arg.split_once('=').map(|(_, value)| value.to_string()),
        // `if=/dev/sda`, `@file`
        None => Some(
            arg.split_once('=')
                .map_or(*arg, |(_, value)| value)
                .trim_start_matches('@')
                .to_string(),
        ),
    };
    let files = args
        .iter()
        .filter_map(file)
        .filter(|file| !file.is_empty() && !file.contains("://"));
    files.map(|file| absolute(&file, from, home)).collect()
}

/// The files that the program is known to touch, without those of its redirections, and whether each is known.
fn touched(command: &SimpleCommand, from: &str, home: &str) -> Vec<(Kind, String, bool)> {
    let plain = SimpleCommand {
        redirects: Vec::new(),
        ..command.clone()
    };
    let mut found = Vec::new();
    for touch in touch::touches(&plain) {
        let kind = match touch.access {
            Access::Read | Access::Copy | Access::Send => Kind::Read,
            Access::Write | Access::Make | Access::Change => Kind::Write,
            Access::Delete => Kind::Delete,
        };
        found.push((kind, absolute(&touch.path.text, from, home), touch.path.known));
        if let Some(to) = &touch.to {
            found.push((Kind::Write, absolute(to, from, home), touch.path.known));
        }
    }
    found
}

/// The host of a URL, or of `user@host:path`; none where the text is neither.
pub(crate) fn host_of(text: &str) -> Option<String> {
    let authority = match text.split_once("://") {
        Some((scheme, rest))
            if !scheme.is_empty()
                && scheme
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte)) =>
        {
            rest.split(['/', '?', '#', '\\']).next().unwrap_or(rest)
        }
        Some(_) => return None,
        None => {
            let (user, rest) = text.split_once('@')?;
            let plain =
                |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b));
            let (host, _) = rest.split_once(':')?;
            return (plain(user) && plain(host)).then(|| host.to_ascii_lowercase());
        }
    };
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let host = match host.strip_prefix('[') {
        Some(inside) => inside.split(']').next().unwrap_or(inside),
        None => host.split(':').next().unwrap_or(host),
    };
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    (!host.is_empty()).then_some(host)
}

/// The absolute path that `path` means, without `.` and `..`.
pub(crate) fn absolute(path: &str, cwd: &str, home: &str) -> String {
    let path = path.strip_prefix("file://").unwrap_or(path);
    let full = match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{home}{rest}"),
        _ if path.starts_with('/') => path.to_string(),
        _ => format!("{cwd}/{path}"),
    };
    let mut names: Vec<&str> = Vec::new();
    for name in full.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    format!("/{}", names.join("/"))
}
