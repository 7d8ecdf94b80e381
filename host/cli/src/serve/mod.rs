//! `hookbox serve`: the same engine in a process that goes on, for an agent's HTTP hooks and for a Unix socket.
//!
//! Each connection has a thread; an event is answered on it as `hookbox run` would. Every answer has status 200: an agent carries
//! on after any other, whatever its body says.

mod answer;
mod connection;
mod door;
mod late;
mod request;
mod socket;
mod token;

use anyhow::{Context, Result, ensure};
use clap::Args;
use connection::OnDrop;
use door::Door;
use hookbox::{Engine, Options};
use late::Late;
use std::io::Read;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Connections at once, by TCP and by the socket each. One more by TCP takes the place of the oldest that has shown no token: whoever
/// has none keeps nobody out. Else it waits until another has ended.
const CONNECTIONS: usize = 128;
/// What has begun is brought to its end for so long after the request to end.
const GRACE: Duration = Duration::from_secs(10);

#[derive(Args)]
pub(crate) struct Serve {
    /// A loopback address for HTTP hooks, like 127.0.0.1:8371; port 0: any free one
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,
    /// A Unix socket for HTTP, in a folder that only you can write to
    #[arg(long, value_name = "PATH")]
    socket: Option<PathBuf>,
    /// The project's root for every event, instead of the folder that the event names
    #[arg(long, value_name = "FOLDER")]
    project: Option<PathBuf>,
    /// This file instead of the user, project and local layers
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// What every connection needs.
struct House {
    engine: Engine,
    late: Late,
    /// Requests that have begun and are not answered.
    busy: AtomicUsize,
    ends: AtomicBool,
}

pub(crate) fn run(args: Serve) -> Result<ExitCode> {
    ensure!(
        args.listen.is_some() || args.socket.is_some(),
        "nothing to listen on\nhint: --listen 127.0.0.1:8371, or --socket PATH"
    );
    if let Some(address) = args.listen {
        let hint = "whoever reaches the port could ask for decisions; use 127.0.0.1";
        ensure!(
            address.ip().is_loopback(),
            "{address} is not a loopback address\nhint: {hint}"
        );
    }
    let absolute = |path: Option<PathBuf>| path.map(std::path::absolute).transpose();
    let mut options = Options::from_environment().preparing_with_this_program();
    options.config = absolute(args.config)?;
    // What this process was started in says nothing of the agents that will ask.
    options.project = absolute(args.project)?;
    options.cwd = None;
    let path = absolute(args.socket)?;
    std::env::set_current_dir("/").context("/")?;

    // Before anything can be asked: from here on a request to end is heard.
    let (mut end, heard) = UnixStream::pair()?;
    for signal in [libc::SIGTERM, libc::SIGINT] {
        signal_hook::low_level::pipe::register(signal, heard.try_clone()?)?;
    }
    let tcp = match args.listen {
        Some(address) => {
            let token = token::Token::of(&options)?;
            let listener = TcpListener::bind(address).with_context(|| address.to_string())?;
            println!(
                "http://{}/run, token in {}",
                listener.local_addr()?,
                token.file.display()
            );
            Some((listener, token.text))
        }
        None => None,
    };
    let unix = match &path {
        Some(path) => {
            let listener = socket::bind(path)?;
            println!("{}", path.display());
            Some(listener)
        }
        None => None,
    };

    let house = Arc::new(House {
        engine: Engine::resident(options),
        late: Late::default(),
        busy: AtomicUsize::new(0),
        ends: AtomicBool::new(false),
    });
    house.ready();
    let watched = Arc::clone(&house);
    thread::Builder::new().spawn(move || watched.late.watch())?;
    if let Some((listener, token)) = tcp {
        let (house, token) = (Arc::clone(&house), Arc::new(token));
        thread::Builder::new().spawn(move || {
            let next = || {
                let (stream, _) = listener.accept()?;
                // An answer is one small write: it must not wait for the client to confirm the last one.
                stream.set_nodelay(true)?;
                Ok((stream.into(), Door::Token(Arc::clone(&token))))
            };
            house.accept(next, Late::dismiss);
        })?;
    }
    if let Some(listener) = unix {
        let house = Arc::clone(&house);
        thread::Builder::new().spawn(move || {
            let next = || {
                let (stream, _) = listener.accept()?;
                let door = Door::Peer(socket::is_of_this_user(&stream));
                Ok((stream.into(), door))
            };
            house.accept(next, |_| ());
        })?;
    }
    // Interrupted or not: what comes after is the end.
    while end
        .read(&mut [0])
        .is_err_and(|error| error.kind() == std::io::ErrorKind::Interrupted)
    {}
    if let Some(path) = path {
        let _ = std::fs::remove_file(path);
    }
    house.finish();
    Ok(ExitCode::SUCCESS)
}

impl House {
    /// Gets everything ready that the configuration names, so that no event waits for it.
    fn ready(&self) {
        self.engine.warm();
        let project = self.engine.options().project.clone().unwrap_or_else(|| "/".into());
        for (what, came) in self.engine.prepare(&project.to_string_lossy()) {
            if let Err(why) = came {
                eprintln!("{what}: {why}");
            }
        }
    }

    /// `full`: what is done where all places are taken, each time before it is looked again.
    fn accept(self: &Arc<Self>, next: impl Fn() -> std::io::Result<(connection::Stream, Door)>, full: impl Fn(&Late)) {
        let open = Arc::new(AtomicUsize::new(0));
        while !self.ends.load(Ordering::SeqCst) {
            if open.load(Ordering::SeqCst) >= CONNECTIONS {
                full(&self.late);
                thread::sleep(Duration::from_millis(1));
                continue;
            }
            let Ok((stream, door)) = next() else {
                // Out of file descriptors, mostly: others will end.
                thread::sleep(Duration::from_millis(10));
                continue;
            };
            open.fetch_add(1, Ordering::SeqCst);
            let counted = Arc::clone(&open);
            let closed = OnDrop(move || {
                counted.fetch_sub(1, Ordering::SeqCst);
            });
            let house = Arc::clone(self);
            // Where there is no thread for it, it is closed at once.
            let _ = thread::Builder::new().spawn(move || {
                let _closed = closed;
                connection::talk(&house, stream, &door);
            });
        }
    }

    /// Waits for what has begun.
    fn finish(&self) {
        self.ends.store(true, Ordering::SeqCst);
        let begun = Instant::now();
        while self.busy.load(Ordering::SeqCst) > 0 && begun.elapsed() < GRACE {
            thread::sleep(Duration::from_millis(5));
        }
    }
}
