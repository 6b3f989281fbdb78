//! Faults that the harness injects: calls on files of the watched folder fail as on a broken or full disk.

use std::ffi::{CStr, CString};
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::kernel::{self, Call};
use crate::fault::{HANG, Operation, Order, path_of};

static FILE: OnceLock<CString> = OnceLock::new();

/// The order that was carried out last, and how often.
static CARRIED_OUT: Mutex<(u64, u32)> = Mutex::new((0, 0));

/// What becomes of a call.
pub(super) enum Verdict {
    Proceed,
    /// It fails with this error.
    Fail(i64),
    /// It writes only a part of its bytes.
    Shorten,
}

/// The orders of the harness are in the log folder.
pub(super) fn begin(log: &Path) {
    let _ = FILE.set(kernel::terminated(&path_of(log)));
}

pub(super) fn verdict(call: &Call) -> Verdict {
    let Some(operation) = operation(call) else { return Verdict::Proceed };
    let Some(order) = order().filter(|order| order.operation == operation) else { return Verdict::Proceed };
    let is_meant = target(call, operation).is_some_and(|path| path.contains(&order.file));
    if !is_meant || !count(&order) {
        return Verdict::Proceed;
    }
    match order.error {
        0 => Verdict::Shorten,
        hang if hang == i64::from(HANG) => {
            wait_for_another(&order);
            Verdict::Proceed
        }
        error => Verdict::Fail(error),
    }
}

fn operation(call: &Call) -> Option<Operation> {
    match call.number {
        libc::SYS_write | libc::SYS_writev | libc::SYS_pwrite64 | libc::SYS_pwritev | libc::SYS_pwritev2 => {
            Some(Operation::Write)
        }
        libc::SYS_pread64 => Some(Operation::Read),
        libc::SYS_read | libc::SYS_readv => Some(Operation::ReadOn),
        libc::SYS_fsync | libc::SYS_fdatasync => Some(Operation::Sync),
        libc::SYS_open | libc::SYS_openat | libc::SYS_creat => Some(Operation::Create),
        _ => None,
    }
}

fn wait_for_another(order: &Order) {
    let pause = libc::timespec { tv_sec: 0, tv_nsec: 20_000_000 };
    while self::order().is_some_and(|current| current.number == order.number) {
        kernel::call(libc::SYS_nanosleep, [(&raw const pause) as i64, 0, 0, 0, 0, 0]);
    }
}

/// Read with every call: the harness may change it at any time.
fn order() -> Option<Order> {
    let file = kernel::open(FILE.get()?, libc::O_RDONLY).ok()?;
    let bytes = kernel::read_at(file, 0, 4096);
    kernel::close(file);
    Order::parse(std::str::from_utf8(&bytes.ok()?).ok()?)
}

fn target(call: &Call, operation: Operation) -> Option<String> {
    let [first, second, ..] = call.arguments;
    let pointer = match (operation, call.number) {
        (Operation::Create, libc::SYS_openat) => second,
        (Operation::Create, _) => first,
        _ => return descriptor_path(first),
    };
    // SAFETY: the program passes a terminated path, which lives as long as its call.
    let path = unsafe { CStr::from_ptr(pointer as *const _) };
    path.to_str().ok().map(str::to_owned)
}

fn descriptor_path(descriptor: i64) -> Option<String> {
    // Only the lower half of the register counts.
    let link = CString::new(format!("/proc/self/fd/{}", descriptor as i32)).ok()?;
    let mut bytes = vec![0u8; 4096];
    let arguments = [link.as_ptr() as i64, bytes.as_mut_ptr() as i64, bytes.len() as i64, 0, 0, 0];
    let length = usize::try_from(kernel::call(libc::SYS_readlink, arguments)).ok()?;
    bytes.truncate(length);
    String::from_utf8(bytes).ok()
}

/// Whether the order is still to be carried out; counts it.
fn count(order: &Order) -> bool {
    let mut carried_out = CARRIED_OUT.lock().unwrap_or_else(PoisonError::into_inner);
    if carried_out.0 != order.number {
        *carried_out = (order.number, 0);
    }
    let is_due = carried_out.1 < order.times;
    carried_out.1 += u32::from(is_due);
    is_due
}
