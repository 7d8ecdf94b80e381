//! Where the released program really starts: one request to the kernel, then the C library's own start.
//!
//! A position-independent program writes some hundred pages while it relocates itself, and each of them is a page fault.
//! Asking for all of them at once takes a tenth of that time. Older kernels answer with an error, which changes nothing.
//! `build.rs` makes this the entry of a statically linked program; in any other nobody calls it.
#![allow(unsafe_code)]

// 28 is `madvise`, 23 is `MADV_POPULATE_WRITE`. At entry only the stack pointer and rdx mean something, and both are kept.
std::arch::global_asm!(
    ".globl hookbox_start",
    "hookbox_start:",
    "mov r8, rdx",
    "lea rdi, [rip + __init_array_start]",
    "and rdi, -4096",
    "lea rsi, [rip + _end]",
    "sub rsi, rdi",
    "add rsi, 4095",
    "and rsi, -4096",
    "mov edx, 23",
    "mov eax, 28",
    "syscall",
    "mov rdx, r8",
    "jmp _start",
);
