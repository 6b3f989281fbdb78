//! The consistency check: every index and every list of expiries equals a rebuild from the items, and the counts are
//! correct.
//!
//! Everything is read from one snapshot, with the definitions and the counts, so that work under way is not a fault:
//! items that are due, an index that is being filled, a table that is being deleted. Memory does not grow with the
//! data: the rows of an index are summed up and compared with the sum of those that the items require; only if the sums
//! differ are they looked up one by one.

mod finding;
mod fingerprint;
mod records;
mod stray;
mod table;

pub use self::finding::Finding;

use std::collections::{BTreeMap, BTreeSet};

use keyfold_dynamo::ServiceError;

use self::table::TableCheck;
use crate::catalog::{self, TableDefinition};
use crate::commit::{Count, store_failed};
use crate::engine::Engine;
use crate::rows::key_text::hexadecimal;
use crate::rows::layout::RangeId;
use crate::store::{KeyRange, Row, Snapshot, StoreError};

impl Engine {
    /// Reads all data once, in the state of this moment.
    pub fn check(&self) -> Result<Vec<Finding>, ServiceError> {
        let snapshot = self.shared()?.store.snapshot();
        let mut ignore = |_, _| {};
        let mut checker = Checker::new(snapshot.as_ref(), OnDamage::Fail, &mut ignore);
        checker.check_rows().map_err(|error| store_failed(&error))?;
        Ok(checker.findings)
    }
}

/// What to do where the store cannot read its own rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnDamage {
    Fail,
    /// The damage was found before; what depends on it is not compared.
    Skip,
}

/// One check of a snapshot.
pub(crate) struct Checker<'a> {
    snapshot: &'a dyn Snapshot,
    on_damage: OnDamage,
    /// The faults found so far.
    pub findings: Vec<Finding>,
    /// What could not be judged, because of the damage.
    pub notes: Vec<String>,
    /// Whether every definition of a table, and every record of a dropped one, can be read.
    has_all_definitions: bool,
    counts: BTreeMap<RangeId, Count>,
    has_all_counts: bool,
    /// Told how many items were read, of how many.
    on_items: &'a mut dyn FnMut(u64, u64),
    items: u64,
    total: u64,
}

/// Items between two reports of progress.
const REPORT_ITEMS: u64 = 4096;

impl<'a> Checker<'a> {
    pub(crate) fn new(snapshot: &'a dyn Snapshot, on_damage: OnDamage, on_items: &'a mut dyn FnMut(u64, u64)) -> Self {
        Self {
            snapshot,
            on_damage,
            findings: Vec::new(),
            notes: Vec::new(),
            has_all_definitions: true,
            counts: BTreeMap::new(),
            has_all_counts: true,
            on_items,
            items: 0,
            total: 0,
        }
    }

    fn count_item(&mut self) {
        self.items += 1;
        if self.items.is_multiple_of(REPORT_ITEMS) {
            (self.on_items)(self.items, self.total);
        }
    }

    /// Checks all rows against each other.
    pub(crate) fn check_rows(&mut self) -> Result<(), StoreError> {
        let tables = self.definitions()?;
        self.counts = self.read_counts()?;
        self.total = tables.iter().filter_map(|table| self.counts.get(&table.id)).map(|count| count.items).sum();
        let mut known: BTreeSet<RangeId> = self.purged_ranges()?;
        for table in &tables {
            known.extend(table.range_ids());
            TableCheck::new(self, table).run()?;
        }
        self.check_tokens()?;
        self.check_stray_rows(&known)?;
        self.check_next_id(&tables)
    }

    fn definitions(&mut self) -> Result<Vec<TableDefinition>, StoreError> {
        let mut tables = Vec::new();
        for row in self.snapshot.range(crate::rows::layout::all_table_records(), false) {
            let Some((key, value)) = self.readable(row)? else {
                self.has_all_definitions = false;
                continue;
            };
            match catalog::decode_definition(&value) {
                Ok(table) => tables.push(table),
                Err(_) => {
                    self.has_all_definitions = false;
                    self.record_undecodable("the definition of a table", &key);
                }
            }
        }
        Ok(tables)
    }

    fn record_undecodable(&mut self, what: &'static str, row: &[u8]) {
        self.findings.push(Finding::UndecodableRecord { what, row: hexadecimal(row) });
    }

    /// A row of a walk; `None` where it is damaged, and the damage is known.
    fn readable<T>(&self, row: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
        match (row, self.on_damage) {
            (Ok(row), _) => Ok(Some(row)),
            (Err(StoreError::Corrupt { .. }), OnDamage::Skip) => Ok(None),
            (Err(error), _) => Err(error),
        }
    }

    /// Calls `visit` for each readable row of a range; `false` if some are not readable.
    fn each_row(&self, range: KeyRange, mut visit: impl FnMut(&Row, &Row)) -> Result<bool, StoreError> {
        let mut is_complete = true;
        for row in self.snapshot.range(range, false) {
            match self.readable(row)? {
                Some((key, value)) => visit(&key, &value),
                None => is_complete = false,
            }
        }
        Ok(is_complete)
    }

    /// Whether a row exists; `None` if it cannot be read.
    fn find(&self, key: &[u8]) -> Result<Option<Option<Row>>, StoreError> {
        self.readable(self.snapshot.get(key))
    }
}
