//! The blocks of a part of a table, one after the other, also behind damage.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;

use super::block::{Block, BlockHeader, BlockKind, HEADER_LENGTH, MAGIC};

/// What lies at a position.
pub(super) enum Part {
    Block { range: Range<u64>, kind: BlockKind, data: Vec<u8> },
    Damaged(Range<u64>),
}

/// Goes through the blocks of a range of bytes.
pub(super) struct Walk<'a> {
    file: &'a File,
    rest: Range<u64>,
    /// Where blocks begin, as far as it is known: the search for the next one after damage does not take the bytes of a
    /// value for a block.
    starts: &'a [u64],
}

impl<'a> Walk<'a> {
    pub(super) fn new(file: &'a File, range: Range<u64>, starts: &'a [u64]) -> Self {
        Self { file, rest: range, starts }
    }

    fn next_part(&mut self) -> io::Result<Part> {
        let start = self.rest.start;
        let length = (self.rest.end - start).min(HEADER_LENGTH as u64);
        let header = BlockHeader::parse(&readable(read_range(self.file, start..start + length))?);
        let body = header.and_then(|header| {
            let body = start + HEADER_LENGTH as u64;
            let end = body.checked_add(header.length as u64)?;
            (end <= self.rest.end).then_some((header, body..end))
        });
        if let Some((header, body)) = body {
            let range = start..body.end;
            let data = readable(read_range(self.file, body))?;
            self.rest.start = range.end;
            return Ok(if header.matches(&data) {
                Part::Block { range, kind: header.kind, data }
            } else {
                Part::Damaged(range)
            });
        }
        self.rest.start = self.next_start(start)?;
        Ok(Part::Damaged(start..self.rest.start))
    }

    /// The next block after a damaged header; the end if there is none.
    fn next_start(&self, after: u64) -> io::Result<u64> {
        if let Some(start) = self.starts.iter().find(|start| **start > after) {
            return Ok((*start).min(self.rest.end));
        }
        if !self.starts.is_empty() {
            return Ok(self.rest.end);
        }
        let bytes = readable(read_range(self.file, after + 1..self.rest.end))?;
        let found = bytes
            .windows(MAGIC.len())
            .enumerate()
            .filter(|(_, window)| *window == MAGIC)
            .find(|(at, _)| bytes.get(*at..).and_then(Block::parse).is_some());
        Ok(found.map_or(self.rest.end, |(at, _)| after + 1 + at as u64))
    }
}

impl Iterator for Walk<'_> {
    type Item = io::Result<Part>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let part = self.next_part();
        if part.is_err() {
            self.rest.start = self.rest.end;
        }
        Some(part)
    }
}

/// Nothing where the disk cannot read its own bytes (EIO): they are damaged like others that are not what was written.
fn readable(bytes: io::Result<Vec<u8>>) -> io::Result<Vec<u8>> {
    const EIO: i32 = 5;
    match bytes {
        Err(error) if error.raw_os_error() == Some(EIO) => Ok(Vec::new()),
        bytes => bytes,
    }
}

/// Some bytes of a file.
pub(super) fn read_range(file: &File, range: Range<u64>) -> io::Result<Vec<u8>> {
    let length = range.end.saturating_sub(range.start);
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
    file.read_exact_at(&mut bytes, range.start)?;
    Ok(bytes)
}
