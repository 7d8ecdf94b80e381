//! The only unsafe code of the host, each use argued.
#![allow(unsafe_code)]

use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSection};
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use std::fs::File;
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, PoisonError};
use wasmtime::component::Component;
use wasmtime::{Engine, Module, StackCreator, StackMemory};

/// Bytes below a stack that nobody may touch. A page, of whatever size pages are here.
const GUARD: usize = 64 << 10;

/// Stacks for plugins to run on. One that a call is done with serves the next: a new one costs three calls of the system and
/// a page fault for each page that is touched.
#[derive(Default)]
pub(crate) struct Stacks {
    free: Arc<Mutex<Vec<Mapping>>>,
}

/// Memory of its own, with a guard at its lower end.
struct Mapping {
    start: usize,
    length: usize,
}

/// A stack on loan.
struct Stack {
    mapping: Option<Mapping>,
    range: Range<usize>,
    free: Arc<Mutex<Vec<Mapping>>>,
}

impl Mapping {
    fn new(length: usize) -> rustix::io::Result<Self> {
        // SAFETY: a new mapping of the system's choice is in nobody's way.
        let start = unsafe {
            mmap_anonymous(
                null_mut(),
                length,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::PRIVATE | MapFlags::STACK,
            )
        }?;
        let mapping = Mapping {
            start: start as usize,
            length,
        };
        // SAFETY: its first bytes, which nobody has used.
        unsafe { mprotect(start, GUARD, MprotectFlags::empty()) }?;
        Ok(mapping)
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own, and no stack of it is on loan.
        let _ = unsafe { munmap(self.start as *mut _, self.length) };
    }
}

// SAFETY: each stack is memory of its own, page aligned, zeros when it is new, with a guard below; it is given to one call
// at a time. What an earlier call left there no plugin can read: WebAssembly does not see its stack.
unsafe impl StackCreator for Stacks {
    fn new_stack(&self, size: usize, zeroed: bool) -> wasmtime::Result<Box<dyn StackMemory>> {
        let length = size + GUARD;
        let known = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mapping = match known.filter(|known| known.length == length && !zeroed) {
            Some(known) => known,
            None => Mapping::new(length)?,
        };
        let range = mapping.start + GUARD..mapping.start + mapping.length;
        Ok(Box::new(Stack {
            mapping: Some(mapping),
            range,
            free: Arc::clone(&self.free),
        }))
    }
}

// SAFETY: the ranges are those of the mapping, which lives until the stack is dropped.
unsafe impl StackMemory for Stack {
    fn top(&self) -> *mut u8 {
        self.range.end as *mut u8
    }

    fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    fn guard_range(&self) -> Range<*mut u8> {
        (self.range.start - GUARD) as *mut u8..self.range.start as *mut u8
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        // As many as calls run at once; the rest goes back to the system.
        if free.len() < 64 {
            free.extend(self.mapping.take());
        }
    }
}

/// Maps a compiled component from an open file of the cache.
pub(crate) fn map(engine: &Engine, file: &File) -> wasmtime::Result<Component> {
    // The path names the very file whose owner, mode and links were checked, whatever its name points to by now.
    let path = format!("/proc/self/fd/{}", file.as_raw_fd());
    // SAFETY: the file is native code written by `prepare` of this user: `Cache` opened it in a folder of mode 0700
    // and checked that it is a regular file of this user, that nobody else may write, with a single link.
    let component = unsafe { Component::deserialize_file(engine, path) }?;
    populate(&component);
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

/// One request maps the code, which would otherwise be a page fault for every few pages that a call touches.
fn populate(component: &Component) {
    let image = component.image_range();
    let length = image.end as usize - image.start as usize;
    // SAFETY: the range is the component's own mapping, which may be read, is never written, and outlives this function.
    let bytes = unsafe { std::slice::from_raw_parts(image.start, length) };
    let text = ElfFile64::<Endianness>::parse(bytes).ok().and_then(|file| {
        let section = file.section_by_name(".text")?;
        section.file_range()
    });
    let whole = (0, length as u64);
    let (start, length) = text.unwrap_or(whole);
    let start = image.start.wrapping_add(start as usize).cast_mut().cast();
    // Only a hint: older kernels do not know it.
    // SAFETY: the range is a part of the component's mapping, page aligned; reading it changes nothing.
    let _ = unsafe { rustix::mm::madvise(start, length as usize, rustix::mm::Advice::LinuxPopulateRead) };
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
