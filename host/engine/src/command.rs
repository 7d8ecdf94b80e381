//! Runs a `command` handler: a program of the user, with the user's rights, not sandboxed.
//!
//! It leads a session of its own; the event is its stdin; at the deadline its whole group is killed. A grandchild that
//! keeps stdout open delays nothing: when the program itself has ended, what is there is what it said.

use hookbox_protocol::codec::{Exit, MAX_STDOUT};
use hookbox_protocol::config::{CommandHandler, Shell};
use hookbox_sandbox::own_session;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Variables of the agent that a handler must not have: they open a channel to the agent itself.
const WITHHELD: &[&str] = &["CLAUDE_CODE_MESSAGING_SOCKET", "CLAUDE_CODE_MESSAGING_TOKEN"];

/// How often the end of a program is looked for while something keeps its stdout open.
const TICK: Duration = Duration::from_millis(5);
/// Between the request to end and the kill.
const GRACE: Duration = Duration::from_millis(100);

/// How a run ended and what it said.
pub(crate) struct Ran {
    pub(crate) exit: Exit,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    /// It asked to go on in the background, or was configured to.
    pub(crate) background: bool,
}

impl Ran {
    fn could_not_start(why: impl Into<String>) -> Self {
        Ran {
            exit: Exit::CouldNotStart(why.into()),
            stdout: Vec::new(),
            stderr: Vec::new(),
            background: false,
        }
    }
}

/// Where the handler runs.
pub(crate) struct Place<'a> {
    pub(crate) cwd: &'a str,
    pub(crate) project: &'a str,
}

/// Runs the handler to its end or to the deadline.
pub(crate) fn run(handler: &CommandHandler, place: &Place<'_>, stdin: &[u8], timeout: Duration) -> Ran {
    let mut command = match command(handler, place) {
        Ok(command) => command,
        Err(why) => return Ran::could_not_start(why),
    };
    let waits = !(handler.run_async || handler.async_rewake);
    let output = || if waits { Stdio::piped() } else { Stdio::null() };
    command.stdin(Stdio::piped()).stdout(output()).stderr(output());
    let mut child = match own_session(&mut command).spawn() {
        Ok(child) => child,
        Err(error) => return Ran::could_not_start(error.to_string()),
    };
    if !waits {
        return start_in_background(child, stdin);
    }
    match converse(&mut child, stdin, Instant::now() + timeout) {
        Ok(ran) => ran,
        Err(error) => {
            end(&mut child);
            Ran::could_not_start(format!("its pipes broke: {error}"))
        }
    }
}

fn command(handler: &CommandHandler, place: &Place<'_>) -> Result<Command, String> {
    let mut command = match &handler.args {
        Some(args) => {
            let fill = |text: &str| text.replace("${CLAUDE_PROJECT_DIR}", place.project);
            for text in args.iter().chain([&handler.command]) {
                plugin_placeholder(text)?;
            }
            let mut command = Command::new(fill(&handler.command));
            command.args(args.iter().map(|arg| fill(arg)));
            command
        }
        None => {
            plugin_placeholder(&handler.command)?;
            let mut command = match handler.shell {
                Shell::Bash => Command::new("/bin/sh"),
                Shell::PowerShell => Command::new("pwsh"),
            };
            let flag = if handler.shell == Shell::Bash { "-c" } else { "-Command" };
            command.arg(flag).arg(&handler.command);
            command
        }
    };
    for name in WITHHELD {
        command.env_remove(name);
    }
    command
        .env("CLAUDE_PROJECT_DIR", place.project)
        .current_dir(folder(place));
    Ok(command)
}

/// Only an agent's plugin has a root; a handler that needs one cannot be run here.
fn plugin_placeholder(text: &str) -> Result<(), String> {
    let missing = text.contains("${CLAUDE_PLUGIN_ROOT}") && std::env::var_os("CLAUDE_PLUGIN_ROOT").is_none();
    if missing {
        Err("${CLAUDE_PLUGIN_ROOT} stands in it, and it is not of a plugin".into())
    } else {
        Ok(())
    }
}

/// The session's folder, or the next best where it was deleted.
fn folder(place: &Place<'_>) -> PathBuf {
    let home = std::env::var("HOME").unwrap_or_default();
    let candidates = [place.cwd, place.project, &home];
    let found = candidates
        .iter()
        .find(|path| !path.is_empty() && Path::new(path).is_dir());
    PathBuf::from(found.copied().unwrap_or("/"))
}

/// The event goes to the program's stdin; a pipe holds it, and the rest of a large one is written while hookbox lives.
fn start_in_background(mut child: Child, stdin: &[u8]) -> Ran {
    if let Some(mut pipe) = child.stdin.take() {
        let _ = pipe.write_all(stdin);
    }
    Ran {
        exit: Exit::Code(0),
        stdout: Vec::new(),
        stderr: Vec::new(),
        background: true,
    }
}

/// One pipe from the program, read without waiting.
struct Reading<R> {
    pipe: Option<R>,
    text: Vec<u8>,
}

impl<R: Read + AsFd> Reading<R> {
    fn new(pipe: Option<R>) -> io::Result<Self> {
        if let Some(pipe) = &pipe {
            nonblocking(pipe)?;
        }
        Ok(Reading { pipe, text: Vec::new() })
    }

    /// Takes what is there; at the end, or when there is more than is ever read, the pipe is closed.
    fn take(&mut self) {
        let mut chunk = [0; 16 << 10];
        while let Some(pipe) = &mut self.pipe {
            match pipe.read(&mut chunk) {
                Ok(0) => self.pipe = None,
                Ok(read) => {
                    self.text.extend_from_slice(&chunk[..read]);
                    if self.text.len() > MAX_STDOUT {
                        self.pipe = None;
                    }
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => self.pipe = None,
            }
        }
    }
}

fn nonblocking(pipe: &impl AsFd) -> io::Result<()> {
    let flags = rustix::fs::fcntl_getfl(pipe)?;
    Ok(rustix::fs::fcntl_setfl(pipe, flags | rustix::fs::OFlags::NONBLOCK)?)
}

/// The event, written as the program takes it.
struct Writing<'a> {
    pipe: Option<ChildStdin>,
    rest: &'a [u8],
}

impl Writing<'_> {
    fn give(&mut self) {
        while let Some(pipe) = &mut self.pipe {
            match pipe.write(self.rest) {
                Ok(written) => self.rest = self.rest.get(written..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // A program that does not read its stdin is none of our business.
                Err(_) => self.pipe = None,
            }
            if self.rest.is_empty() {
                self.pipe = None;
            }
        }
    }
}

fn converse(child: &mut Child, stdin: &[u8], deadline: Instant) -> io::Result<Ran> {
    let mut input = Writing {
        pipe: child.stdin.take(),
        rest: stdin,
    };
    if let Some(pipe) = &input.pipe {
        nonblocking(pipe)?;
    }
    let mut stdout = Reading::new(child.stdout.take())?;
    let mut stderr = Reading::new(child.stderr.take())?;
    loop {
        input.give();
        stdout.take();
        stderr.take();
        if asks_for_background(&stdout.text) {
            let Reading { text, .. } = stdout;
            return Ok(Ran {
                exit: Exit::Code(0),
                stdout: text,
                stderr: stderr.text,
                background: true,
            });
        }
        if let Some(status) = child.try_wait()? {
            stdout.take();
            stderr.take();
            return Ok(Ran {
                exit: exit(status),
                stdout: stdout.text,
                stderr: stderr.text,
                background: false,
            });
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            end(child);
            return Ok(Ran {
                exit: Exit::TimedOut,
                stdout: stdout.text,
                stderr: stderr.text,
                background: false,
            });
        }
        wait(&input, &stdout, &stderr, left.min(TICK))?;
    }
}

fn wait<A: AsFd, B: AsFd>(
    input: &Writing<'_>,
    stdout: &Reading<A>,
    stderr: &Reading<B>,
    time: Duration,
) -> io::Result<()> {
    let mut pipes = Vec::with_capacity(3);
    pipes.extend(input.pipe.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
    pipes.extend(stdout.pipe.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
    pipes.extend(stderr.pipe.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::IN)));
    if pipes.is_empty() {
        // All said; the program is about to end.
        std::thread::sleep(time.min(Duration::from_micros(200)));
        return Ok(());
    }
    let time = Timespec {
        tv_sec: 0,
        tv_nsec: i64::from(time.subsec_nanos()),
    };
    match poll(&mut pipes, Some(&time)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Whether the first line is `{"async": true}`: the program goes on, and nobody waits for it.
fn asks_for_background(stdout: &[u8]) -> bool {
    let Some(end) = stdout.iter().position(|byte| *byte == b'\n') else {
        return false;
    };
    let line: Option<serde_json::Value> = serde_json::from_slice(&stdout[..end]).ok();
    line.is_some_and(|line| line.get("async") == Some(&serde_json::Value::Bool(true)))
}

fn exit(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, Some(signal)) => Exit::Signal(signal),
        (None, None) => Exit::Code(255),
    }
}

/// Ends the program and all that it started: first asked, then killed.
fn end(child: &mut Child) {
    let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) else {
        return;
    };
    let _ = kill_process_group(group, Signal::TERM);
    let until = Instant::now() + GRACE;
    while Instant::now() < until && matches!(child.try_wait(), Ok(None)) {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = kill_process_group(group, Signal::KILL);
    let _ = child.wait();
}
