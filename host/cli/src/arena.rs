//! The memory of the program: a piece that is there from the start, and the system's for what does not fit.
//!
//! One event allocates some thousand small values and ends. They are put one after the other into the rest of the huge page of
//! [`start`](crate::start), and none is used again; a program that goes on longer soon uses the system's allocator.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is larger goes to the system, which can give it back.
const LARGEST: usize = 32 << 10;

/// The allocator of the program.
pub(crate) struct Arena;

#[global_allocator]
static MEMORY: Arena = Arena;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
unsafe extern "C" {
    /// First free byte, and the end; both 0 where there is no such memory.
    static hookbox_arena: [AtomicUsize; 2];
}

#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
#[allow(non_upper_case_globals)]
static hookbox_arena: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

/// Bytes of a huge page.
const HUGE: usize = 2 << 20;

impl Arena {
    fn place() -> &'static [AtomicUsize; 2] {
        // SAFETY: `start` defines it as two numbers, 0 at first, in memory that is only ever used as atomic numbers.
        #[allow(unused_unsafe)]
        unsafe {
            &hookbox_arena
        }
    }

    fn take(layout: Layout) -> Option<*mut u8> {
        if layout.size() > LARGEST {
            return None;
        }
        let [free, end] = Arena::place();
        let end = end.load(Ordering::Relaxed);
        let mut at = free.load(Ordering::Relaxed);
        loop {
            let start = at.checked_next_multiple_of(layout.align())?;
            let next = start.checked_add(layout.size())?;
            if next > end {
                return None;
            }
            match free.compare_exchange_weak(at, next, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(start as *mut u8),
                Err(now) => at = now,
            }
        }
    }

    /// Whether the memory is of the arena.
    fn has(pointer: *mut u8) -> bool {
        let end = Arena::place()[1].load(Ordering::Relaxed);
        let at = pointer as usize;
        at < end && at >= end - HUGE
    }
}

// SAFETY: what `take` gives is memory of nobody else, aligned and long enough; it is never given twice, except for the last
// piece, and that only when it was given back. All else is the system's.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        Arena::take(layout).unwrap_or_else(|| unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let Some(pointer) = Arena::take(layout) else {
            // SAFETY: as for `alloc`.
            return unsafe { System.alloc_zeroed(layout) };
        };
        // SAFETY: it was just taken, and has that many bytes. What was given back may not be zero any more.
        unsafe { pointer.write_bytes(0, layout.size()) };
        pointer
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !Arena::has(pointer) {
            // SAFETY: what is not of the arena came from the system's allocator, with this layout.
            return unsafe { System.realloc(pointer, layout, size) };
        }
        let [free, end] = Arena::place();
        let (start, old) = (pointer as usize, pointer as usize + layout.size());
        // The last piece grows where it is; one that shrinks stays.
        let grown = start
            .checked_add(size)
            .filter(|next| *next <= end.load(Ordering::Relaxed));
        if size <= layout.size()
            || grown.is_some_and(|next| {
                free.compare_exchange(old, next, Ordering::Relaxed, Ordering::Relaxed)
                    .is_ok()
            })
        {
            return pointer;
        }
        // SAFETY: the caller promises that `size` is right for this alignment.
        let new = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
        if !new.is_null() {
            // SAFETY: both pieces have as many bytes, and are different ones.
            unsafe { new.copy_from_nonoverlapping(pointer, layout.size()) };
        }
        new
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if Arena::has(pointer) {
            // The last piece is free again.
            let (start, end) = (pointer as usize, pointer as usize + layout.size());
            let _ = Arena::place()[0].compare_exchange(end, start, Ordering::Relaxed, Ordering::Relaxed);
        } else {
            // SAFETY: what is not of the arena came from the system's allocator, with this layout.
            unsafe { System.dealloc(pointer, layout) }
        }
    }
}
