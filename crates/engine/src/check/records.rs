//! The engine's own records: counts, tokens, numbers of tables.

use std::collections::{BTreeMap, BTreeSet};

use super::{Checker, Finding};
use crate::catalog::TableDefinition;
use crate::commit::{Count, decode_count};
use crate::rows::key_text::hexadecimal;
use crate::rows::layout::{self, RangeId};
use crate::store::StoreError;
use crate::write::TokenRecord;

impl Checker<'_> {
    /// The recorded counts of all ranges.
    pub(super) fn read_counts(&mut self) -> Result<BTreeMap<RangeId, Count>, StoreError> {
        let (mut counts, mut damaged) = (BTreeMap::new(), Vec::new());
        self.has_all_counts =
            self.each_row(layout::all_counters(), |key, value| match (layout::range_id(key), decode_count(value)) {
                (Some(range), Some(count)) => {
                    counts.insert(range, count);
                }
                _ => damaged.push(key.to_vec()),
            })?;
        for row in damaged {
            self.record_undecodable("a count", &row);
        }
        Ok(counts)
    }

    /// The ranges whose rows are being deleted.
    pub(super) fn purged_ranges(&mut self) -> Result<BTreeSet<RangeId>, StoreError> {
        let (mut ranges, mut damaged) = (BTreeSet::new(), Vec::new());
        let is_complete = self.each_row(layout::all_purge_tickets(), |key, _| match layout::range_id(key) {
            Some(range) => {
                ranges.insert(range);
            }
            None => damaged.push(key.to_vec()),
        })?;
        self.has_all_definitions &= is_complete && damaged.is_empty();
        for row in damaged {
            self.record_undecodable("the record of a dropped table or index", &row);
        }
        Ok(ranges)
    }

    /// Every token expires. An expiry without a token is not a fault: a token that was used again has two.
    pub(super) fn check_tokens(&mut self) -> Result<(), StoreError> {
        let (mut damaged, mut missing) = (Vec::new(), Vec::new());
        for row in self.snapshot.range(layout::all_tokens(), false) {
            let Some((key, value)) = self.readable(row)? else { continue };
            match (TokenRecord::decode(&value), layout::token_name(&key)) {
                (Ok(record), Some(name)) => {
                    if self.find(&layout::token_expiry(record.expiry, name))? == Some(None) {
                        missing.push(key.to_vec());
                    }
                }
                _ => damaged.push(key.to_vec()),
            }
        }
        for row in damaged {
            self.record_undecodable("the record of a client request token", &row);
        }
        self.findings.extend(missing.iter().map(|row| Finding::MissingTokenExpiry { row: hexadecimal(row) }));
        Ok(())
    }

    /// Numbers of tables are never used twice.
    pub(super) fn check_next_id(&mut self, tables: &[TableDefinition]) -> Result<(), StoreError> {
        let Some(highest) = tables.iter().flat_map(TableDefinition::range_ids).max() else { return Ok(()) };
        let key = layout::next_range_id();
        match self.find(&key)?.map(|row| row.map(|row| <[u8; 4]>::try_from(&*row).map(u32::from_be_bytes))) {
            None => {}
            Some(Some(Ok(next))) if next > highest => {}
            Some(Some(Ok(next))) => self.findings.push(Finding::ReusedNumber { next, highest }),
            Some(Some(Err(_)) | None) => self.record_undecodable("the number of the next table", &key),
        }
        Ok(())
    }
}
