//! An open store with the reads the benchmarks need.

use super::{
    rows::{GSI2, IndexRows, index_prefix, item_key, pointed_item_key, table_prefix},
    settings::StoreSettings,
};
use crate::{
    Outcome,
    dataset::{PARTITION_ITEMS, account_partition, enterprise_partition, license_sort_key},
};
use fjall::{Database, Keyspace, Readable as _};
use keyfold_environment::SplitMix64;
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// One database with one key space.
#[derive(Clone)]
pub(crate) struct OpenStore {
    pub(crate) database: Database,
    pub(crate) rows: Keyspace,
}

impl OpenStore {
    pub(crate) fn open(folder: &Path, settings: &StoreSettings) -> Outcome<Self> {
        let database = settings.database(folder).open()?;
        let rows = database.keyspace("rows", || settings.keyspace())?;
        Ok(Self { database, rows })
    }

    /// Reads one random item; the bytes read.
    pub(crate) fn point_read(&self, random: &mut SplitMix64, total: u64) -> Outcome<usize> {
        let number = random.below(total);
        let key = item_key(&account_partition(number), &license_sort_key(number));
        let snapshot = self.database.snapshot();
        let value = snapshot.get(&self.rows, key)?.ok_or("an item is missing")?;
        Ok(value.len())
    }

    /// Reads the 20 items of a random table partition; the bytes read.
    pub(crate) fn range_read(&self, random: &mut SplitMix64, total: u64) -> Outcome<usize> {
        let prefix = table_prefix(&account_partition(random.below(total)));
        let snapshot = self.database.snapshot();
        let (mut bytes, mut count) = (0, 0);
        for row in snapshot.prefix(&self.rows, prefix).take(20) {
            let (_, value) = row.into_inner()?;
            bytes += value.len();
            count += 1;
        }
        complete(count)?;
        Ok(bytes)
    }

    /// Reads the 20 items of a random GSI2 partition; the bytes read.
    pub(crate) fn index_read(&self, random: &mut SplitMix64, total: u64, kind: IndexRows) -> Outcome<usize> {
        let enterprise = random.below(total / PARTITION_ITEMS);
        let prefix = index_prefix(GSI2, &enterprise_partition(enterprise));
        let snapshot = self.database.snapshot();
        let (mut bytes, mut count) = (0, 0);
        for row in snapshot.prefix(&self.rows, prefix).take(20) {
            bytes += match kind {
                IndexRows::Carrying => row.into_inner()?.1.len(),
                IndexRows::Pointing => {
                    let key = pointed_item_key(&row.key()?).ok_or("an index row has no base key")?;
                    snapshot.get(&self.rows, key)?.ok_or("an index row points nowhere")?.len()
                }
            };
            count += 1;
        }
        complete(count)?;
        Ok(bytes)
    }

    /// Waits until nothing is left to flush or compact, at most `limit`.
    pub(crate) fn settle(&self, limit: Duration) {
        let start = Instant::now();
        let mut quiet = 0;
        while quiet < 10 && start.elapsed() < limit {
            std::thread::sleep(Duration::from_millis(50));
            let busy = self.database.outstanding_flushes() > 0 || self.database.active_compactions() > 0;
            quiet = if busy { 0 } else { quiet + 1 };
        }
    }
}

fn complete(count: u64) -> Outcome<()> {
    if count == PARTITION_ITEMS {
        return Ok(());
    }
    Err(format!("a partition has {count} rows instead of {PARTITION_ITEMS}").into())
}
