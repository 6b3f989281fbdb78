//! Rows that belong to nothing.

use std::collections::BTreeSet;
use std::ops::Bound;

use super::{Checker, Finding};
use crate::rows::layout::{self, RangeId};
use crate::store::{KeyRange, StoreError};

impl Checker<'_> {
    /// Every row belongs to a table, or its range is being deleted. Skips over the rows of known ranges.
    pub(super) fn check_stray_rows(&mut self, known: &BTreeSet<RangeId>) -> Result<(), StoreError> {
        for (all, of_range) in [
            (layout::all_ranges(), layout::all_rows as fn(RangeId) -> KeyRange),
            (layout::all_expiry_lists(), layout::all_expiries),
        ] {
            let (mut first, end) = all;
            loop {
                let Some(range) = self.first_range((first, end.clone()))? else { break };
                if !known.contains(&range) {
                    let mut rows = 0;
                    self.each_row(of_range(range), |_, _| rows += 1)?;
                    self.add_stray_rows(range, rows);
                }
                match of_range(range).1 {
                    Bound::Excluded(next) => first = Bound::Included(next),
                    Bound::Included(_) | Bound::Unbounded => break,
                }
            }
        }
        Ok(())
    }

    /// Without all definitions, it is not known whether the rows belong to a table. The lost definition is a fault
    /// already.
    fn add_stray_rows(&mut self, range: RangeId, rows: u64) {
        if self.has_all_definitions {
            self.findings.push(Finding::StrayRows { range, rows });
        } else {
            self.notes.push(format!(
                "{rows} rows of number {range} belong to no table whose definition can be read: the definition of their \
                 table, or the record of its deletion, may be damaged"
            ));
        }
    }

    /// The range of the first readable row.
    fn first_range(&self, rows: KeyRange) -> Result<Option<RangeId>, StoreError> {
        for row in self.snapshot.range(rows, false) {
            if let Some((key, _)) = self.readable(row)? {
                return Ok(layout::range_of_row(&key));
            }
        }
        Ok(None)
    }
}
