//! The only unsafe code of the program, each use argued: where it starts, its standard streams, and the alarm that the
//! total deadline is kept with.
#![allow(unsafe_code)]

use crate::last_word;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The C library's `main`. Rust's own start would read `/proc/self/maps` and install handlers that only word a stack
/// overflow: a tenth of the time that an event takes.
#[cfg(not(test))]
// SAFETY: there is no other function of this name, since the program has no `main` of Rust's own.
#[unsafe(no_mangle)]
extern "C" fn main() -> libc::c_int {
    open_standard_streams();
    let nothing: extern "C" fn(libc::c_int) = ignore;
    // SAFETY: no other thread runs yet, and the handler does nothing. A closed stdout and a full quota have to be errors of the
    // write, not the end of the process; and who ignores the end of children learns nothing of them.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        libc::signal(libc::SIGXFSZ, nothing as libc::sighandler_t);
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
    }
    std::process::exit(crate::run_verb().into())
}

/// A handler, unlike an ignored signal, is not handed down to the commands that are started.
#[cfg(not(test))]
extern "C" fn ignore(_: libc::c_int) {}

/// A standard stream that was closed leads nowhere; otherwise the first file that is opened would take its place.
#[cfg(not(test))]
fn open_standard_streams() {
    for stream in 0..3 {
        // SAFETY: only asks whether the number is in use.
        let closed = unsafe { libc::fcntl(stream, libc::F_GETFD) } == -1;
        // SAFETY: the path is a C string. The lowest free number is given, which is that of the stream.
        if closed && unsafe { libc::open(c"/dev/null".as_ptr(), libc::O_RDWR) } != stream {
            std::process::abort();
        }
    }
}

/// What is said when the time is over.
pub(crate) struct Words {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) exit: u8,
}

static WORDS: AtomicPtr<Words> = AtomicPtr::new(null_mut());

/// In so many seconds the process ends with these words, unless somebody has answered by then. A thread that waits would cost
/// more than many plugins.
pub(crate) fn alarm(seconds: u32, words: Words) {
    // Never freed: the handler may read it at any time.
    WORDS.store(Box::leak(Box::new(words)), Ordering::Release);
    let handler: extern "C" fn(libc::c_int) = rang;
    // SAFETY: the handler does only what a signal handler may. The structs are plain data, for which zeros are valid.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as usize;
        action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
        libc::sigaction(libc::SIGALRM, &raw const action, null_mut());
        // Whoever started the program may have blocked it.
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGALRM);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const set, null_mut());
        libc::alarm(seconds);
    }
}

/// What was to end does not.
pub(crate) fn no_alarm() {
    // SAFETY: it takes a number.
    unsafe { libc::alarm(0) };
}

/// Where stdin is a pipe, its writer may write so much without waiting: as much as any user may ask for.
pub(crate) fn widen_stdin() {
    // SAFETY: it takes a number, not memory. What it answers does not matter: a narrow pipe only costs time.
    unsafe { libc::fcntl(0, libc::F_SETPIPE_SZ, 1 << 20) };
}

/// Leads stdout into a file.
#[cfg(test)]
pub(crate) fn stdout_into(file: &std::fs::File) {
    use std::os::fd::AsRawFd;
    // SAFETY: both numbers are open files of this process.
    let done = unsafe { libc::dup2(file.as_raw_fd(), 1) };
    assert_eq!(done, 1);
}

extern "C" fn rang(_: libc::c_int) {
    let words = WORDS.load(Ordering::Acquire);
    if words.is_null() || !last_word::claim() {
        return;
    }
    // SAFETY: it was leaked by `alarm`, and nobody writes to it.
    let words = unsafe { &*words };
    let mut exit = words.exit;
    for (stream, mut text) in [(1, &words.stdout[..]), (2, &words.stderr[..])] {
        while !text.is_empty() {
            // SAFETY: the pointer and the length are those of one slice; `write` may be called in a signal handler.
            let written = unsafe { libc::write(stream, text.as_ptr().cast(), text.len()) };
            match usize::try_from(written) {
                Ok(written) if written > 0 => text = text.get(written..).unwrap_or_default(),
                // What nobody hears must not be taken for silence.
                _ => {
                    exit = if stream == 1 { 2 } else { exit };
                    break;
                }
            }
        }
    }
    // SAFETY: ends the process without running anything else of it.
    unsafe { libc::_exit(exit.into()) }
}
