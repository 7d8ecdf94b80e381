//! The only unsafe code of the host, each use argued.
#![allow(unsafe_code)]

use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;
use wasmtime::component::Component;
use wasmtime::{Engine, Module};

/// Maps a compiled component from an open file of the cache.
pub(crate) fn map(engine: &Engine, file: &File) -> wasmtime::Result<Component> {
    // The path names the very file whose owner, mode and links were checked, whatever its name points to by now.
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    // SAFETY: the file is native code written by `prepare` of this user: `Cache` opened it in a folder of mode 0700
    // and checked that it is a regular file of this user, that nobody else may write, with a single link.
    let component = unsafe { Component::deserialize_file(engine, path) }?;
    let code = component.image_range();
    let length = code.end as usize - code.start as usize;
    // One request maps what would otherwise be a page fault for every few pages that a call touches. Only a hint: older
    // kernels do not know it.
    // SAFETY: the range is the component's own mapping, which lives as long as `component`; reading it changes nothing.
    let _ = unsafe {
        rustix::mm::madvise(
            code.start.cast_mut().cast(),
            length,
            rustix::mm::Advice::LinuxPopulateRead,
        )
    };
    Ok(component)
}

/// Maps a compiled core module from an open file of the cache.
pub(crate) fn map_module(engine: &Engine, file: File) -> wasmtime::Result<Module> {
    // SAFETY: as for `map`: the file is our own native code, and its owner, mode and links were checked by `Cache`.
    unsafe { Module::deserialize_open_file(engine, file) }
}

/// Takes a compiled core module that this process, or a child that it started, has just made.
pub(crate) fn load_module(engine: &Engine, compiled: &[u8]) -> wasmtime::Result<Module> {
    // SAFETY: as for `load`: the bytes come from `prepare` over a pipe of our own and have been nowhere else.
    unsafe { Module::deserialize(engine, compiled) }
}

/// Takes a compiled component that this process, or a child that it started, has just made.
pub(crate) fn load(engine: &Engine, compiled: &[u8]) -> wasmtime::Result<Component> {
    // SAFETY: the bytes come from `prepare` over a pipe of our own and have been nowhere else.
    unsafe { Component::deserialize(engine, compiled) }
}

/// Makes the child leader of a session of its own: it has no terminal, and a signal to its group reaches all it starts.
pub fn own_session(command: &mut Command) -> &mut Command {
    // SAFETY: between fork and exec only `setsid` is called, which is async-signal-safe and allocates nothing.
    unsafe { command.pre_exec(|| rustix::process::setsid().map(drop).map_err(Into::into)) }
}
