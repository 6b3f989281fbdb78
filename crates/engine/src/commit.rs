//! Group commit: one thread takes all queued writes, combines them into one atomic batch, brings it to disk with one
//! fsync and notifies the writers.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use keyfold_dynamo::ServiceError;
use keyfold_environment::error_chain;
use parking_lot::{Condvar, Mutex};
use tokio::sync::oneshot;

use crate::disk_reserve::DiskReserve;
use crate::engine_time::EngineTime;
pub(crate) use crate::failure::store_failed;
use crate::failure::{commit_failed, recovering, refused, shutting_down};
use crate::in_flight::{InFlight, Slot};
use crate::rows::layout::{self, RangeId};
use crate::running_time::{BusyTime, RunningTime};
use crate::store::{Change, Durability, Store, StoreError};
use crate::work_lists::{WorkLists, added_work};

/// A group is closed once it holds this much, so that one commit stays short.
const GROUP_BYTES: usize = 8 << 20;

/// The changes of one write, applied as a whole or not at all.
#[derive(Default)]
pub(crate) struct Commit {
    pub changes: Vec<Change>,
    pub counts: Vec<CountChange>,
    /// The slots of the items that this commit changes.
    pub slots: Vec<Arc<Slot>>,
}

/// How a write changes the item count and bytes of a table or an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CountChange {
    pub range: RangeId,
    pub items: i64,
    pub bytes: i64,
}

/// The item count and bytes of a table or an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Count {
    pub items: u64,
    pub bytes: u64,
}

/// Resolves when the commit is on disk.
#[must_use]
pub(crate) struct CommitHandle(oneshot::Receiver<Outcome>);

/// What became of a commit.
#[derive(Clone)]
enum Outcome {
    OnDisk,
    /// The store failed it: it may be on disk or not.
    Failed(StoreError),
    /// The store had failed before.
    Refused,
}

impl CommitHandle {
    pub(crate) async fn wait(self) -> Result<(), ServiceError> {
        match self.0.await {
            Ok(Outcome::OnDisk) => Ok(()),
            Ok(Outcome::Failed(error)) => Err(commit_failed(&error)),
            Ok(Outcome::Refused) => Err(recovering()),
            Err(_) => Err(shutting_down()),
        }
    }

    /// Blocks this thread; needs no async runtime.
    pub(crate) fn wait_blocking(self) -> Result<(), ServiceError> {
        pollster::block_on(self.wait())
    }
}

struct QueuedCommit {
    commit: Commit,
    number: u64,
    outcome: oneshot::Sender<Outcome>,
}

#[derive(Default)]
struct Queue {
    commits: Vec<QueuedCommit>,
    next_number: u64,
    closed: bool,
    /// After a failed commit none is accepted: later writes may be based on values that were lost.
    failed: Option<StoreError>,
    /// The damage because of which the store is read-only, once it is known.
    damage: Option<String>,
}

/// The store, and what has to know when a commit is on disk.
pub(crate) struct CommitTarget {
    pub store: Arc<dyn Store>,
    pub in_flight: Arc<InFlight>,
    pub work_lists: Arc<WorkLists>,
    pub time: Arc<EngineTime>,
    pub disk_reserve: Arc<DiskReserve>,
}

struct CommitState {
    queue: Mutex<Queue>,
    wake: Condvar,
    counts: Mutex<HashMap<RangeId, Count>>,
    /// The commit that the store works on.
    busy: BusyTime,
    /// How much items and index entries have shrunk by, since their space was last returned.
    removed_bytes: AtomicU64,
}

impl CommitState {
    /// Refuses all writes from now on. The first failure is the cause of the others, save that one after which the
    /// store must not be reopened counts whenever it becomes known.
    fn fail(&self, error: StoreError) {
        let mut queue = self.queue.lock();
        if queue.failed.as_ref().is_none_or(|known| error.is_final() && !known.is_final()) {
            tracing::error!(kind = error.kind(), cause = error_chain(&error), "the store failed; writes are refused");
            queue.failed = Some(error);
        }
    }
}

/// The commit thread and its queue.
pub(crate) struct Committer {
    shared: Arc<CommitState>,
    disk_reserve: Arc<DiskReserve>,
    thread: Mutex<Option<JoinHandle<Result<(), StoreError>>>>,
}

impl Committer {
    pub(crate) fn start(
        target: CommitTarget,
        durability: Durability,
        counts: HashMap<RangeId, Count>,
        time: &Arc<RunningTime>,
    ) -> std::io::Result<Self> {
        let shared = Arc::new(CommitState {
            queue: Mutex::default(),
            wake: Condvar::new(),
            counts: Mutex::new(counts),
            busy: BusyTime::new(time),
            removed_bytes: AtomicU64::default(),
        });
        let disk_reserve = Arc::clone(&target.disk_reserve);
        let worker = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("keyfold-commit".to_owned())
            .spawn(move || run(&worker, &target, durability))?;
        Ok(Self { shared, disk_reserve, thread: Mutex::new(Some(thread)) })
    }

    /// Adds a commit to the queue; commits are applied in the order of the queue. The number identifies the commit to
    /// the items in flight.
    pub(crate) fn enqueue(&self, commit: Commit) -> Result<(u64, CommitHandle), ServiceError> {
        let (outcome, receiver) = oneshot::channel();
        let mut queue = self.shared.queue.lock();
        if let Some(error) = &queue.failed {
            return Err(refused(error, queue.damage.as_deref()));
        }
        if queue.closed {
            return Err(shutting_down());
        }
        self.disk_reserve.spend(commit.changes.iter().map(Change::bytes).sum::<usize>() as u64);
        let number = queue.next_number;
        queue.next_number += 1;
        let was_idle = queue.commits.is_empty();
        queue.commits.push(QueuedCommit { commit, number, outcome });
        drop(queue);
        if was_idle {
            self.shared.wake.notify_one();
        }
        Ok((number, CommitHandle(receiver)))
    }

    /// Resolves when everything enqueued before is on disk.
    pub(crate) fn barrier(&self) -> Result<CommitHandle, ServiceError> {
        self.enqueue(Commit::default()).map(|(_, handle)| handle)
    }

    pub(crate) fn count(&self, range: RangeId) -> Count {
        self.shared.counts.lock().get(&range).copied().unwrap_or_default()
    }

    /// How much was deleted whose space was not returned yet.
    pub(crate) fn removed_bytes(&self) -> u64 {
        self.shared.removed_bytes.load(Ordering::Relaxed)
    }

    /// Takes note that the space of so much was returned.
    pub(crate) fn forget_removed(&self, bytes: u64) {
        self.shared.removed_bytes.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Refuses all writes from now on, because the store has failed outside of a commit.
    pub(crate) fn fail(&self, error: StoreError) {
        self.shared.fail(error);
    }

    /// Replaces a failure whose cause was not known.
    pub(crate) fn explain(&self, error: StoreError) {
        tracing::error!(
            kind = error.kind(),
            cause = error_chain(&error),
            "the cause of the failure of the store was found"
        );
        self.shared.queue.lock().failed = Some(error);
    }

    /// Tells writers what is damaged.
    pub(crate) fn refuse_because(&self, damage: &str) {
        self.shared.queue.lock().damage = Some(damage.to_owned());
    }

    /// Why all writes are refused.
    pub(crate) fn failure(&self) -> Option<StoreError> {
        self.shared.queue.lock().failed.clone()
    }

    /// How long the store has been working on the current commit.
    pub(crate) fn busy_for(&self) -> Duration {
        self.shared.busy.elapsed()
    }

    /// Commits the rest of the queue and ends the thread. Gives the failure because of which writes were refused.
    pub(crate) fn stop(&self) -> Result<(), StoreError> {
        self.shared.queue.lock().closed = true;
        self.shared.wake.notify_one();
        match self.thread.lock().take().map(JoinHandle::join) {
            Some(Ok(outcome)) => outcome,
            Some(Err(_)) => {
                tracing::error!("the commit thread panicked");
                Ok(())
            }
            None => Ok(()),
        }
    }
}

fn run(shared: &CommitState, target: &CommitTarget, durability: Durability) -> Result<(), StoreError> {
    while let Some(group) = next_group(shared) {
        // Not measured: a slow disk does not hang. The monitor sees whether flushes and merges make progress.
        target.store.wait_for_room(&mut group.iter().flat_map(|queued| &queued.commit.changes));
        shared.busy.run(|| commit_group(shared, target, durability, group));
    }
    match shared.queue.lock().failed.clone() {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// Waits for work; `None` once the queue is closed and empty.
fn next_group(shared: &CommitState) -> Option<Vec<QueuedCommit>> {
    let mut queue = shared.queue.lock();
    while queue.commits.is_empty() {
        if queue.closed {
            return None;
        }
        shared.wake.wait(&mut queue);
    }
    let mut bytes = 0;
    let full = queue.commits.iter().position(|queued| {
        bytes += queued.commit.changes.iter().map(Change::bytes).sum::<usize>();
        bytes > GROUP_BYTES
    });
    match full {
        Some(last) if last + 1 < queue.commits.len() => {
            let rest = queue.commits.split_off(last + 1);
            Some(std::mem::replace(&mut queue.commits, rest))
        }
        _ => Some(std::mem::take(&mut queue.commits)),
    }
}

fn commit_group(shared: &CommitState, target: &CommitTarget, durability: Durability, group: Vec<QueuedCommit>) {
    let failed = shared.queue.lock().failed.clone();
    let mut changes = Vec::with_capacity(group.iter().map(|queued| queued.commit.changes.len()).sum());
    let mut counts: BTreeMap<RangeId, Count> = BTreeMap::new();
    let mut removed_bytes = 0;
    let mut finished = Vec::with_capacity(group.len());
    for mut queued in group {
        changes.append(&mut queued.commit.changes);
        for change in &queued.commit.counts {
            let count = counts
                .entry(change.range)
                .or_insert_with(|| shared.counts.lock().get(&change.range).copied().unwrap_or_default());
            count.items = count.items.saturating_add_signed(change.items);
            count.bytes = count.bytes.saturating_add_signed(change.bytes);
            removed_bytes += change.bytes.min(0).unsigned_abs();
        }
        finished.push((queued.number, queued.commit.slots, queued.outcome));
    }
    changes.extend(counts.iter().map(|(range, count)| Change::Put(layout::counters(*range), encode_count(*count))));
    if !changes.is_empty() {
        changes.extend(target.time.record());
    }
    let added = added_work(&changes);
    let result = match failed {
        Some(_) => Outcome::Refused,
        None if changes.is_empty() => Outcome::OnDisk,
        None => target.store.commit(changes, durability).map_or_else(Outcome::Failed, |()| Outcome::OnDisk),
    };
    match &result {
        Outcome::OnDisk => {
            shared.counts.lock().extend(counts);
            shared.removed_bytes.fetch_add(removed_bytes, Ordering::Relaxed);
            target.work_lists.add(added);
        }
        Outcome::Failed(error) => shared.fail(error.clone()),
        Outcome::Refused => {}
    }
    for (number, slots, outcome) in finished {
        for slot in slots {
            target.in_flight.release(slot, number);
        }
        // The caller may have gone away.
        let _ = outcome.send(result.clone());
    }
}

pub(crate) fn encode_count(count: Count) -> Vec<u8> {
    [count.items.to_be_bytes(), count.bytes.to_be_bytes()].concat()
}

pub(crate) fn decode_count(bytes: &[u8]) -> Option<Count> {
    let (items, bytes) = bytes.split_at_checked(8)?;
    Some(Count { items: u64::from_be_bytes(items.try_into().ok()?), bytes: u64::from_be_bytes(bytes.try_into().ok()?) })
}
