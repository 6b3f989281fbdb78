//! Loses every byte that was not synced, as a disk does whose power is cut, and lets system calls fail.
//!
//! Killing a process loses nothing that the kernel already holds, so a crash test that only kills cannot tell a
//! database that syncs from one that does not. This crate closes that gap in two halves:
//!
//! - A shared library, preloaded into the process under test with `LD_PRELOAD`, notes before each change to a watched
//!   folder how to undo it, and notes each successful `fsync` and `fdatasync`. See [`Watch`].
//! - [`roll_back`] undoes, after the process was killed, every change that was not synced.
//!
//! What counts as synced is a [`Promise`] of the file system. Under [`Promise::Strict`], which is what POSIX promises
//! and no more, bytes of a file are kept if that file was synced after they were written, and an entry of a folder
//! (a created, renamed or removed name) is kept if that folder was synced after it changed.
//!
//! [`roll_back`] takes the most that a disk may lose. A disk may also keep part of it, which can be harder to recover
//! from: [`roll_back_in_part`] leaves a random part.
//!
//! The library sees system calls, not calls of the C library: programs such as those built on `rustix` enter the
//! kernel without passing through libc, and would slip past a library that only replaced libc's functions. A seccomp
//! filter therefore hands the calls that change files to a signal handler, which notes the change and then performs
//! the call. Whatever it cannot undo (a writable shared mapping, io_uring, a move across the folder's edge) ends the
//! process with a message, so that no test passes because a change went unseen.
//!
//! The same library injects faults: [`Watch::inject`] makes system calls on files of the watched folder fail as on a
//! broken or full disk, or hang.
//!
//! The filter is written for Linux on x86-64. Elsewhere the crate builds, [`Watch::is_supported`] is false, and the
//! tests that need it say that they did nothing.

mod event;
mod fault;
mod log;
mod pending;
mod roll_back;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod shim;
mod survival;
mod watch;

pub use fault::{Fault, HANG, Operation};
pub use pending::Promise;
pub use roll_back::{RolledBack, roll_back, roll_back_as, roll_back_in_part};
pub use watch::Watch;
