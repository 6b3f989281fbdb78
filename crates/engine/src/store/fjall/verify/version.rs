//! The current version of a keyspace: the list of its tables.
//!
//! The file `current` holds the number of the version, the checksum of the version file, and the kind of the checksum.
//! The store checks none of them, and deletes every table that the version does not name.

use std::path::Path;

use xxhash_rust::xxh3::xxh3_128;

use super::archive;
use super::fault::{Fault, name, unreadable};
use super::file;
use super::reader::Reader;
use crate::store::StoreError;

const CHECKSUM_KIND: u8 = 0;

/// A table that a version names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TableReference {
    pub id: u64,
    /// Of the whole file.
    pub checksum: u128,
}

/// The current version of a keyspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeyspaceVersion {
    /// Each version has a higher number than the one before.
    pub number: u64,
    /// Newest level first.
    pub tables: Vec<TableReference>,
}

pub(super) fn read(current: &Path) -> Result<KeyspaceVersion, StoreError> {
    let bytes = file::read(current).map_err(unreadable(current))?;
    let Some((number, checksum)) = parse_current(&bytes) else {
        return Err(Fault::Structure { what: "it does not name a version" }.of_file(current));
    };
    let path = current.with_file_name(format!("v{number}"));
    if !path.is_file() {
        return Err(Fault::MissingReferenced { named_by: name(current) }.of_file(path));
    }
    let bytes = file::read(&path).map_err(unreadable(&path))?;
    if xxh3_128(&bytes) != checksum {
        return Err(Fault::Checksum { recorded_in: name(current) }.of_file(path));
    }
    archive::sections(&bytes)
        .and_then(|sections| parse_tables(sections.get(b"tables".as_slice())?))
        .map(|tables| KeyspaceVersion { number, tables })
        .ok_or_else(|| Fault::Structure { what: "it is not a list of tables" }.of_file(path))
}

/// The number of the current version, whether or not its file exists; `None` if `current` is lost or damaged.
pub(super) fn number_in(current: &Path) -> Option<u64> {
    parse_current(&file::read(current).ok()?).map(|(number, _)| number)
}

/// The tables that a version file names, whether or not it is the current one; `None` if it is damaged.
pub(super) fn read_tables(path: &Path) -> Option<Vec<TableReference>> {
    let bytes = file::read(path).ok()?;
    parse_tables(archive::sections(&bytes)?.get(b"tables".as_slice())?)
}

fn parse_current(bytes: &[u8]) -> Option<(u64, u128)> {
    let mut reader = Reader::new(bytes);
    let (number, checksum, kind) = (reader.u64()?, reader.u128()?, reader.u8()?);
    (kind == CHECKSUM_KIND && reader.is_at_end()).then_some((number, checksum))
}

fn parse_tables(section: &[u8]) -> Option<Vec<TableReference>> {
    let mut reader = Reader::new(section);
    let mut tables = Vec::new();
    for _level in 0..reader.u8()? {
        for _run in 0..reader.u8()? {
            for _table in 0..reader.u32()? {
                let (id, kind, checksum) = (reader.u64()?, reader.u8()?, reader.u128()?);
                let _added_to_sequences = reader.u64()?;
                if kind != CHECKSUM_KIND {
                    return None;
                }
                tables.push(TableReference { id, checksum });
            }
        }
    }
    reader.is_at_end().then_some(tables)
}
