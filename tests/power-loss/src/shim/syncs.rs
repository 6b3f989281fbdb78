//! Calls that make changes durable.

use super::kernel::{self, Call, Status};
use super::recorder;
use crate::event::Event;

/// What the log held before the kernel began is durable once the kernel is done; what other threads changed meanwhile
/// may not be. The recorder is free in between, as the disk is.
pub(super) fn sync_one(call: &Call) -> i64 {
    let [descriptor, ..] = call.arguments;
    let (watched, before) = {
        let recorder = recorder();
        let is_watched = |found: &Status| recorder.has_file(found) || recorder.has_folder(found);
        (kernel::status(descriptor).filter(is_watched), recorder.count)
    };
    let result = call.proceed();
    if let Some(found) = watched.filter(|_| result == 0) {
        recorder().write(&Event::Synced { inode: found.inode, before });
    }
    result
}

pub(super) fn sync_all(call: &Call) -> i64 {
    let before = recorder().count;
    let result = call.proceed();
    if result == 0 {
        recorder().write(&Event::SyncedAll { before });
    }
    result
}
