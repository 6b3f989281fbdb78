//! Memory budgets that the large requests or responses of an endpoint share.
//!
//! A response lives until its client has read it, so that many slow clients would hold any amount of memory. Responses
//! that are being produced and those that are being sent have a budget each: what slow clients hold delays other large
//! responses, but no small ones. While some wait for memory to send, the connections of clients that read too slowly
//! are closed.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Bytes;
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// Responses up to this size are not counted: all connections together hold little of them. Bodies of requests up to
/// this size have a budget of their own.
pub const SMALL_BYTES: usize = 64 * 1024;
/// How often slow clients are looked for while someone waits for memory.
const SHORTAGE_INTERVAL: Duration = Duration::from_secs(1);

/// The memory of responses.
pub struct ResponseMemory {
    /// For responses whose size is not known yet.
    pub producing: MemoryBudget,
    /// For complete responses, until their clients have read them.
    pub sending: MemoryBudget,
}

impl ResponseMemory {
    pub fn new(bytes: usize) -> Self {
        Self { producing: MemoryBudget::new(bytes / 2), sending: MemoryBudget::new(bytes / 2) }
    }
}

/// The memory that may be reserved at a time.
pub struct MemoryBudget {
    /// In KiB.
    free: Arc<Semaphore>,
    /// All of it, in KiB.
    total: u32,
    shortage: Notify,
}

/// Reserved memory. It becomes free when this is dropped, or with the bytes that it is [attached](Self::attach) to.
#[must_use]
#[derive(Debug)]
pub struct Reservation {
    /// Absent if nothing was asked for.
    permit: Option<OwnedSemaphorePermit>,
}

impl MemoryBudget {
    pub fn new(bytes: usize) -> Self {
        let total = kibibytes(bytes);
        Self { free: Arc::new(Semaphore::new(total as usize)), total, shortage: Notify::new() }
    }

    /// Waits until so much memory is free; more than all of the budget counts as all of it.
    pub async fn reserve(&self, bytes: usize) -> Reservation {
        let wanted = kibibytes(bytes).min(self.total);
        if wanted == 0 {
            return Reservation::none();
        }
        if let Ok(permit) = Arc::clone(&self.free).try_acquire_many_owned(wanted) {
            return Reservation { permit: Some(permit) };
        }
        let mut waiting = pin!(Arc::clone(&self.free).acquire_many_owned(wanted));
        loop {
            self.shortage.notify_one();
            if let Ok(outcome) = tokio::time::timeout(SHORTAGE_INTERVAL, &mut waiting).await {
                // The semaphore is never closed.
                return Reservation { permit: outcome.ok() };
            }
        }
    }

    /// Memory for a response, if it is free now or the response is small.
    pub fn try_reserve(&self, bytes: usize) -> Option<Reservation> {
        if bytes <= SMALL_BYTES {
            return Some(Reservation::none());
        }
        let wanted = kibibytes(bytes).min(self.total);
        match Arc::clone(&self.free).try_acquire_many_owned(wanted) {
            Ok(permit) => Some(Reservation { permit: Some(permit) }),
            Err(_) => {
                self.shortage.notify_one();
                None
            }
        }
    }

    /// Completes when memory is short.
    pub(crate) async fn is_short(&self) {
        self.shortage.notified().await;
    }
}

impl Reservation {
    /// For bytes that are not counted.
    pub fn none() -> Self {
        Self { permit: None }
    }

    pub fn is_none(&self) -> bool {
        self.permit.is_none()
    }

    /// The reservation, which leaves none behind.
    pub fn take(&mut self) -> Self {
        Self { permit: self.permit.take() }
    }

    /// Keeps as much as these bytes need, as far as the reservation covers them.
    pub fn shrink(mut self, bytes: usize) -> Self {
        if let Some(permit) = &mut self.permit {
            let surplus = permit.num_permits().saturating_sub(kibibytes(bytes) as usize);
            drop(permit.split(surplus));
        }
        self
    }

    /// Makes the reservation as large as these bytes, as far as it covers them, and keeps it until the last of them is
    /// dropped.
    pub fn attach(self, bytes: Bytes) -> Bytes {
        let Some(permit) = self.shrink(bytes.len()).permit.filter(|_| bytes.len() > SMALL_BYTES) else { return bytes };
        Bytes::from_owner(CountedBytes { bytes, _permit: permit })
    }
}

/// Bytes that hold a part of the budget.
struct CountedBytes {
    bytes: Bytes,
    _permit: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for CountedBytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

fn kibibytes(bytes: usize) -> u32 {
    // A limit that a semaphore cannot count has no effect.
    let most = u32::try_from(Semaphore::MAX_PERMITS).unwrap_or(u32::MAX);
    u32::try_from(bytes.div_ceil(1024)).unwrap_or(u32::MAX).min(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1024 * 1024;

    #[tokio::test]
    async fn sent_bytes_hold_what_they_need_until_they_are_dropped() {
        let budget = MemoryBudget::new(4 * MIB);
        let sent = budget.reserve(3 * MIB).await.attach(vec![7; 2 * MIB].into());
        assert_eq!(budget.free.available_permits(), 2048);
        let rest = sent.slice(MIB..);
        drop(sent);
        assert_eq!(budget.free.available_permits(), 2048);
        drop(rest);
        assert_eq!(budget.free.available_permits(), 4096);
    }

    #[tokio::test]
    async fn small_responses_hold_nothing() {
        let budget = MemoryBudget::new(4 * MIB);
        let small = budget.reserve(MIB).await.attach(vec![7; 64 * 1024].into());
        assert_eq!(budget.free.available_permits(), 4096);
        let nothing = budget.reserve(0).await.attach(vec![7; MIB].into());
        assert_eq!((small.len(), nothing.len(), budget.free.available_permits()), (64 * 1024, MIB, 4096));
    }

    #[tokio::test]
    async fn more_than_the_whole_budget_counts_as_all_of_it() {
        let budget = MemoryBudget::new(MIB);
        let all = budget.reserve(100 * MIB).await;
        assert_eq!(budget.free.available_permits(), 0);
        assert_eq!(all.attach(vec![7; 2 * MIB].into()).len(), 2 * MIB);
        assert_eq!(budget.free.available_permits(), 1024);
    }

    #[tokio::test]
    async fn a_waiter_reports_the_shortage_and_gets_memory_in_its_turn() {
        let budget = MemoryBudget::new(MIB);
        let first = budget.reserve(MIB).await;
        let second = async {
            let reserved = budget.reserve(512 * 1024).await;
            reserved.permit.map(|permit| permit.num_permits())
        };
        let reader = async {
            budget.is_short().await;
            // Again after a second.
            budget.is_short().await;
            drop(first);
        };
        let (second, ()) = tokio::join!(second, reader);
        assert_eq!(second, Some(512));
    }
}
