//! Calls that change which names a folder holds.

use std::ffi::CStr;

use super::kernel::{self, Call};
use super::{give_up, recorder};
use crate::event::Change;

/// A path, relative to a descriptor of a folder.
type Place = (i64, i64);

const ITSELF: i64 = libc::AT_SYMLINK_NOFOLLOW as i64;

fn path_of(pointer: i64) -> &'static CStr {
    // SAFETY: the program passes a terminated path, which lives as long as its call.
    unsafe { CStr::from_ptr(pointer as *const _) }
}

pub(super) fn open(call: &Call, at: i64, path: i64, flags: i64) -> i64 {
    let path = path_of(path);
    let has = |flag: i32| flags & i64::from(flag) == i64::from(flag);
    let mut recorder = recorder();
    if has(libc::O_TMPFILE) {
        if kernel::status_at(at, path, 0).is_some_and(|status| recorder.has_folder(&status)) {
            give_up("a file without a name in the watched folder");
        }
        drop(recorder);
        return call.proceed();
    }
    match kernel::status_at(at, path, 0) {
        Some(file) if recorder.has_file(&file) => {
            if has(libc::O_TRUNC) && !has(libc::O_CREAT | libc::O_EXCL) {
                recorder.note_content(&file, || readable(at, path), 0, u64::MAX);
            }
            call.proceed()
        }
        None if has(libc::O_CREAT) => match recorder.entry(at, path) {
            Some(entry) => {
                let change = recorder.note(Change::Created { entry });
                let opened = call.proceed();
                if let Some(file) = kernel::status(opened).filter(|_| opened >= 0) {
                    recorder.files.insert(file.inode);
                }
                recorder.settle(change, opened)
            }
            None => {
                drop(recorder);
                call.proceed()
            }
        },
        // Neither in the folder nor new; opening it may block.
        _ => {
            drop(recorder);
            call.proceed()
        }
    }
}

/// A path to a file that does not depend on the folder it was named from.
fn readable(at: i64, path: &CStr) -> std::ffi::CString {
    // Of a descriptor only the lower half of its register counts.
    let at = at as i32;
    if at == libc::AT_FDCWD || path.to_bytes().starts_with(b"/") {
        return path.to_owned();
    }
    let bytes = [format!("/proc/self/fd/{at}/").as_bytes(), path.to_bytes()].concat();
    std::ffi::CString::new(bytes).unwrap_or_default()
}

pub(super) fn rename(call: &Call, (from_at, from): Place, (to_at, to): Place, flags: i64) -> i64 {
    let (from, to) = (path_of(from), path_of(to));
    let mut recorder = recorder();
    let (source, target) = match (recorder.entry(from_at, from), recorder.entry(to_at, to)) {
        (None, None) => {
            drop(recorder);
            return call.proceed();
        }
        (Some(source), Some(target)) => (source, target),
        _ => give_up("a rename into or out of the watched folder"),
    };
    if flags & !i64::from(libc::RENAME_NOREPLACE) != 0 {
        give_up("a rename that exchanges two names");
    }
    let Some(moved) = kernel::status_at(from_at, from, ITSELF) else { return call.proceed() };
    let replaced = kernel::status_at(to_at, to, ITSELF);
    match &replaced {
        // Two names of one file: the kernel does nothing.
        Some(there) if there.inode == moved.inode => return call.proceed(),
        Some(there) if there.is_folder() => give_up("a rename onto a folder"),
        Some(_) => recorder.keep_file(to_at, to),
        None => {}
    }
    let change =
        recorder.note(Change::Renamed { from: source, to: target, inode: moved.inode, replaced: replaced.is_some() });
    let result = call.proceed();
    recorder.settle(change, result)
}

pub(super) fn unlink(call: &Call, at: i64, path: i64) -> i64 {
    let path = path_of(path);
    let mut recorder = recorder();
    let Some(entry) = recorder.entry(at, path) else { return call.proceed() };
    let Some(there) = kernel::status_at(at, path, ITSELF) else { return call.proceed() };
    if there.is_folder() {
        return call.proceed();
    }
    recorder.keep_file(at, path);
    let change = recorder.note(Change::Unlinked { entry });
    let result = call.proceed();
    recorder.settle(change, result)
}

pub(super) fn mkdir(call: &Call, at: i64, path: i64) -> i64 {
    let path = path_of(path);
    let mut recorder = recorder();
    let Some(entry) = recorder.entry(at, path) else { return call.proceed() };
    if kernel::status_at(at, path, ITSELF).is_some() {
        return call.proceed();
    }
    let change = recorder.note(Change::MadeFolder { entry });
    let result = call.proceed();
    if let Some(made) = kernel::status_at(at, path, ITSELF).filter(|_| result == 0) {
        recorder.folders.insert(made.inode);
    }
    recorder.settle(change, result)
}

pub(super) fn rmdir(call: &Call, at: i64, path: i64) -> i64 {
    let path = path_of(path);
    let mut recorder = recorder();
    let Some(entry) = recorder.entry(at, path) else { return call.proceed() };
    let arguments = [at, path.as_ptr() as i64, i64::from(libc::O_PATH | libc::O_CLOEXEC), 0, 0, 0];
    let open = kernel::call(libc::SYS_openat, arguments);
    let Some(folder) = kernel::status(open).filter(|_| open >= 0) else { return call.proceed() };
    let change = recorder.note(Change::RemovedFolder { entry, inode: folder.inode });
    let result = call.proceed();
    if result < 0 {
        kernel::close(open);
    }
    // Otherwise the descriptor stays open for good, so that the inode's number is not given to another folder.
    recorder.settle(change, result)
}

pub(super) fn link(call: &Call, (from_at, from): Place, (to_at, to): Place) -> i64 {
    let (from, to) = (path_of(from), path_of(to));
    let mut recorder = recorder();
    let Some(entry) = recorder.entry(to_at, to) else { return call.proceed() };
    if kernel::status_at(to_at, to, ITSELF).is_some() {
        return call.proceed();
    }
    match kernel::status_at(from_at, from, 0) {
        Some(file) if recorder.has_file(&file) => {
            let change = recorder.note(Change::Created { entry });
            let result = call.proceed();
            recorder.settle(change, result)
        }
        Some(_) => give_up("a link into the watched folder"),
        None => call.proceed(),
    }
}

/// Lets the call pass unless it makes something in the watched folder.
pub(super) fn forbid(call: &Call, at: i64, path: i64, what: &str) -> i64 {
    if recorder().entry(at, path_of(path)).is_some() {
        give_up(&format!("{what} in the watched folder"));
    }
    call.proceed()
}
