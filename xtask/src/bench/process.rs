//! Whole processes, started as agents start their hooks: stdin, stdout and stderr are pipes, and the answer is read to its end.

use anyhow::{Context, Result, ensure};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// One thing that is timed.
pub(super) struct Subject {
    pub(super) name: String,
    argv: Vec<String>,
    event: Vec<u8>,
    /// Runs for each round: what takes long is not worth as many.
    every: usize,
    times: Vec<Duration>,
    /// KiB that a process of it had in memory at most.
    pub(super) peak: u64,
    /// The first run of all: with what has to be made once.
    pub(super) first: Duration,
}

impl Subject {
    pub(super) fn new(name: impl Into<String>, argv: &[&str], event: &[u8]) -> Self {
        Subject {
            name: name.into(),
            argv: argv.iter().map(ToString::to_string).collect(),
            event: event.to_vec(),
            every: 1,
            times: Vec::new(),
            peak: 0,
            first: Duration::ZERO,
        }
    }

    /// Only in one of so many rounds.
    pub(super) fn every(mut self, rounds: usize) -> Self {
        self.every = rounds;
        self
    }

    fn run(&mut self, home: &Path) -> Result<Duration> {
        let (program, args) = self.argv.split_first().context("no program")?;
        let mut command = Command::new(program);
        command
            .args(args)
            .env_clear()
            .env("HOME", home)
            .env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let begun = Instant::now();
        let mut child = command.spawn().with_context(|| self.name.clone())?;
        // Who does not read its stdin, as `true`, is no failure.
        let _ = child.stdin.take().map(|mut stdin| stdin.write_all(&self.event));
        let (mut said, mut complained) = (String::new(), String::new());
        child
            .stdout
            .take()
            .map(|mut out| out.read_to_string(&mut said))
            .transpose()?;
        child
            .stderr
            .take()
            .map(|mut err| err.read_to_string(&mut complained))
            .transpose()?;
        let ended = child.wait4()?;
        let took = begun.elapsed();
        ensure!(
            ended.status.success(),
            "{}: an everyday event ended with {}\n{said}{complained}",
            self.name,
            ended.status
        );
        self.peak = self.peak.max(ended.rusage.maxrss / 1024);
        Ok(took)
    }

    pub(super) fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort();
        times.get(times.len() / 2).map_or(f64::NAN, Duration::as_secs_f64)
    }
}

/// Runs all, one after the other in each round, so that what the machine does meanwhile falls on all of them alike.
pub(super) fn interleaved(subjects: &mut [Subject], rounds: usize, home: &Path) -> Result<()> {
    for subject in subjects.iter_mut() {
        // The first run prepares plugins, the next ones find them.
        subject.first = subject.run(home)?;
        subject.run(home)?;
        subject.peak = 0;
    }
    for round in 0..rounds {
        for subject in subjects.iter_mut().filter(|subject| round % subject.every == 0) {
            let took = subject.run(home)?;
            subject.times.push(took);
        }
    }
    Ok(())
}
