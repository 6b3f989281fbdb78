//! The system's allocator, which counts the bytes in use: for tests that bound memory. Each of them is a program of its
//! own, without other tests that allocate at the same time.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call goes on to the system's allocator as it is.
#[expect(unsafe_code, reason = "an allocator cannot be written without it")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let in_use = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(in_use, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the pointer is of the system's allocator, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Large blocks are moved by remapping, without a second copy.
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        let in_use = IN_USE.fetch_add(size, Ordering::Relaxed) + size;
        MOST.fetch_max(in_use, Ordering::Relaxed);
        // SAFETY: the pointer is of the system's allocator, with this layout.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The memory in use when a measurement began.
pub(crate) struct Measurement(usize);

impl Measurement {
    pub(crate) fn begin() -> Self {
        let in_use = IN_USE.load(Ordering::Relaxed);
        MOST.store(in_use, Ordering::Relaxed);
        Self(in_use)
    }

    /// The most bytes that were in use since, in addition to those at the beginning.
    pub(crate) fn peak(&self) -> usize {
        MOST.load(Ordering::Relaxed).saturating_sub(self.0)
    }
}
