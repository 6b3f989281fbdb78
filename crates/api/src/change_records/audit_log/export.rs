//! Entries of all designs and tenants, for commands.

use keyfold_dynamo::expression::{Comparison, Condition};
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use serde::Serialize;

use super::entry::partition_of;
use super::query::{AuditEntry, moment};
use crate::change_records::ChangeRecordError;
use crate::change_records::record_item::key_text;
use crate::change_records::record_table::{Items, RecordTable};
use crate::change_records::table::{AUDIT_PREFIX, EXPIRES, PARTITION, SORT};

/// Before and after every time of an entry.
const BEGINNING_OF_TIME: &str = "0";
const END_OF_TIME: &str = "9999";

/// Which entries are exported. Without a condition, all are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditExport {
    pub design: Option<String>,
    /// Requires a design.
    pub tenant: Option<String>,
    pub subject: Option<String>,
    pub entity: Option<String>,
    /// Times such as `2026-11-15T13:00:00Z`: the first is inclusive, the second exclusive.
    pub from: Option<String>,
    pub to: Option<String>,
}

/// An entry with the design that it belongs to: a line of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExportedEntry {
    pub design: String,
    #[serde(flatten)]
    pub entry: AuditEntry,
}

impl RecordTable {
    /// Passes the entries to `visit`, tenant by tenant, the oldest of each first. Returns the keys of entries that
    /// cannot be decoded.
    pub async fn export(
        &self,
        export: &AuditExport,
        visit: &mut (dyn FnMut(ExportedEntry) + Send),
    ) -> Result<Vec<String>, ChangeRecordError> {
        let from = moment("from", export.from.as_deref())?.unwrap_or_else(|| BEGINNING_OF_TIME.to_owned());
        let to = moment("to", export.to.as_deref())?.unwrap_or_else(|| END_OF_TIME.to_owned());
        let mut undecodable = Vec::new();
        if from > to {
            return Ok(undecodable);
        }
        let partition = match (&export.design, &export.tenant) {
            (Some(design), Some(tenant)) => Some(partition_of(design, Some(tenant))),
            _ => None,
        };
        let prefix =
            export.design.as_ref().map_or(AUDIT_PREFIX.to_owned(), |design| format!("{AUDIT_PREFIX}{design}#"));
        let (items, in_range) = match &partition {
            Some(partition) => (Items::Between { partition, from: &from, to: &to }, None),
            None => {
                let text = |text: &str| AttributeValue::S(text.to_owned());
                (Items::Scanned(&prefix), Some(Condition::between(SORT, text(&from), text(&to))))
            }
        };
        let now = AttributeValue::N(Number::from(self.clock.now_ms() / 1000));
        // The table may be slow to remove expired entries.
        let is_current = Condition::compare(EXPIRES, Comparison::Greater, now);
        let filter = Condition::all([Some(is_current), in_range, export.condition()].into_iter().flatten());
        let mut decode = |item: Attributes| {
            match ExportedEntry::read(&item) {
                Some(entry) => visit(entry),
                None => undecodable.push(key_text(&item)),
            }
            Ok(())
        };
        self.read(items, filter, &mut decode).await?;
        Ok(undecodable)
    }
}

impl AuditExport {
    fn condition(&self) -> Option<Condition> {
        let wanted = [("subject", &self.subject), ("entity", &self.entity)];
        Condition::all(
            wanted
                .into_iter()
                .filter_map(|(name, value)| Some(Condition::equals(name, AttributeValue::S(value.as_ref()?.clone())))),
        )
    }
}

impl ExportedEntry {
    pub(in crate::change_records) fn read(item: &Attributes) -> Option<Self> {
        let partition = item.get(PARTITION).and_then(AttributeValue::as_str)?;
        let (design, _) = partition.strip_prefix(AUDIT_PREFIX)?.split_once('#')?;
        Some(Self { design: design.to_owned(), entry: AuditEntry::read(item).ok()? })
    }
}
