//! The capacity units that operations consume, by table and index, and the report of them.

use std::collections::BTreeMap;

use keyfold_dynamo::capacity::item_write_units;
use keyfold_dynamo::operation::{CapacityBreakdown, ConsumedCapacity, ReturnConsumedCapacity, Units};

use crate::catalog::IndexKind;

/// Whether units are reads or writes; only transactions report it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Reported without a distinction of reads and writes.
    Plain,
    Read,
    Write,
}

/// The write units of one item's change: the table's own and each index's.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct WriteCost {
    pub table: f64,
    pub indexes: BTreeMap<String, IndexCost>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct IndexCost {
    pub kind: IndexKind,
    pub units: f64,
}

impl WriteCost {
    /// The cost of a write that changes no index; the sizes of the item are 0 where there is none.
    pub(crate) fn for_item(before: usize, after: usize) -> Self {
        Self { table: item_write_units(before, after), indexes: BTreeMap::new() }
    }
}

/// The units that one operation consumes of one table and its indexes.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Consumption {
    table: f64,
    global: BTreeMap<String, f64>,
    local: BTreeMap<String, f64>,
}

impl Consumption {
    pub(crate) fn for_table(units: f64) -> Self {
        Self { table: units, ..Self::default() }
    }

    /// A read through an index: the units of the index, and those of the table for items that had to be fetched.
    pub(crate) fn for_index(name: &str, kind: IndexKind, units: f64, table: f64) -> Self {
        let mut consumption = Self::for_table(table);
        consumption.add_index(name, kind, units);
        consumption
    }

    pub(crate) fn for_write(cost: &WriteCost, factor: f64) -> Self {
        let mut consumption = Self::for_table(cost.table * factor);
        for (name, index) in &cost.indexes {
            consumption.add_index(name, index.kind, index.units * factor);
        }
        consumption
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.table += other.table;
        for (name, units) in &other.global {
            *self.global.entry(name.clone()).or_default() += units;
        }
        for (name, units) in &other.local {
            *self.local.entry(name.clone()).or_default() += units;
        }
    }

    fn add_index(&mut self, name: &str, kind: IndexKind, units: f64) {
        let indexes = match kind {
            IndexKind::Global => &mut self.global,
            IndexKind::Local => &mut self.local,
        };
        *indexes.entry(name.to_owned()).or_default() += units;
    }

    /// The report, in the detail that was requested.
    pub(crate) fn report(
        &self,
        table_name: &str,
        wanted: ReturnConsumedCapacity,
        direction: Direction,
    ) -> Option<ConsumedCapacity> {
        let units = |capacity: f64| Units {
            capacity,
            read: (direction == Direction::Read).then_some(capacity),
            write: (direction == Direction::Write).then_some(capacity),
        };
        let indexes =
            |map: &BTreeMap<String, f64>| map.iter().map(|(name, value)| (name.clone(), units(*value))).collect();
        if wanted == ReturnConsumedCapacity::None {
            return None;
        }
        let total = self.table + self.global.values().sum::<f64>() + self.local.values().sum::<f64>();
        Some(ConsumedCapacity {
            table_name: table_name.to_owned(),
            total: units(total),
            breakdown: (wanted == ReturnConsumedCapacity::Indexes).then(|| CapacityBreakdown {
                table: units(self.table),
                global_indexes: indexes(&self.global),
                local_indexes: indexes(&self.local),
            }),
        })
    }
}
