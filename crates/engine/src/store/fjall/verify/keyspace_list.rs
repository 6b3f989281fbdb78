//! The list of keyspaces, which is a keyspace itself: number 0. The store deletes the folder of every keyspace that is
//! not in it.

use std::collections::BTreeMap;
use std::path::Path;

use super::table::WholeTable;
use crate::store::StoreError;

/// Rows of this kind give the name of a keyspace by its number.
const NAME: u8 = b'n';

/// The names of the keyspaces in a table of the list, by their numbers. No keyspace is ever removed, so that no table
/// of the list removes what an older one has.
pub(super) fn read(path: &Path, table: &mut WholeTable) -> Result<BTreeMap<u64, Vec<u8>>, StoreError> {
    let rows = table.rows(path)?;
    Ok(rows.into_iter().filter_map(|(key, value)| Some((keyspace_number(&key)?, value?))).collect())
}

fn keyspace_number(key: &[u8]) -> Option<u64> {
    let (kind, number) = key.split_first()?;
    if *kind == NAME { number.try_into().ok().map(u64::from_be_bytes) } else { None }
}
