//! Calls that change a file's bytes or length.

use std::ffi::{CStr, CString};

use super::kernel::{self, Call, Status};
use super::{give_up, recorder};
use crate::event::Event;

/// The flags of `pwritev2` that change neither where nor what it writes.
const HARMLESS_WRITE_FLAGS: i64 = (libc::RWF_HIPRI | libc::RWF_DSYNC | libc::RWF_SYNC | libc::RWF_NOWAIT) as i64;

pub(super) fn write(call: &Call) -> i64 {
    let [descriptor, buffer, count, position, _, flags] = call.arguments;
    let (length, position, flags) = match call.number {
        libc::SYS_write => (count, None, 0),
        libc::SYS_pwrite64 => (count, Some(position), 0),
        libc::SYS_writev => (total_length(buffer, count), None, 0),
        libc::SYS_pwritev => (total_length(buffer, count), Some(position), 0),
        // A position of -1 asks for the current one.
        _ => (total_length(buffer, count), (position != -1).then_some(position), flags),
    };
    let syncs = flags & i64::from(libc::RWF_DSYNC | libc::RWF_SYNC) != 0;
    if flags & !HARMLESS_WRITE_FLAGS != 0 && is_watched(descriptor) {
        give_up("pwritev2 with flags that are not understood");
    }
    write_to(call, descriptor, length, position, syncs)
}

pub(super) fn copy(call: &Call) -> i64 {
    let [first, _, third, fourth, fifth, _] = call.arguments;
    match call.number {
        libc::SYS_sendfile => write_to(call, first, fourth, None, false),
        libc::SYS_copy_file_range => {
            // SAFETY: the program passes either no pointer or one to its own offset.
            let position = unsafe { (fourth as *const i64).as_ref() }.copied();
            write_to(call, third, fifth, position, false)
        }
        _ if is_watched(third) => give_up("splice into a watched file"),
        _ => call.proceed(),
    }
}

fn write_to(call: &Call, descriptor: i64, length: i64, position: Option<i64>, syncs: bool) -> i64 {
    // Most writes go to sockets and pipes, and may block: they must not wait for the recorder, nor it for them.
    let watched = |status: &Status| status.is_file();
    let Some(_) = kernel::status(descriptor).filter(watched) else { return call.proceed() };
    let mut recorder = recorder();
    let Some(file) = kernel::status(descriptor).filter(|status| recorder.has_file(status)) else {
        drop(recorder);
        return call.proceed();
    };
    let flags = kernel::call(libc::SYS_fcntl, [descriptor, i64::from(libc::F_GETFL), 0, 0, 0, 0]);
    let offset = if flags & i64::from(libc::O_APPEND) != 0 {
        file.length
    } else {
        let current = || kernel::call(libc::SYS_lseek, [descriptor, 0, i64::from(libc::SEEK_CUR), 0, 0, 0]);
        u64::try_from(position.unwrap_or_else(current)).unwrap_or_default()
    };
    recorder.note_content(&file, || by_descriptor(descriptor), offset, u64::try_from(length).unwrap_or_default());
    let result = call.proceed();
    // O_SYNC includes the bit of O_DSYNC.
    if result >= 0 && (syncs || flags & i64::from(libc::O_DSYNC) != 0) {
        let before = recorder.count;
        recorder.write(&Event::Synced { inode: file.inode, before });
    }
    result
}

pub(super) fn truncate(call: &Call) -> i64 {
    let [path, length, ..] = call.arguments;
    // SAFETY: the program passes a terminated path.
    let path = unsafe { CStr::from_ptr(path as *const _) };
    let mut recorder = recorder();
    let found = kernel::status_at(i64::from(libc::AT_FDCWD), path, 0);
    if let Some(file) = found.filter(|status| recorder.has_file(status)) {
        recorder.note_content(&file, || path.to_owned(), u64::try_from(length).unwrap_or_default(), u64::MAX);
    }
    call.proceed()
}

pub(super) fn ftruncate(call: &Call) -> i64 {
    let [descriptor, length, ..] = call.arguments;
    let mut recorder = recorder();
    if let Some(file) = kernel::status(descriptor).filter(|status| recorder.has_file(status)) {
        let length = u64::try_from(length).unwrap_or_default();
        recorder.note_content(&file, || by_descriptor(descriptor), length, u64::MAX);
    }
    call.proceed()
}

pub(super) fn fallocate(call: &Call) -> i64 {
    let [descriptor, mode, offset, length, ..] = call.arguments;
    let mut recorder = recorder();
    if let Some(file) = kernel::status(descriptor).filter(|status| recorder.has_file(status)) {
        let understood = libc::FALLOC_FL_KEEP_SIZE | libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_ZERO_RANGE;
        if mode & !i64::from(understood) != 0 {
            give_up("fallocate that moves a file's bytes");
        }
        let clears = mode & i64::from(libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_ZERO_RANGE) != 0;
        let span = if clears { u64::try_from(length).unwrap_or_default() } else { 0 };
        let offset = u64::try_from(offset).unwrap_or_default();
        recorder.note_content(&file, || by_descriptor(descriptor), offset, span);
    }
    call.proceed()
}

/// The filter sends only writable shared mappings here.
pub(super) fn mmap(call: &Call) -> i64 {
    let [_, _, _, flags, descriptor, _] = call.arguments;
    if flags & i64::from(libc::MAP_ANONYMOUS) == 0 && is_watched(descriptor) {
        give_up("a writable shared mapping of a watched file: its writes cannot be seen");
    }
    call.proceed()
}

fn is_watched(descriptor: i64) -> bool {
    kernel::status(descriptor).is_some_and(|status| recorder().has_file(&status))
}

fn by_descriptor(descriptor: i64) -> CString {
    // Only the lower half of the register counts.
    let descriptor = descriptor as i32;
    CString::new(format!("/proc/self/fd/{descriptor}")).unwrap_or_default()
}

fn total_length(vectors: i64, count: i64) -> i64 {
    (0..count)
        // SAFETY: the program passes `count` vectors of its own.
        .map(|index| unsafe { (*(vectors as *const libc::iovec).offset(index as isize)).iov_len } as i64)
        .sum()
}
