//! The store without the engine, on a copy of the folder the engine wrote: the same rows, in the same files.

use crate::Outcome;
use fjall::{Database, Keyspace, KeyspaceCreateOptions, Readable as _, UserKey};
use std::{fs, path::Path};

/// The engine's rows, read directly.
pub(crate) struct BareRows {
    pub(crate) database: Database,
    pub(crate) rows: Keyspace,
    /// The keys of all items.
    pub(crate) items: Vec<UserKey>,
    /// The first and the last key of each table partition of 20.
    pub(crate) partitions: Vec<(UserKey, UserKey)>,
    /// Mean bytes of an item's row.
    pub(crate) item_bytes: usize,
}

/// The engine's own records lie before the rows of tables and indexes; index rows are empty, items are not.
const FIRST_ROW: &[u8] = &[0x10];

impl BareRows {
    /// Copies the folder of a closed engine and opens the copy with the engine's store settings.
    pub(crate) fn copy_of(folder: &Path, copy: &Path, partition_items: usize) -> Outcome<Self> {
        copy_folder(folder, copy)?;
        let settings = keyfold_engine::store::StoreSettings::default();
        let database = Database::builder(copy)
            .cache_size(settings.cache_bytes)
            .max_journaling_size(settings.journal_bytes)
            .worker_threads(4)
            .open()?;
        let rows = database.keyspace("rows", KeyspaceCreateOptions::default)?;
        let (mut items, mut bytes) = (Vec::new(), 0);
        for row in rows.range(FIRST_ROW..) {
            let (key, value) = row.into_inner()?;
            if !value.is_empty() {
                bytes += value.len();
                items.push(key);
            }
        }
        let item_bytes = bytes / items.len().max(1);
        let partitions = items
            .chunks_exact(partition_items)
            .filter_map(|chunk| Some((chunk.first()?.clone(), chunk.last()?.clone())))
            .collect();
        Ok(Self { database, rows, items, partitions, item_bytes })
    }

    pub(crate) fn point_read(&self, item: usize) -> Outcome<usize> {
        let key = self.items.get(item).ok_or("no such item")?;
        Ok(self.rows.get(key)?.ok_or("an item is missing")?.len())
    }

    /// Reads a whole partition; the number of rows.
    pub(crate) fn range_read(&self, partition: usize) -> Outcome<usize> {
        let (first, last) = self.partitions.get(partition).ok_or("no such partition")?;
        let mut count = 0;
        for row in self.database.snapshot().range(&self.rows, first.clone()..=last.clone()) {
            let (_, value) = row.into_inner()?;
            count += usize::from(!value.is_empty());
        }
        Ok(count)
    }
}

fn copy_folder(from: &Path, to: &Path) -> Outcome<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
