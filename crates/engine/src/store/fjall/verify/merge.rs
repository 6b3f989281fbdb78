//! The newest version of every row, from tables and journals.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, VecDeque};
use std::ops::Bound;
use std::sync::Arc;

use super::data_block::RowVersion;
use super::table_file::{OpenTable, RowPart};
use crate::store::{KeyRange, StoreError};

/// Goes through the newest readable versions of the rows of a range, in the order of their keys. Damage is an error,
/// and does not end it.
pub(super) struct MergedRows {
    end: Bound<Vec<u8>>,
    sources: Vec<MergeInput>,
    heap: BinaryHeap<Reverse<Next>>,
    errors: VecDeque<StoreError>,
}

/// The next version of a source: its key, its sequence number with the newest first, and the number of the source.
type Next = (Vec<u8>, Reverse<u64>, usize);

struct MergeInput {
    /// `None` for the journals.
    cursor: Option<Cursor>,
    versions: VecDeque<RowVersion>,
}

/// A position in a table.
struct Cursor {
    table: Arc<OpenTable>,
    start: Option<u64>,
    last_key: Option<Vec<u8>>,
}

impl MergedRows {
    /// `journal` holds the rows that no table has yet, with their sequence numbers.
    pub(super) fn new(
        tables: &[Arc<OpenTable>],
        journal: &BTreeMap<Vec<u8>, (u64, Option<Vec<u8>>)>,
        (first, end): KeyRange,
    ) -> Self {
        let mut rows = Self { end: end.clone(), sources: Vec::new(), heap: BinaryHeap::new(), errors: VecDeque::new() };
        let journal = journal.range((first.clone(), end.clone()));
        let versions = journal.map(|(key, (sequence, value))| RowVersion {
            key: key.clone(),
            sequence: *sequence,
            value: value.clone(),
        });
        rows.sources.push(MergeInput { cursor: None, versions: versions.collect() });
        for table in tables.iter().filter(|table| overlaps(table, &first, &end)) {
            let start = match &first {
                Bound::Included(key) | Bound::Excluded(key) => table.seek(key),
                Bound::Unbounded => None,
            };
            let cursor = Cursor { table: Arc::clone(table), start, last_key: None };
            rows.sources.push(MergeInput { cursor: Some(cursor), versions: VecDeque::new() });
        }
        for source in 0..rows.sources.len() {
            rows.fill(source, &first);
        }
        rows
    }

    /// Puts the next version of a source into the heap.
    fn fill(&mut self, number: usize, first: &Bound<Vec<u8>>) {
        let Some(source) = self.sources.get_mut(number) else { return };
        loop {
            while let Some(version) = source.versions.front() {
                if is_from(first, &version.key) {
                    self.heap.push(Reverse((version.key.clone(), Reverse(version.sequence), number)));
                    return;
                }
                source.versions.pop_front();
            }
            match source.cursor.as_mut().and_then(Cursor::read) {
                None => return,
                Some(Ok(versions)) => source.versions = versions.into(),
                Some(Err(error)) => self.errors.push_back(error),
            }
        }
    }

    fn next_version(&mut self) -> Option<RowVersion> {
        let Reverse((_, _, number)) = self.heap.pop()?;
        let version = self.sources.get_mut(number)?.versions.pop_front();
        self.fill(number, &Bound::Unbounded);
        version
    }
}

impl Iterator for MergedRows {
    type Item = Result<RowVersion, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(error) = self.errors.pop_front() {
            return Some(Err(error));
        }
        let newest = self.next_version()?;
        if !is_before(&newest.key, &self.end) {
            self.heap.clear();
            return None;
        }
        while self.heap.peek().is_some_and(|Reverse((key, ..))| *key == newest.key) {
            self.next_version();
        }
        Some(Ok(newest))
    }
}

impl Cursor {
    /// The versions of the next block; `None` at the end of the table.
    fn read(&mut self) -> Option<Result<Vec<RowVersion>, StoreError>> {
        let part = self.table.rows_from(self.start, self.last_key.take()).next()?;
        match part {
            Ok(RowPart::Rows { bytes, versions }) => {
                self.start = Some(bytes.end);
                self.last_key = versions.last().map(|version| version.key.clone());
                Some(Ok(versions))
            }
            Ok(RowPart::Gap { bytes, keys }) => {
                self.start = Some(self.table.behind(&bytes));
                self.last_key = keys.from;
                Some(Err(self.table.damaged(bytes)))
            }
            Err(error) => {
                self.start = Some(OpenTable::END);
                Some(Err(super::fault::unreadable(&self.table.path)(error)))
            }
        }
    }
}

fn overlaps(table: &OpenTable, first: &Bound<Vec<u8>>, end: &Bound<Vec<u8>>) -> bool {
    let Some(properties) = &table.properties else { return true };
    is_from(first, &properties.last_key) && is_before(&properties.first_key, end)
}

fn is_from(first: &Bound<Vec<u8>>, key: &[u8]) -> bool {
    match first {
        Bound::Included(first) => key >= first.as_slice(),
        Bound::Excluded(first) => key > first.as_slice(),
        Bound::Unbounded => true,
    }
}

fn is_before(key: &[u8], end: &Bound<Vec<u8>>) -> bool {
    match end {
        Bound::Included(end) => key <= end.as_slice(),
        Bound::Excluded(end) => key < end.as_slice(),
        Bound::Unbounded => true,
    }
}
