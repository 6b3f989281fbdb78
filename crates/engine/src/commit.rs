//! Group commit: one thread takes whatever writes are waiting, makes them one atomic batch, brings it to disk with
//! one fsync and answers all of them.

use std::collections::{BTreeMap, HashMap};
use std::error::Error as _;
use std::sync::Arc;
use std::thread::JoinHandle;

use keyfold_dynamo::ServiceError;
use parking_lot::{Condvar, Mutex};
use tokio::sync::oneshot;

use crate::in_flight::{InFlight, Slot};
use crate::rows::layout::{self, RangeId};
use crate::store::{Change, Durability, Store, StoreError};

/// A group is closed once it holds this much, so that one commit stays short.
const GROUP_BYTES: usize = 8 << 20;

/// What one write asks for: all of it, or none.
#[derive(Default)]
pub struct Commit {
    pub changes: Vec<Change>,
    pub counts: Vec<CountChange>,
    /// The items whose new values this commit holds.
    pub slots: Vec<Arc<Slot>>,
}

/// How a write changes the item count and bytes of a table or an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountChange {
    pub range: RangeId,
    pub items: i64,
    pub bytes: i64,
}

/// The item count and bytes of a table or an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    pub items: u64,
    pub bytes: u64,
}

/// Resolves when the commit is on disk.
#[must_use]
pub struct Landing(oneshot::Receiver<Result<(), StoreError>>);

impl Landing {
    pub async fn landed(self) -> Result<(), ServiceError> {
        match self.0.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(store_failed(&error)),
            Err(_) => Err(stopped()),
        }
    }

    /// Waits on this thread, also where no async runtime is around.
    pub fn wait(self) -> Result<(), ServiceError> {
        pollster::block_on(self.landed())
    }
}

pub fn store_failed(error: &StoreError) -> ServiceError {
    let cause = error.source().map(ToString::to_string);
    tracing::error!(kind = error.kind(), %error, cause, "the store failed");
    let text = format!("the store failed: {error}");
    match error {
        // Clients may try again: descriptors come back when other files are closed.
        StoreError::OutOfDescriptors(_) => ServiceError::Unavailable(text),
        StoreError::Locked
        | StoreError::Full(_)
        | StoreError::Corrupt { .. }
        | StoreError::SyncFailed(_)
        | StoreError::Other(_) => ServiceError::Internal(text),
    }
}

fn stopped() -> ServiceError {
    ServiceError::Unavailable("the engine is shutting down".to_owned())
}

struct Waiting {
    commit: Commit,
    number: u64,
    landed: oneshot::Sender<Result<(), StoreError>>,
}

#[derive(Default)]
struct Queue {
    waiting: Vec<Waiting>,
    next_number: u64,
    closed: bool,
    /// After a failed commit nothing is accepted: later writes may have been built on what was lost.
    failed: Option<StoreError>,
}

struct Shared {
    queue: Mutex<Queue>,
    wake: Condvar,
    counts: Mutex<HashMap<RangeId, Count>>,
}

/// The commit thread and its queue.
pub struct Committer {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Committer {
    pub fn start(
        store: Arc<dyn Store>,
        in_flight: Arc<InFlight>,
        durability: Durability,
        counts: HashMap<RangeId, Count>,
    ) -> std::io::Result<Self> {
        let shared = Arc::new(Shared { queue: Mutex::default(), wake: Condvar::new(), counts: Mutex::new(counts) });
        let worker = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("keyfold-commit".to_owned())
            .spawn(move || run(&worker, store.as_ref(), &in_flight, durability))?;
        Ok(Self { shared, thread: Mutex::new(Some(thread)) })
    }

    /// Takes a commit into the queue; commits land in the order they are taken. The number identifies it to the items
    /// in flight.
    pub fn enqueue(&self, commit: Commit) -> Result<(u64, Landing), ServiceError> {
        let (landed, landing) = oneshot::channel();
        let mut queue = self.shared.queue.lock();
        if let Some(error) = &queue.failed {
            return Err(store_failed(error));
        }
        if queue.closed {
            return Err(stopped());
        }
        let number = queue.next_number;
        queue.next_number += 1;
        let was_idle = queue.waiting.is_empty();
        queue.waiting.push(Waiting { commit, number, landed });
        drop(queue);
        if was_idle {
            self.shared.wake.notify_one();
        }
        Ok((number, Landing(landing)))
    }

    /// Resolves when everything taken before is on disk.
    pub fn barrier(&self) -> Result<Landing, ServiceError> {
        self.enqueue(Commit::default()).map(|(_, landing)| landing)
    }

    pub fn count(&self, range: RangeId) -> Count {
        self.shared.counts.lock().get(&range).copied().unwrap_or_default()
    }

    /// Commits what is waiting and ends the thread.
    pub fn stop(&self) {
        self.shared.queue.lock().closed = true;
        self.shared.wake.notify_one();
        if let Some(thread) = self.thread.lock().take()
            && thread.join().is_err()
        {
            tracing::error!("the commit thread panicked");
        }
    }
}

fn run(shared: &Shared, store: &dyn Store, in_flight: &InFlight, durability: Durability) {
    while let Some(group) = next_group(shared) {
        land(shared, store, in_flight, durability, group);
    }
    if let Err(error) = store.sync() {
        tracing::error!(%error, "the last sync failed");
    }
}

/// Waits for work; `None` once the queue is closed and empty.
fn next_group(shared: &Shared) -> Option<Vec<Waiting>> {
    let mut queue = shared.queue.lock();
    while queue.waiting.is_empty() {
        if queue.closed {
            return None;
        }
        shared.wake.wait(&mut queue);
    }
    let mut bytes = 0;
    let full = queue.waiting.iter().position(|waiting| {
        bytes += waiting.commit.changes.iter().map(change_bytes).sum::<usize>();
        bytes > GROUP_BYTES
    });
    match full {
        Some(last) if last + 1 < queue.waiting.len() => {
            let rest = queue.waiting.split_off(last + 1);
            Some(std::mem::replace(&mut queue.waiting, rest))
        }
        _ => Some(std::mem::take(&mut queue.waiting)),
    }
}

fn change_bytes(change: &Change) -> usize {
    match change {
        Change::Put(key, value) => key.len() + value.len(),
        Change::Remove(key) => key.len(),
    }
}

fn land(shared: &Shared, store: &dyn Store, in_flight: &InFlight, durability: Durability, group: Vec<Waiting>) {
    let failed = shared.queue.lock().failed.clone();
    let mut changes = Vec::with_capacity(group.iter().map(|waiting| waiting.commit.changes.len()).sum());
    let mut counts: BTreeMap<RangeId, Count> = BTreeMap::new();
    let mut landed = Vec::with_capacity(group.len());
    for mut waiting in group {
        changes.append(&mut waiting.commit.changes);
        for change in &waiting.commit.counts {
            let count = counts
                .entry(change.range)
                .or_insert_with(|| shared.counts.lock().get(&change.range).copied().unwrap_or_default());
            count.items = count.items.saturating_add_signed(change.items);
            count.bytes = count.bytes.saturating_add_signed(change.bytes);
        }
        landed.push((waiting.number, waiting.commit.slots, waiting.landed));
    }
    changes.extend(counts.iter().map(|(range, count)| Change::Put(layout::counters(*range), encode_count(*count))));
    let result = match failed {
        Some(error) => Err(error),
        None if changes.is_empty() => Ok(()),
        None => store.commit(changes, durability),
    };
    match &result {
        Ok(()) => shared.counts.lock().extend(counts),
        Err(error) => shared.queue.lock().failed = Some(error.clone()),
    }
    for (number, slots, answer) in landed {
        for slot in slots {
            in_flight.landed(slot, number);
        }
        // A caller that went away does not need the answer.
        let _ = answer.send(result.clone());
    }
}

pub fn encode_count(count: Count) -> Vec<u8> {
    [count.items.to_be_bytes(), count.bytes.to_be_bytes()].concat()
}

pub fn decode_count(bytes: &[u8]) -> Option<Count> {
    let (items, bytes) = bytes.split_at_checked(8)?;
    Some(Count { items: u64::from_be_bytes(items.try_into().ok()?), bytes: u64::from_be_bytes(bytes.try_into().ok()?) })
}
