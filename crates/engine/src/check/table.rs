//! One table: its items against its indexes, its list of expiries and its counts.

use keyfold_dynamo::Attributes;
use keyfold_dynamo::item::codec;
use keyfold_dynamo::value::item_size;

use super::fingerprint::Fingerprint;
use super::{Checker, Finding};
use crate::catalog::{IndexDefinition, IndexState, TableDefinition};
use crate::commit::Count;
use crate::rows::key_text::{hexadecimal, key_text};
use crate::rows::layout::{self, RangeId};
use crate::store::{Row, StoreError};
use crate::write::index_membership;

pub(super) struct TableCheck<'a, 'b> {
    checker: &'a mut Checker<'b>,
    table: &'a TableDefinition,
    lists: Vec<List>,
    count: Count,
    /// Whether all items could be read: otherwise counts and sums say nothing.
    is_complete: bool,
}

/// Rows that are derived from the items: an index, or the list of expiries.
struct List {
    kind: ListKind,
    id: RangeId,
    /// Up to this item, the list is complete, if it is being filled.
    filled: Option<Filled>,
    expected: Fingerprint,
    count: Count,
}

#[derive(Clone)]
enum ListKind {
    Index(Box<IndexDefinition>),
    Expiries,
}

/// How far a list has been filled.
enum Filled {
    Nothing,
    UpTo(Row),
}

impl List {
    /// Whether the row of an item must exist.
    fn must_have(&self, item_row: &[u8]) -> bool {
        match &self.filled {
            None => true,
            Some(Filled::Nothing) => false,
            Some(Filled::UpTo(last)) => item_row <= &**last,
        }
    }

    /// The row of an item, and the bytes that it counts for; `None` if the item is not in the list.
    fn row(&self, table: &TableDefinition, item: &Attributes, item_row: &[u8]) -> Option<(Vec<u8>, usize)> {
        match &self.kind {
            ListKind::Index(index) => {
                Some((index_membership(index, item, item_row)?, table.projected_size(index, item)))
            }
            ListKind::Expiries => Some((layout::expiry_row(self.id, table.expiry_of(item)?, item_row).ok()?, 0)),
        }
    }

    /// The item that a row of the list refers to.
    fn item_row(&self, table: &TableDefinition, row: &[u8]) -> Option<Vec<u8>> {
        match &self.kind {
            ListKind::Index(index) => layout::referenced_item_row(table.id, &table.key, &index.key, row),
            ListKind::Expiries => layout::expiring_item_row(table.id, &table.key, row).ok(),
        }
    }

    fn rows(&self) -> crate::store::KeyRange {
        match self.kind {
            ListKind::Index(_) => layout::all_rows(self.id),
            ListKind::Expiries => layout::all_expiries(self.id),
        }
    }

    fn missing(&self, table: &TableDefinition, item_row: &[u8]) -> Finding {
        let (name, key) = (table.name.clone(), item_key(table, item_row));
        match &self.kind {
            ListKind::Index(index) => Finding::MissingIndexRow { table: name, index: index.name.clone(), key },
            ListKind::Expiries => Finding::MissingExpiryRow { table: name, key },
        }
    }

    fn stale(&self, table: &TableDefinition, row: &[u8]) -> Finding {
        let name = table.name.clone();
        match &self.kind {
            ListKind::Index(index) => {
                let key =
                    layout::key_values(row).map_or_else(|| hexadecimal(row), |values| key_text(&index.key, values));
                Finding::StaleIndexRow { table: name, index: index.name.clone(), key }
            }
            ListKind::Expiries => Finding::StaleExpiryRow { table: name, row: hexadecimal(row) },
        }
    }
}

fn item_key(table: &TableDefinition, item_row: &[u8]) -> String {
    layout::key_values(item_row).map_or_else(|| hexadecimal(item_row), |values| key_text(&table.key, values))
}

impl<'a, 'b> TableCheck<'a, 'b> {
    pub(super) fn new(checker: &'a mut Checker<'b>, table: &'a TableDefinition) -> Self {
        Self { checker, table, lists: Vec::new(), count: Count::default(), is_complete: true }
    }

    pub(super) fn run(mut self) -> Result<(), StoreError> {
        self.make_lists()?;
        self.read_items()?;
        let table = self.table;
        if self.is_complete {
            self.check_count(&table.name, table.id, self.count);
        }
        for list in std::mem::take(&mut self.lists) {
            if let (ListKind::Index(index), true) = (&list.kind, self.is_complete) {
                self.check_count(&index.name, index.id, list.count);
            }
            self.check_list(&list)?;
        }
        Ok(())
    }

    fn make_lists(&mut self) -> Result<(), StoreError> {
        let indexes = self.table.indexes.iter();
        let mut kinds: Vec<(ListKind, RangeId, bool)> = indexes
            .map(|index| (ListKind::Index(Box::new(index.clone())), index.id, index.state == IndexState::Backfilling))
            .collect();
        if let Some(list) = &self.table.time_to_live {
            kinds.push((ListKind::Expiries, list.id, list.backfilling));
        }
        for (kind, id, is_filling) in kinds {
            let filled = if is_filling {
                let progress = self.checker.find(&layout::backfill_progress(id))?.flatten();
                Some(progress.map_or(Filled::Nothing, Filled::UpTo))
            } else {
                None
            };
            self.lists.push(List { kind, id, filled, expected: Fingerprint::default(), count: Count::default() });
        }
        Ok(())
    }

    fn read_items(&mut self) -> Result<(), StoreError> {
        for row in self.checker.snapshot.range(layout::all_rows(self.table.id), false) {
            match self.checker.readable(row)? {
                Some((row, value)) => self.read_item(&row, &value)?,
                None => self.is_complete = false,
            }
        }
        Ok(())
    }

    fn read_item(&mut self, row: &[u8], value: &[u8]) -> Result<(), StoreError> {
        let table = self.table;
        let key = || item_key(table, row);
        let Ok(item) = codec::decode(value) else {
            self.checker.findings.push(Finding::UndecodableItem { table: table.name.clone(), key: key() });
            self.is_complete = false;
            return Ok(());
        };
        if layout::item_row(table.id, &table.key, &item).as_deref() != Some(row) {
            self.checker.findings.push(Finding::MisplacedItem { table: table.name.clone(), key: key() });
            // Its index rows refer to another item, so nothing can be said about them.
            self.is_complete = false;
            return Ok(());
        }
        self.checker.count_item();
        add(&mut self.count, item_size(&item));
        for list in &mut self.lists {
            let Some((list_row, size)) = list.row(table, &item, row) else { continue };
            if list.must_have(row) || self.checker.find(&list_row)?.flatten().is_some() {
                list.expected.add(&list_row);
                add(&mut list.count, size);
            }
        }
        Ok(())
    }

    fn check_count(&mut self, name: &str, id: RangeId, found: Count) {
        let recorded = match self.checker.counts.get(&id) {
            Some(recorded) => *recorded,
            None if self.checker.has_all_counts => Count::default(),
            // It may be in a damaged block.
            None => return,
        };
        if recorded != found {
            self.checker.findings.push(Finding::WrongCount {
                table: self.table.name.clone(),
                range: name.to_owned(),
                recorded: (recorded.items, recorded.bytes),
                found: (found.items, found.bytes),
            });
        }
    }

    fn check_list(&mut self, list: &List) -> Result<(), StoreError> {
        let mut found = Fingerprint::default();
        let is_complete = self.checker.each_row(list.rows(), |row, _| found.add(row))?;
        if is_complete && self.is_complete && found == list.expected {
            return Ok(());
        }
        self.find_missing(list)?;
        self.find_stale(list)
    }

    /// Looks up the row of each item.
    fn find_missing(&mut self, list: &List) -> Result<(), StoreError> {
        let mut missing = Vec::new();
        for row in self.checker.snapshot.range(layout::all_rows(self.table.id), false) {
            let Some((row, value)) = self.checker.readable(row)? else { continue };
            let Some(item) = self.sound_item(&row, &value) else { continue };
            let Some((list_row, _)) = list.row(self.table, &item, &row) else { continue };
            if list.must_have(&row) && self.checker.find(&list_row)? == Some(None) {
                missing.push(list.missing(self.table, &row));
            }
        }
        self.checker.findings.append(&mut missing);
        Ok(())
    }

    /// Looks up the item of each row.
    fn find_stale(&mut self, list: &List) -> Result<(), StoreError> {
        let mut stale = Vec::new();
        for row in self.checker.snapshot.range(list.rows(), false) {
            let Some((row, _)) = self.checker.readable(row)? else { continue };
            let expected = match list.item_row(self.table, &row) {
                None => None,
                Some(item_row) => match self.checker.find(&item_row)? {
                    None => continue,
                    Some(None) => None,
                    Some(Some(value)) => match self.sound_item(&item_row, &value) {
                        // The item itself was reported.
                        None => continue,
                        Some(item) => list.row(self.table, &item, &item_row).map(|(row, _)| row),
                    },
                },
            };
            if expected.as_deref() != Some(&*row) {
                stale.push(list.stale(self.table, &row));
            }
        }
        self.checker.findings.append(&mut stale);
        Ok(())
    }

    /// An item that can be decoded and is stored under its key.
    fn sound_item(&self, row: &[u8], value: &[u8]) -> Option<Attributes> {
        let item = codec::decode(value).ok()?;
        (layout::item_row(self.table.id, &self.table.key, &item).as_deref() == Some(row)).then_some(item)
    }
}

fn add(count: &mut Count, size: usize) {
    count.items += 1;
    count.bytes += size as u64;
}
