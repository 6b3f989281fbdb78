//! The engine's own records in a damaged folder.

use super::RepairError;
use super::loss::Loss;
use super::rebuild::Rebuild;
use crate::OpenError;
use crate::catalog::decode_definition;
use crate::rows::key_text::hexadecimal;
use crate::rows::layout::{self, RecordKind};
use crate::session::FORMAT;
use crate::store::Change;
use crate::write::TokenRecord;

impl Rebuild<'_> {
    /// Reads everything but rows of tables. What can be made from the items is left out.
    pub(super) fn records(&mut self) -> Result<(), RepairError> {
        for row in self.view.rows(layout::all_records()) {
            let Some(row) = self.readable(row)? else { continue };
            let Some(value) = row.value else { continue };
            self.record(row.key, value, row.may_be_older)?;
        }
        Ok(())
    }

    fn record(&mut self, key: Vec<u8>, value: Vec<u8>, may_be_older: bool) -> Result<(), RepairError> {
        let what = match layout::record_kind(&key) {
            RecordKind::Format => match <[u8; 4]>::try_from(value.as_slice()).map(u32::from_be_bytes) {
                Ok(FORMAT) => return Ok(()),
                Ok(found) => return Err(OpenError::Format { found, expected: FORMAT }.into()),
                Err(_) => "the version of the format",
            },
            RecordKind::Table => match decode_definition(&value) {
                Ok(table) => {
                    self.add_table(table, may_be_older);
                    return Ok(());
                }
                Err(_) => "the definition of a table",
            },
            RecordKind::Purge => {
                self.purged.extend(layout::range_id(&key));
                return Ok(());
            }
            RecordKind::NextId => match <[u8; 4]>::try_from(value.as_slice()).map(u32::from_be_bytes) {
                Ok(next) => {
                    self.next_id = self.next_id.max(next);
                    return Ok(());
                }
                Err(_) => "the number of the next table",
            },
            RecordKind::NewestTime => return self.put(Change::Put(key, value)),
            RecordKind::Token => match (TokenRecord::decode(&value), layout::token_name(&key)) {
                (Ok(record), Some(name)) => {
                    self.put(Change::Put(layout::token_expiry(record.expiry, name), Vec::new()))?;
                    return self.put(Change::Put(key, value));
                }
                _ => "the record of a client request token",
            },
            RecordKind::Derived => return Ok(()),
        };
        self.report.losses.push(Loss::Record { what, row: hexadecimal(&key) });
        Ok(())
    }
}
