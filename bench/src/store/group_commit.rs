//! Durable group commits: the writes of 64 writers go into one batch and share one fdatasync.

use super::{
    opened::OpenStore,
    rows::{IndexRows, put_rows, update_rows},
};
use crate::{
    Outcome,
    dataset::License,
    statistics::{Latencies, rate},
};
use fjall::PersistMode;
use keyfold_environment::SplitMix64;
use std::time::Instant;

/// Writers whose writes share a batch.
pub(crate) const WRITERS: u64 = 64;

/// What a run of group commits gave.
#[derive(Debug)]
pub(crate) struct Committed {
    pub(crate) writes_per_second: f64,
    /// Of a whole group, which every write in it waits for.
    pub(crate) latencies: Latencies,
}

/// Writes items `0..total` in a scattered order.
pub(crate) fn load(store: &OpenStore, total: u64, kind: IndexRows) -> Outcome<Committed> {
    // Full-period stepping: 7 919 shares no factor with round totals, so every item is written exactly once.
    commit_groups(store, total, |step| {
        let license = License::new(step.wrapping_mul(7919) % total, total);
        let item = license.json(0);
        put_rows(&license, item.as_bytes(), kind).into()
    })
}

/// Rewrites one attribute, no key, of `count` random items.
pub(crate) fn update(store: &OpenStore, count: u64, total: u64, kind: IndexRows) -> Outcome<Committed> {
    let mut random = SplitMix64::new(count ^ total);
    commit_groups(store, count, |step| {
        let license = License::new(random.below(total), total);
        let item = license.json(step + 1);
        update_rows(&license, item.as_bytes(), kind)
    })
}

type Rows = Vec<(Vec<u8>, Vec<u8>)>;

fn commit_groups(store: &OpenStore, count: u64, mut rows_of: impl FnMut(u64) -> Rows) -> Outcome<Committed> {
    let mut latencies = Latencies::with_capacity(usize::try_from(count / WRITERS + 1).unwrap_or(0));
    let start = Instant::now();
    let mut step = 0;
    while step < count {
        let end = (step + WRITERS).min(count);
        let group: Vec<Rows> = (step..end).map(&mut rows_of).collect();
        let began = Instant::now();
        let mut batch = store.database.batch().durability(Some(PersistMode::SyncData));
        for (key, value) in group.into_iter().flatten() {
            batch.insert(&store.rows, key, value);
        }
        batch.commit()?;
        latencies.record(began.elapsed());
        step = end;
    }
    Ok(Committed { writes_per_second: rate(count, start.elapsed()), latencies })
}
