//! The new folder: items, and everything that is made from them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

use keyfold_dynamo::item::codec;
use keyfold_dynamo::value::item_size;

use super::inference;
use super::loss::{Loss, UncertainItem};
use super::{RepairError, RepairReport, RepairedTable};
use crate::OpenError;
use crate::catalog::{IndexState, TableDefinition, definition_row};
use crate::commit::{Count, encode_count};
use crate::row_place::RowPlace;
use crate::rows::layout::{self, RangeId};
use crate::session::FORMAT;
use crate::store::{Change, Durability, FjallStore, FolderView, Store, StoreError};
use crate::write::index_membership;

/// A commit of the new store holds about so much.
const COMMIT_BYTES: usize = 4 << 20;

pub(super) struct Rebuild<'a> {
    store: &'a FjallStore,
    pub(super) view: &'a Arc<FolderView>,
    list: &'a mut dyn FnMut(UncertainItem) -> io::Result<()>,
    tables: BTreeMap<RangeId, RebuiltTable>,
    /// Indexes and lists of expiries, which are made anew.
    derived: BTreeSet<RangeId>,
    /// Ranges whose rows were being deleted.
    pub(super) purged: BTreeSet<RangeId>,
    unknown: BTreeMap<RangeId, u64>,
    pub(super) next_id: RangeId,
    changes: Vec<Change>,
    bytes: usize,
    pub(super) report: RepairReport,
}

struct RebuiltTable {
    definition: TableDefinition,
    counts: BTreeMap<RangeId, Count>,
    uncertain: u64,
    is_uncertain: bool,
}

impl<'a> Rebuild<'a> {
    pub(super) fn new(
        store: &'a FjallStore,
        view: &'a Arc<FolderView>,
        list: &'a mut dyn FnMut(UncertainItem) -> io::Result<()>,
    ) -> Self {
        Self {
            store,
            view,
            list,
            tables: BTreeMap::new(),
            derived: BTreeSet::new(),
            purged: BTreeSet::new(),
            unknown: BTreeMap::new(),
            next_id: 1,
            changes: Vec::new(),
            bytes: 0,
            report: RepairReport::default(),
        }
    }

    /// A row of the damaged folder; `None` where it is damaged, which is listed already.
    pub(super) fn readable<T>(&self, row: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
        match row {
            Ok(row) => Ok(Some(row)),
            Err(StoreError::Corrupt { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Indexes that were being filled are complete in the new folder.
    pub(super) fn add_table(&mut self, mut definition: TableDefinition, is_uncertain: bool) {
        for index in &mut definition.indexes {
            index.state = IndexState::Active;
        }
        if let Some(list) = &mut definition.time_to_live {
            list.backfilling = false;
        }
        self.derived.extend(definition.range_ids().filter(|id| *id != definition.id));
        let table = RebuiltTable { definition, counts: BTreeMap::new(), uncertain: 0, is_uncertain };
        self.tables.insert(table.definition.id, table);
    }

    /// Reads the rows of all tables.
    pub(super) fn items(&mut self) -> Result<(), RepairError> {
        for row in self.view.rows(layout::all_ranges()) {
            let Some(row) = self.readable(row)? else { continue };
            let (Some(id), Some(value)) = (layout::range_of_row(&row.key), row.value) else { continue };
            self.next_id = self.next_id.max(id.saturating_add(1));
            let is_expected = self.derived.contains(&id) || self.purged.contains(&id);
            if !self.tables.contains_key(&id) && !is_expected && !self.unknown.contains_key(&id) {
                self.recover_table(id);
            }
            if self.tables.contains_key(&id) {
                self.item(id, row.key, value, row.may_be_older)?;
            } else if let Some(rows) = self.unknown.get_mut(&id) {
                *rows += 1;
            }
        }
        Ok(())
    }

    /// Makes a table for items whose definition is lost.
    fn recover_table(&mut self, id: RangeId) {
        match inference::infer(self.view, id) {
            Some(definition) => {
                self.report.losses.push(Loss::Definition { table: definition.name.clone() });
                self.add_table(definition, true);
            }
            None => {
                self.unknown.insert(id, 0);
            }
        }
    }

    fn item(&mut self, id: RangeId, row: Vec<u8>, value: Vec<u8>, may_be_older: bool) -> Result<(), RepairError> {
        let Some(table) = self.tables.get_mut(&id) else { return Ok(()) };
        let definition = &table.definition;
        let place = || RowPlace::find(std::slice::from_ref(definition), &row).key;
        let item = codec::decode(&value).ok();
        let item = item.filter(|item| layout::item_row(id, &definition.key, item).as_deref() == Some(row.as_slice()));
        let Some(item) = item else {
            self.report.losses.push(Loss::Item { table: definition.name.clone(), key: place() });
            return Ok(());
        };
        if may_be_older {
            table.uncertain += 1;
            let attributes = definition.key.attributes();
            let key = attributes.filter_map(|attribute| item.get_key_value(&attribute.name));
            let key = key.map(|(name, value)| (name.clone(), value.clone())).collect();
            let listed = UncertainItem { table: definition.name.clone(), key };
            (self.list)(listed).map_err(RepairError::List)?;
        }
        let mut changes = Vec::new();
        add(&mut table.counts, id, item_size(&item));
        for index in &definition.indexes {
            if let Some(index_row) = index_membership(index, &item, &row) {
                add(&mut table.counts, index.id, definition.projected_size(index, &item));
                changes.push(Change::Put(index_row, Vec::new()));
            }
        }
        let expiry = definition.time_to_live.as_ref().zip(definition.expiry_of(&item));
        if let Some(expiry_row) = expiry.and_then(|(list, second)| layout::expiry_row(list.id, second, &row).ok()) {
            changes.push(Change::Put(expiry_row, Vec::new()));
        }
        changes.push(Change::Put(row, value));
        changes.into_iter().try_for_each(|change| self.put(change))
    }

    /// Adds a change to the new store.
    pub(super) fn put(&mut self, change: Change) -> Result<(), RepairError> {
        if let Change::Put(key, value) = &change {
            self.bytes += key.len() + value.len();
        }
        self.changes.push(change);
        if self.bytes >= COMMIT_BYTES { self.commit() } else { Ok(()) }
    }

    fn commit(&mut self) -> Result<(), RepairError> {
        self.bytes = 0;
        let changes = std::mem::take(&mut self.changes);
        if changes.is_empty() { Ok(()) } else { Ok(self.store.commit(changes, Durability::Relaxed)?) }
    }

    /// Writes definitions and counts, and brings everything to disk.
    pub(super) fn finish(mut self) -> Result<RepairReport, RepairError> {
        for table in std::mem::take(&mut self.tables).into_values() {
            let definition = &table.definition;
            self.next_id = definition.range_ids().fold(self.next_id, |next, id| next.max(id.saturating_add(1)));
            let row = definition_row(definition)
                .map_err(|_| OpenError::undecodable_definition(&layout::table_record(&definition.name)))?;
            self.put(row)?;
            for (range, count) in &table.counts {
                self.put(Change::Put(layout::counters(*range), encode_count(*count)))?;
            }
            self.report.tables.push(RepairedTable {
                name: definition.name.clone(),
                items: table.counts.get(&definition.id).copied().unwrap_or_default().items,
                uncertain: table.uncertain,
                is_uncertain: table.is_uncertain,
            });
        }
        self.report.tables.sort_by(|one, other| one.name.cmp(&other.name));
        for (range, rows) in std::mem::take(&mut self.unknown) {
            self.report.losses.push(Loss::Unknown { range, rows });
        }
        self.put(Change::Put(layout::next_range_id(), self.next_id.to_be_bytes().to_vec()))?;
        self.put(Change::Put(layout::format_version(), FORMAT.to_be_bytes().to_vec()))?;
        self.commit()?;
        self.store.sync()?;
        Ok(self.report)
    }
}

fn add(counts: &mut BTreeMap<RangeId, Count>, range: RangeId, size: usize) {
    let count = counts.entry(range).or_default();
    count.items += 1;
    count.bytes += size as u64;
}
