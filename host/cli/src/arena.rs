//! The memory of the program: a piece that is there from the start, huge pages for what is large, and the system's for the rest.
//!
//! One event allocates some thousand small values and ends. They are put one after the other into the rest of the huge page of
//! [`start`](crate::start), and none is used again; a program that goes on longer soon uses the system's allocator. What a large
//! event is copied into would cost a page fault for each 4 KiB; as huge pages it costs one for each 2 MiB.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// What is larger goes to the system, which can give it back.
const LARGEST: usize = 32 << 10;

/// From so many bytes on, huge pages.
const LARGE: usize = 256 << 10;

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
            match free.compare_exchange_weak(at, next, Ordering::Acquire, Ordering::Relaxed) {
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

/// Huge pages that were given back: what comes next need not be cleared by the kernel again.
static FREE: [AtomicPtr<u8>; 4] = [const { AtomicPtr::new(null_mut()) }; 4];

/// A huge page of [`FREE`], where the layout is that of one and there is one.
fn kept(layout: Layout) -> Option<*mut u8> {
    let mut free = FREE.iter().filter(|_| layout.size() == HUGE && layout.align() == HUGE);
    free.find_map(|slot| Some(slot.swap(null_mut(), Ordering::AcqRel)).filter(|page| !page.is_null()))
}

/// Whether the page has found a place in [`FREE`].
fn keep(page: *mut u8, layout: Layout) -> bool {
    let mut free = FREE.iter().filter(|_| layout.size() == HUGE && layout.align() == HUGE);
    free.any(|slot| {
        slot.compare_exchange(null_mut(), page, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    })
}

/// The layout that the system is asked for: whole huge pages for what is large.
fn rounded(layout: Layout) -> Layout {
    let size = layout.size().checked_next_multiple_of(HUGE);
    let size = size.filter(|_| layout.size() >= LARGE);
    let large = size.and_then(|size| Layout::from_size_align(size, layout.align().max(HUGE)).ok());
    large.unwrap_or(layout)
}

// SAFETY: what `take` gives is memory of nobody else, aligned and long enough; it is never given twice, except for the last
// piece, and that only when it was given back: what its owner did to it comes before (Release, Acquire). All else is the system's, by the layout that `rounded` makes of the caller's.
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if let Some(pointer) = Arena::take(layout) {
            return pointer;
        }
        let rounded = rounded(layout);
        if let Some(page) = kept(rounded) {
            return page;
        }
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        let pointer = unsafe { System.alloc(rounded) };
        if rounded.align() >= HUGE && !pointer.is_null() {
            // SAFETY: the pages are those that were just given. A hint: the answer does not matter.
            unsafe { libc::madvise(pointer.cast(), rounded.size(), libc::MADV_HUGEPAGE) };
        }
        pointer
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that `size` is right for this alignment.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        let (old, new) = (rounded(layout), rounded(wanted));
        if Arena::has(pointer) {
            let [free, end] = Arena::place();
            let (start, known) = (pointer as usize, pointer as usize + layout.size());
            // The last piece grows where it is; one that shrinks stays.
            let next = start
                .checked_add(size)
                .filter(|next| *next <= end.load(Ordering::Relaxed));
            let grows = |next| {
                free.compare_exchange(known, next, Ordering::Acquire, Ordering::Relaxed)
                    .is_ok()
            };
            if size <= layout.size() || next.is_some_and(grows) {
                return pointer;
            }
        } else if old == new && old.align() >= HUGE {
            return pointer;
        } else if old.align() < HUGE && new.align() < HUGE {
            // SAFETY: what is not of the arena came from the system's allocator, with this layout.
            return unsafe { System.realloc(pointer, layout, size) };
        }
        // SAFETY: the size is not 0, as the caller promises.
        let moved = unsafe { self.alloc(wanted) };
        if !moved.is_null() {
            // SAFETY: both pieces have as many bytes, and are different ones; the old one is not used again.
            unsafe {
                moved.copy_from_nonoverlapping(pointer, layout.size().min(size));
                self.dealloc(pointer, layout);
            }
        }
        moved
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        if Arena::has(pointer) {
            // The last piece is free again.
            let (start, end) = (pointer as usize, pointer as usize + layout.size());
            let _ = Arena::place()[0].compare_exchange(end, start, Ordering::Release, Ordering::Relaxed);
        } else if !keep(pointer, rounded(layout)) {
            // SAFETY: what is not of the arena came from the system's allocator, with this layout.
            unsafe { System.dealloc(pointer, rounded(layout)) }
        }
    }
}
