//! hookbox in a process that goes on: one call of a plugin, and `hookbox serve`.

use super::scenes;
use crate::plugins::root;
use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What `hookbox serve` does.
pub(super) struct Served {
    pub(super) per_second: f64,
    pub(super) p99_milliseconds: f64,
}

/// µs of a call of a plugin that does nothing, each in a fresh instance: the median of the bench of that name.
pub(super) fn warm_call() -> Result<f64> {
    let ran = Command::new("cargo")
        .current_dir(root())
        .args([
            "bench",
            "-q",
            "-p",
            "hookbox",
            "--bench",
            "parts",
            "--",
            "--noplot",
            "warm call",
        ])
        .status()?;
    ensure!(ran.success(), "the bench `parts` failed");
    let estimates = root().join("target/criterion/warm call/new/estimates.json");
    let text = fs::read_to_string(&estimates).with_context(|| estimates.display().to_string())?;
    let estimates: Value = serde_json::from_str(&text)?;
    let nanoseconds = estimates["median"]["point_estimate"].as_f64();
    Ok(nanoseconds.context("no median")? / 1e3)
}

/// Connections that ask at once: enough that the server always has something to do.
const CLIENTS: u32 = 4;
/// How long each rate is held, and how often. The median counts: what others on the machine take in one of these times is not
/// hookbox's.
const TIME: Duration = Duration::from_secs(1);
const TIMES: usize = 9;
/// Decisions per second at which waiting times are measured: half of the budget.
const HALF: u32 = 2_500;

/// HTTP keep-alive, the whole pack, on the processors of this machine, which this load shares.
pub(super) fn serve(hookbox: &str, home: &Path) -> Result<Served> {
    let mut child = Command::new(hookbox)
        .args(["serve", "--listen", "127.0.0.1:0"])
        .env_clear()
        .env("HOME", home)
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdout(Stdio::piped())
        .spawn()?;
    let measured = measure(&mut child, home);
    let _ = child.kill();
    let _ = child.wait();
    measured
}

fn measure(child: &mut Child, home: &Path) -> Result<Served> {
    let mut line = String::new();
    BufReader::new(child.stdout.take().context("no stdout")?).read_line(&mut line)?;
    let address = line.strip_prefix("http://").and_then(|rest| rest.split('/').next());
    let address = address.context("it does not listen")?.to_owned();
    let token = fs::read_to_string(home.join(".local/state/hookbox/serve.token"))?;
    let body = scenes::small();
    let head = format!(
        "POST /run HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {}\r\nContent-Length: {}\r\n\r\n",
        token.trim(),
        body.len()
    );
    let request = [head.as_bytes(), &body].concat();
    // The first does not count.
    load(&address, &request, None)?;
    let answered = || Ok(load(&address, &request, None)?.len() as f64);
    let p99 = || {
        let mut took = load(&address, &request, Some(HALF))?;
        took.sort_unstable();
        let p99 = took.get(took.len() * 99 / 100).context("nothing was answered")?;
        Ok(p99.as_secs_f64() * 1e3)
    };
    Ok(Served {
        per_second: median(answered)? / TIME.as_secs_f64(),
        p99_milliseconds: median(p99)?,
    })
}

fn median(measure: impl Fn() -> Result<f64>) -> Result<f64> {
    let mut all = (0..TIMES).map(|_| measure()).collect::<Result<Vec<f64>>>()?;
    all.sort_by(f64::total_cmp);
    Ok(all[TIMES / 2])
}

/// What each answer took. At a `rate` per second, from the moment at which its request was due: who waits behind a slow answer waits, too.
fn load(address: &str, request: &[u8], rate: Option<u32>) -> Result<Vec<Duration>> {
    let begun = Instant::now();
    let client = |number: u32| -> Result<Vec<Duration>> {
        let mut stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        let mut took = Vec::new();
        let mut due = begun + rate.map_or(Duration::ZERO, |rate| Duration::from_secs(1) * number / rate);
        while begun.elapsed() < TIME {
            let now = Instant::now();
            let since = match rate {
                None => now,
                Some(rate) => {
                    thread::sleep(due.saturating_duration_since(now));
                    let since = due;
                    due += Duration::from_secs(1) * CLIENTS / rate;
                    since
                }
            };
            stream.write_all(request)?;
            answered(&mut stream)?;
            took.push(since.elapsed());
        }
        Ok(took)
    };
    let client = &client;
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|number| scope.spawn(move || client(number))).collect();
        let mut all = Vec::new();
        for client in clients {
            all.extend(client.join().map_err(|_| anyhow!("a client panicked"))??);
        }
        Ok(all)
    })
}

/// The event is a harmless one: its answer has no body.
fn answered(stream: &mut TcpStream) -> Result<()> {
    let mut buffer = [0; 1024];
    let mut length = 0;
    while !buffer[..length].ends_with(b"\r\n\r\n") {
        let read = stream.read(&mut buffer[length..])?;
        ensure!(read > 0, "the server hung up");
        length += read;
    }
    let text = String::from_utf8_lossy(&buffer[..length]);
    let nothing = text.starts_with("HTTP/1.1 200 ") && text.contains("content-length: 0\r\n");
    ensure!(nothing, "a harmless call was answered with {text}");
    Ok(())
}
