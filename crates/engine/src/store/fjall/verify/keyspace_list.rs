//! The list of keyspaces, which is a keyspace itself: number 0. The store deletes the folder of every keyspace that is not in it.

use std::collections::BTreeSet;
use std::path::Path;

use super::block::{Block, BlockKind};
use super::fault::{Fault, unreadable};
use super::table::Table;
use crate::store::StoreError;

/// Rows of this kind give the name of a keyspace by its number.
const NAME: u8 = b'n';

/// The numbers of the keyspaces in a table of the list. The list is written once, with the first start, so that no table of it
/// removes what an older one has.
pub(super) fn read(path: &Path, table: &mut Table) -> Result<BTreeSet<u64>, StoreError> {
    let damaged = |position: u64| {
        Fault::Structure { what: "a block of the list of keyspaces is damaged" }.at(path, position..position + 1)
    };
    let data = table.section(b"data").ok_or_else(|| damaged(0))?;
    let bytes = table.read(data.clone()).map_err(unreadable(path))?;
    let mut keyspaces = BTreeSet::new();
    let mut position = 0;
    while let Some(rest) = bytes.get(position..).filter(|rest| !rest.is_empty()) {
        let at = data.start + position as u64;
        let block = Block::parse(rest).filter(|block| block.kind == BlockKind::Data).ok_or_else(|| damaged(at))?;
        for (key, value) in block.entries().ok_or_else(|| damaged(at))? {
            if let (Some(number), true) = (keyspace_number(key), value.is_some()) {
                keyspaces.insert(number);
            }
        }
        position += block.length();
    }
    Ok(keyspaces)
}

fn keyspace_number(key: &[u8]) -> Option<u64> {
    let (kind, number) = key.split_first()?;
    if *kind == NAME { number.try_into().ok().map(u64::from_be_bytes) } else { None }
}
