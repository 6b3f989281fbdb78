//! The preloaded half: notes every change to the watched folder before the kernel makes it.
//!
//! A seccomp filter turns each system call that could change a file into the signal `SIGSYS`, raised in the calling
//! thread in place of the call. The handler notes the change, performs the call itself and leaves its result where
//! the caller expects it.
//!
//! The handler allocates, which a signal handler may do here only because the signal is never asynchronous: it
//! arrives exactly where a thread makes one of the filtered calls, and the allocator makes none of those, once
//! [`fix_arena_count`] has kept it from counting the processors.

mod contents;
mod entries;
mod faults;
mod filter;
mod kernel;
mod recorder;
mod syncs;

use std::ffi::{CString, c_int, c_void};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::watch::{FOLDER_VARIABLE, LOG_VARIABLE};
use faults::Verdict;
use kernel::Call;
use recorder::Recorder;

/// glibc's own limit on a machine of one processor.
const ARENAS: c_int = 8;

static RECORDER: OnceLock<Mutex<Recorder>> = OnceLock::new();

/// The dynamic linker calls this before the program's `main`.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = begin;

extern "C" fn begin() {
    let (Some(folder), Some(log)) = (std::env::var_os(FOLDER_VARIABLE), std::env::var_os(LOG_VARIABLE)) else {
        // Linked into a harness, or preloaded with nothing to watch.
        return;
    };
    faults::begin(&PathBuf::from(&log));
    let recorder = Recorder::begin(&PathBuf::from(folder), PathBuf::from(log))
        .unwrap_or_else(|error| give_up(&format!("cannot begin: {error}")));
    if RECORDER.set(Mutex::new(recorder)).is_err() {
        give_up("loaded twice");
    }
    // A harness that starts itself again holds this code twice, preloaded and linked: the preloaded one comes first.
    // SAFETY: the program has no second thread before its `main`.
    unsafe { std::env::remove_var(FOLDER_VARIABLE) };
    fix_arena_count();
    install_handler();
    filter::install();
}

/// When threads first compete for memory, glibc reads the number of processors from a file, to decide how many arenas
/// to make. That may be in the handler, or in a thread of jemalloc, which blocks all signals: the kernel ends a process
/// at a filtered call whose signal is blocked.
fn fix_arena_count() {
    // SAFETY: it changes a setting of the allocator, and the program has no second thread before its `main`.
    if unsafe { libc::mallopt(libc::M_ARENA_MAX, ARENAS) } != 1 {
        give_up("cannot set the number of arenas");
    }
}

fn install_handler() {
    // SAFETY: an all-zero `sigaction` is a valid one, and the handler has the signature that SA_SIGINFO calls for.
    let installed = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_filtered_call as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO;
        libc::sigaction(libc::SIGSYS, &raw const action, std::ptr::null_mut())
    };
    if installed != 0 {
        give_up("cannot install the signal handler");
    }
}

extern "C" fn on_filtered_call(_signal: c_int, _information: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes a `ucontext_t` to a handler installed with SA_SIGINFO, and nothing else refers to it.
    let registers = unsafe { &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
    let register = |number: c_int| usize::try_from(number).ok().and_then(|number| registers.get(number)).copied();
    let read = |number| register(number).unwrap_or_default();
    let call = Call {
        number: read(libc::REG_RAX),
        arguments: [libc::REG_RDI, libc::REG_RSI, libc::REG_RDX, libc::REG_R10, libc::REG_R8, libc::REG_R9].map(read),
    };
    let result = match faults::verdict(&call) {
        Verdict::Proceed => perform(&call),
        Verdict::Fail(error) => -error,
        Verdict::Shorten => perform(&shortened(call)),
    };
    if let Some(answer) = usize::try_from(libc::REG_RAX).ok().and_then(|number| registers.get_mut(number)) {
        *answer = result;
    }
}

/// The same write of about half the bytes; a vector of buffers loses all but the first ones.
fn shortened(mut call: Call) -> Call {
    let [_, _, count, ..] = &mut call.arguments;
    *count = (*count / 2).max(1);
    call
}

/// Performs a filtered call, noting what it changes. Returns what the kernel would: a result or a negated error.
fn perform(call: &Call) -> i64 {
    let [first, second, third, fourth, fifth, _] = call.arguments;
    let here = i64::from(libc::AT_FDCWD);
    match call.number {
        libc::SYS_open => entries::open(call, here, first, second),
        libc::SYS_openat => entries::open(call, first, second, third),
        libc::SYS_creat => entries::open(call, here, first, i64::from(libc::O_CREAT | libc::O_WRONLY | libc::O_TRUNC)),
        libc::SYS_rename => entries::rename(call, (here, first), (here, second), 0),
        libc::SYS_renameat => entries::rename(call, (first, second), (third, fourth), 0),
        libc::SYS_renameat2 => entries::rename(call, (first, second), (third, fourth), fifth),
        libc::SYS_unlink => entries::unlink(call, here, first),
        libc::SYS_unlinkat if third & i64::from(libc::AT_REMOVEDIR) != 0 => entries::rmdir(call, first, second),
        libc::SYS_unlinkat => entries::unlink(call, first, second),
        libc::SYS_rmdir => entries::rmdir(call, here, first),
        libc::SYS_mkdir => entries::mkdir(call, here, first),
        libc::SYS_mkdirat => entries::mkdir(call, first, second),
        libc::SYS_link => entries::link(call, (here, first), (here, second)),
        libc::SYS_linkat => entries::link(call, (first, second), (third, fourth)),
        libc::SYS_symlink => entries::forbid(call, here, second, "symbolic links"),
        libc::SYS_symlinkat => entries::forbid(call, second, third, "symbolic links"),
        libc::SYS_mknod => entries::forbid(call, here, first, "device files"),
        libc::SYS_mknodat => entries::forbid(call, first, second, "device files"),
        libc::SYS_write | libc::SYS_writev | libc::SYS_pwrite64 | libc::SYS_pwritev | libc::SYS_pwritev2 => {
            contents::write(call)
        }
        libc::SYS_read | libc::SYS_readv | libc::SYS_pread64 => call.proceed(),
        libc::SYS_sendfile | libc::SYS_copy_file_range | libc::SYS_splice => contents::copy(call),
        libc::SYS_truncate => contents::truncate(call),
        libc::SYS_ftruncate => contents::ftruncate(call),
        libc::SYS_fallocate => contents::fallocate(call),
        libc::SYS_mmap => contents::mmap(call),
        libc::SYS_fsync | libc::SYS_fdatasync => syncs::sync_one(call),
        libc::SYS_sync | libc::SYS_syncfs => syncs::sync_all(call),
        other => give_up(&format!("system call {other} changes files in a way that cannot be undone")),
    }
}

fn recorder() -> MutexGuard<'static, Recorder> {
    let Some(recorder) = RECORDER.get() else { give_up("used before it began") };
    recorder.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the process: a change that cannot be noted must not go unnoticed.
fn give_up(why: &str) -> ! {
    let message = CString::new(format!("power-loss library: {why}\n")).unwrap_or_default();
    let bytes = message.as_bytes();
    kernel::call(libc::SYS_write, [2, bytes.as_ptr() as i64, bytes.len() as i64, 0, 0, 0]);
    // SAFETY: `abort` may be called at any time.
    unsafe { libc::abort() }
}
