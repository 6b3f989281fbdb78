//! The seccomp filter: which system calls stop at the handler.

use super::{give_up, kernel};

/// When a call stops.
enum Stop {
    Always,
    /// Only if the argument has one of these bits.
    AnyOf {
        argument: u32,
        bits: u32,
    },
    /// Only if the first argument has all of the first bits and the second all of the second.
    BothOf {
        arguments: [u32; 2],
        bits: [u32; 2],
    },
}

const CREATES: u32 = (libc::O_CREAT | libc::O_TRUNC | (libc::O_TMPFILE & !libc::O_DIRECTORY)) as u32;

const FILTERED: &[(i64, Stop)] = &[
    // Opening changes something only if it creates or empties a file.
    (libc::SYS_open, Stop::AnyOf { argument: 1, bits: CREATES }),
    (libc::SYS_openat, Stop::AnyOf { argument: 2, bits: CREATES }),
    (libc::SYS_creat, Stop::Always),
    (libc::SYS_rename, Stop::Always),
    (libc::SYS_renameat, Stop::Always),
    (libc::SYS_renameat2, Stop::Always),
    (libc::SYS_unlink, Stop::Always),
    (libc::SYS_unlinkat, Stop::Always),
    (libc::SYS_rmdir, Stop::Always),
    (libc::SYS_mkdir, Stop::Always),
    (libc::SYS_mkdirat, Stop::Always),
    (libc::SYS_link, Stop::Always),
    (libc::SYS_linkat, Stop::Always),
    (libc::SYS_symlink, Stop::Always),
    (libc::SYS_symlinkat, Stop::Always),
    (libc::SYS_mknod, Stop::Always),
    (libc::SYS_mknodat, Stop::Always),
    (libc::SYS_write, Stop::Always),
    (libc::SYS_writev, Stop::Always),
    (libc::SYS_pwrite64, Stop::Always),
    (libc::SYS_pwritev, Stop::Always),
    (libc::SYS_pwritev2, Stop::Always),
    // These change nothing, but may be ordered to fail.
    (libc::SYS_read, Stop::Always),
    (libc::SYS_readv, Stop::Always),
    (libc::SYS_pread64, Stop::Always),
    (libc::SYS_sendfile, Stop::Always),
    (libc::SYS_copy_file_range, Stop::Always),
    (libc::SYS_splice, Stop::Always),
    (libc::SYS_truncate, Stop::Always),
    (libc::SYS_ftruncate, Stop::Always),
    (libc::SYS_fallocate, Stop::Always),
    (libc::SYS_mmap, Stop::BothOf { arguments: [2, 3], bits: [libc::PROT_WRITE as u32, libc::MAP_SHARED as u32] }),
    (libc::SYS_fsync, Stop::Always),
    (libc::SYS_fdatasync, Stop::Always),
    (libc::SYS_sync, Stop::Always),
    (libc::SYS_syncfs, Stop::Always),
    // The handler has no way to undo these, and ends the process. `sync_file_range` is not among them: it promises
    // nothing about what survives a loss of power, so it is as good as absent.
    (libc::SYS_openat2, Stop::Always),
    (libc::SYS_io_uring_setup, Stop::Always),
    (libc::SYS_io_submit, Stop::Always),
];

/// Offsets in `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ORIGIN: u32 = 8;
const ARGUMENTS: u32 = 16;

/// `AUDIT_ARCH_X86_64`: ELF machine 62, 64 bit, little endian.
const X86_64: u32 = 62 | 0x8000_0000 | 0x4000_0000;

/// Puts the filter on this thread and on all that it starts. It cannot be taken off again.
pub(super) fn install() {
    let mut program = program();
    let filter = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: the program outlives the calls, and its length is its own.
    let installed = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter, 0, 0) == 0
    };
    if !installed {
        give_up("the kernel refused the system call filter");
    }
}

fn program() -> Vec<libc::sock_filter> {
    let origin = kernel::origin();
    let mut program =
        vec![load(ARCHITECTURE), jump_if_equal(X86_64, 1, 0), answer(libc::SECCOMP_RET_KILL_PROCESS), load(NUMBER)];
    // Calls outside the list leave first, and are the most frequent.
    for (number, stop) in FILTERED {
        let mut body = conditions(stop);
        // The library's own calls pass.
        body.extend([
            load(ORIGIN),
            jump_if_equal(origin as u32, 0, 3),
            load(ORIGIN + 4),
            jump_if_equal((origin >> 32) as u32, 0, 1),
            answer(libc::SECCOMP_RET_ALLOW),
            answer(libc::SECCOMP_RET_TRAP),
        ]);
        program.push(jump_if_equal(*number as u32, 0, body.len() as u8));
        program.append(&mut body);
    }
    program.push(answer(libc::SECCOMP_RET_ALLOW));
    program
}

/// Lets calls pass that do not meet the conditions.
fn conditions(stop: &Stop) -> Vec<libc::sock_filter> {
    // Every flag word fits the lower half of its 64-bit argument.
    let one = |argument: u32, bits: u32| {
        [
            load(ARGUMENTS + 8 * argument),
            statement(libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K, bits, 1, 0),
            answer(libc::SECCOMP_RET_ALLOW),
        ]
    };
    match stop {
        Stop::Always => Vec::new(),
        Stop::AnyOf { argument, bits } => one(*argument, *bits).to_vec(),
        Stop::BothOf { arguments: [first, second], bits: [of_first, of_second] } => {
            [one(*first, *of_first), one(*second, *of_second)].concat()
        }
    }
}

fn load(offset: u32) -> libc::sock_filter {
    statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, offset, 0, 0)
}

fn jump_if_equal(value: u32, over_if_equal: u8, over_if_not: u8) -> libc::sock_filter {
    statement(libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K, value, over_if_equal, over_if_not)
}

fn answer(action: u32) -> libc::sock_filter {
    statement(libc::BPF_RET | libc::BPF_K, action, 0, 0)
}

fn statement(code: u32, value: u32, if_true: u8, if_false: u8) -> libc::sock_filter {
    libc::sock_filter { code: code as u16, jt: if_true, jf: if_false, k: value }
}
