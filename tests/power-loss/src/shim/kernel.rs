//! System calls that pass the filter: all of them leave from one place, whose address the filter knows.

use std::ffi::CStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// A system call that the filter stopped.
pub(super) struct Call {
    pub(super) number: i64,
    pub(super) arguments: [i64; 6],
}

impl Call {
    /// Lets the kernel do it.
    pub(super) fn proceed(&self) -> i64 {
        call(self.number, self.arguments)
    }
}

std::arch::global_asm!(
    ".hidden keyfold_power_loss_call",
    ".globl keyfold_power_loss_call",
    "keyfold_power_loss_call:",
    "mov rax, rdi",
    "mov rdi, rsi",
    "mov rsi, rdx",
    "mov rdx, rcx",
    "mov r10, r8",
    "mov r8, r9",
    "mov r9, [rsp + 8]",
    "syscall",
    ".hidden keyfold_power_loss_called",
    ".globl keyfold_power_loss_called",
    "keyfold_power_loss_called:",
    "ret",
);

unsafe extern "C" {
    fn keyfold_power_loss_call(number: i64, a: i64, b: i64, c: i64, d: i64, e: i64, f: i64) -> i64;
    fn keyfold_power_loss_called();
}

/// Where the kernel says that calls from here come from: the instruction after `syscall`.
pub(super) fn origin() -> u64 {
    keyfold_power_loss_called as *const () as u64
}

/// Enters the kernel. The result is negative for an error.
pub(super) fn call(number: i64, [a, b, c, d, e, f]: [i64; 6]) -> i64 {
    // SAFETY: the arguments are those of the program's own call, or point to memory that outlives this one.
    unsafe { keyfold_power_loss_call(number, a, b, c, d, e, f) }
}

pub(super) struct Status {
    pub(super) device: u64,
    pub(super) inode: u64,
    pub(super) mode: u32,
    pub(super) length: u64,
}

impl Status {
    pub(super) fn is_file(&self) -> bool {
        self.mode & libc::S_IFMT == libc::S_IFREG
    }

    pub(super) fn is_folder(&self) -> bool {
        self.mode & libc::S_IFMT == libc::S_IFDIR
    }
}

/// What the descriptor refers to.
pub(super) fn status(descriptor: i64) -> Option<Status> {
    status_at(descriptor, c"", i64::from(libc::AT_EMPTY_PATH))
}

/// What the path refers to, relative to a descriptor of a folder or to the working folder.
pub(super) fn status_at(descriptor: i64, path: &CStr, flags: i64) -> Option<Status> {
    // SAFETY: an all-zero `stat` is valid; the kernel overwrites it.
    let mut found: libc::stat = unsafe { std::mem::zeroed() };
    let arguments = [descriptor, path.as_ptr() as i64, (&raw mut found) as i64, flags, 0, 0];
    (call(libc::SYS_newfstatat, arguments) == 0).then(|| Status {
        device: found.st_dev,
        inode: found.st_ino,
        mode: found.st_mode,
        length: u64::try_from(found.st_size).unwrap_or_default(),
    })
}

pub(super) fn open(path: &CStr, flags: i32) -> Result<i64, i64> {
    let flags = i64::from(flags | libc::O_CLOEXEC);
    let opened = call(libc::SYS_openat, [i64::from(libc::AT_FDCWD), path.as_ptr() as i64, flags, 0o600, 0, 0]);
    if opened < 0 { Err(opened) } else { Ok(opened) }
}

pub(super) fn close(descriptor: i64) {
    call(libc::SYS_close, [descriptor, 0, 0, 0, 0, 0]);
}

/// Writes all of it at the end of a log.
pub(super) fn append(descriptor: i64, mut bytes: &[u8]) -> Result<(), i64> {
    while !bytes.is_empty() {
        let written = call(libc::SYS_write, [descriptor, bytes.as_ptr() as i64, bytes.len() as i64, 0, 0, 0]);
        match usize::try_from(written) {
            Ok(count) => bytes = bytes.get(count..).unwrap_or_default(),
            Err(_) if written == -i64::from(libc::EINTR) => {}
            Err(_) => return Err(written),
        }
    }
    Ok(())
}

/// Reads up to `length` bytes, fewer only at the end of the file.
pub(super) fn read_at(descriptor: i64, offset: u64, length: u64) -> Result<Vec<u8>, i64> {
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
    let mut filled = 0;
    while let Some(rest) = bytes.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        let position = offset.cast_signed() + filled as i64;
        let arguments = [descriptor, rest.as_mut_ptr() as i64, rest.len() as i64, position, 0, 0];
        let count = call(libc::SYS_pread64, arguments);
        match usize::try_from(count) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(_) if count == -i64::from(libc::EINTR) => {}
            Err(_) => return Err(count),
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

/// The path as the kernel wants it.
pub(super) fn terminated(path: &Path) -> std::ffi::CString {
    std::ffi::CString::new(path.as_os_str().as_bytes()).unwrap_or_default()
}
