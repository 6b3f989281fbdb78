//! Where a row belongs, as people say it.

use crate::catalog::TableDefinition;
use crate::rows::key_text::{hexadecimal, key_text};
use crate::rows::layout;
use crate::store::KeyGap;

/// The rows between two keys: `table "orders" from pk = "a" to pk = "k"`. The order is that of a Scan.
pub(crate) fn gap_text(tables: &[TableDefinition], gap: &KeyGap) -> String {
    let place = |key: &Option<Vec<u8>>| key.as_deref().map(|key| RowPlace::find(tables, key));
    match (place(&gap.from), place(&gap.to)) {
        (Some(from), Some(to)) if from.range == to.range => {
            format!("rows of {} from {} to {}", from.range, from.key, to.key)
        }
        (Some(from), Some(to)) => {
            format!("rows from {} of {} to {} of {}", from.key, from.range, to.key, to.range)
        }
        (Some(from), None) => format!("rows from {} of {} on", from.key, from.range),
        (None, Some(to)) => format!("rows up to {} of {}", to.key, to.range),
        (None, None) => "any rows".to_owned(),
    }
}

/// A row by its table or index, and its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RowPlace {
    /// The table or index, or what else the row belongs to.
    pub range: String,
    pub key: String,
}

impl RowPlace {
    pub(crate) fn find(tables: &[TableDefinition], row: &[u8]) -> Self {
        let Some(id) = layout::range_of_row(row) else {
            return Self { range: "the engine's own records".to_owned(), key: hexadecimal(row) };
        };
        for table in tables {
            let schema = if table.id == id {
                Some((format!("table `{}`", table.name), &table.key))
            } else {
                let index = table.indexes.iter().find(|index| index.id == id);
                index.map(|index| (format!("index `{}` of table `{}`", index.name, table.name), &index.key))
            };
            if let Some((range, schema)) = schema {
                let key = layout::key_values(row).map_or_else(|| hexadecimal(row), |values| key_text(schema, values));
                return Self { range, key };
            }
            if table.time_to_live.as_ref().is_some_and(|list| list.id == id) {
                return Self { range: format!("the expiries of table `{}`", table.name), key: hexadecimal(row) };
            }
        }
        Self { range: format!("number {id}, which belongs to no table"), key: hexadecimal(row) }
    }
}
