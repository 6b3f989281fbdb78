//! Whole tables with a wrong checksum in the list of tables.
//!
//! The store adds every buffer to the checksum before it writes it. If the disk takes only a part of a buffer (a short
//! write, as on a disk that is full for an instant), the store writes the rest as another buffer, and adds it to the
//! checksum again. Only blocks of more than 64 KiB are such buffers; what is smaller goes through one that is not part
//! of the checksum.
//!
//! The checksum is then that of this very file with the rest of a block counted twice, which proves more than whole
//! blocks do: it is the file that the list names, and not an older one or that of another folder.

use std::ops::{ControlFlow, Range};

use xxhash_rust::xxh3::Xxh3Default;

use crate::store::OnRead;

/// The buffer of the store: what is at least as long is written directly.
pub(super) const DIRECT_BYTES: u64 = 65_535;
/// Short writes end where a page of the file does.
const PAGE_BYTES: u64 = 4096;
/// The most that some file systems take at once is a power of two from here on.
const LOWEST_CAP: u32 = PAGE_BYTES.ilog2();
const HIGHEST_CAP: u32 = 30;
/// Hashing bytes in memory takes about this part of the time that reading them from a disk does.
const HASHED_PER_READ: u64 = 256;

/// How much of a buffer the disk takes at once.
#[derive(Clone, Copy)]
enum Rule {
    /// At most so many bytes.
    Cap(u64),
    /// Half of it, as tests on disks that fail to order do.
    Half,
}

impl Rule {
    fn taken(self, length: u64) -> u64 {
        match self {
            Self::Cap(most) => most.min(length),
            Self::Half => length / 2,
        }
    }
}

/// A table file whose bytes are in memory.
pub(super) struct WrittenTable<'a> {
    pub bytes: &'a [u8],
    /// The data of the blocks that were written directly, in the order of the file.
    pub writes: &'a [Range<u64>],
    /// Of the whole file, as the list of tables has it.
    pub recorded: u128,
}

impl WrittenTable<'_> {
    /// Whether short writes explain the recorded checksum; `None` if the search was ended. Several short writes of one
    /// table are found only if the disk cut all its large writes by the same rule.
    pub(super) fn is_explained(&self, on_read: &mut OnRead<'_>) -> Option<bool> {
        if self.writes.is_empty() {
            return Some(false);
        }
        let caps = (LOWEST_CAP..=HIGHEST_CAP).map(|power| Rule::Cap(1 << power));
        for rule in caps.chain([Rule::Half]) {
            let found = self.checksum_by(rule);
            self.pause(self.bytes.len() as u64, on_read)?;
            if found == self.recorded {
                return Some(true);
            }
        }
        self.is_explained_by_one(on_read)
    }

    /// The checksum if all writes were cut by the same rule.
    fn checksum_by(&self, rule: Rule) -> u128 {
        let (mut hasher, mut hashed) = (Xxh3Default::new(), 0);
        for write in self.writes {
            hasher.update(self.slice(hashed..write.end));
            hashed = write.end;
            let mut start = write.start;
            // A rest that is shorter than the buffer is written as a whole.
            while write.end - start >= DIRECT_BYTES && rule.taken(write.end - start) < write.end - start {
                start += rule.taken(write.end - start);
                hasher.update(self.slice(start..write.end));
            }
        }
        hasher.update(self.slice(hashed..self.bytes.len() as u64));
        hasher.digest128()
    }

    fn is_explained_by_one(&self, on_read: &mut OnRead<'_>) -> Option<bool> {
        let (mut before, mut hashed) = (Xxh3Default::new(), 0);
        let end = self.bytes.len() as u64;
        for write in self.writes {
            before.update(self.slice(hashed..write.end));
            hashed = write.end;
            let half = write.start + Rule::Half.taken(write.end - write.start);
            let first_page = (write.start / PAGE_BYTES + 1) * PAGE_BYTES;
            let pages = (first_page..write.end).step_by(PAGE_BYTES as usize);
            for start in pages.chain([half]) {
                let mut hasher = before.clone();
                hasher.update(self.slice(start..write.end));
                hasher.update(self.slice(write.end..end));
                if hasher.digest128() == self.recorded {
                    return Some(true);
                }
                self.pause(end - start, on_read)?;
            }
        }
        Some(false)
    }

    /// Lets others work, at the rate of a reader.
    fn pause(&self, hashed: u64, on_read: &mut OnRead<'_>) -> Option<()> {
        match on_read(hashed / HASHED_PER_READ) {
            ControlFlow::Continue(()) => Some(()),
            ControlFlow::Break(()) => None,
        }
    }

    fn slice(&self, range: Range<u64>) -> &[u8] {
        let position = |at: u64| usize::try_from(at).unwrap_or(usize::MAX);
        self.bytes.get(position(range.start)..position(range.end)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, BufWriter, Write};

    use super::*;

    /// A file that takes only a part of some writes.
    struct Disk<F> {
        taken: F,
        bytes: Vec<u8>,
    }

    impl<F: FnMut(u64, u64) -> u64> Write for Disk<F> {
        fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
            let taken = (self.taken)(self.bytes.len() as u64, buffer.len() as u64) as usize;
            self.bytes.extend_from_slice(&buffer[..taken]);
            Ok(taken)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Adds to the checksum before it writes, as the store does.
    struct Hashing<W> {
        inner: W,
        hasher: Xxh3Default,
    }

    impl<W: Write> Write for Hashing<W> {
        fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
            self.hasher.update(buffer);
            self.inner.write(buffer)
        }

        fn flush(&mut self) -> io::Result<()> {
            self.inner.flush()
        }
    }

    const LENGTHS: [usize; 5] = [200_001, 3000, 70_000, 65_000, 400_000];

    /// A table of large and small blocks on such a disk: its bytes, its large writes, and the checksum.
    fn write(taken: impl FnMut(u64, u64) -> u64) -> (Vec<u8>, Vec<Range<u64>>, u128) {
        let disk = BufWriter::with_capacity(DIRECT_BYTES as usize, Disk { taken, bytes: Vec::new() });
        let mut writer = Hashing { inner: disk, hasher: Xxh3Default::new() };
        let (mut position, mut writes) = (0, Vec::new());
        for (number, length) in LENGTHS.into_iter().enumerate() {
            writer.write_all(&[number as u8; 33]).unwrap();
            let data: Vec<u8> = (0..length).map(|at| (at / 251 * (number + 3) % 256) as u8).collect();
            writer.write_all(&data).unwrap();
            let start = position + 33;
            position = start + length as u64;
            if length as u64 >= DIRECT_BYTES {
                writes.push(start..position);
            }
        }
        writer.flush().unwrap();
        let checksum = writer.hasher.digest128();
        (writer.inner.get_ref().bytes.clone(), writes, checksum)
    }

    fn is_explained(bytes: &[u8], writes: &[Range<u64>], recorded: u128) -> bool {
        WrittenTable { bytes, writes, recorded }.is_explained(&mut |_| ControlFlow::Continue(())).unwrap()
    }

    fn assert_explained(what: &str, taken: impl FnMut(u64, u64) -> u64) {
        let (bytes, writes, recorded) = write(taken);
        assert_ne!(xxhash_rust::xxh3::xxh3_128(&bytes), recorded, "{what}");
        assert!(is_explained(&bytes, &writes, recorded), "{what}");
        for at in [0, 33, 100_000, bytes.len() - 1] {
            let mut other = bytes.clone();
            other[at] ^= 1;
            assert!(!is_explained(&other, &writes, recorded), "{what}: byte {at}");
        }
    }

    #[test]
    fn short_writes_explain_the_checksum_of_their_file_alone() {
        assert_explained("at the end of a page", |position, length| match length {
            400_000 => (position + 150_000) / PAGE_BYTES * PAGE_BYTES - position,
            _ => length,
        });
        assert_explained("the first one by half", |_, length| if length == 200_001 { length / 2 } else { length });
        assert_explained("all by half", |_, length| (length / 2).max(1));
        assert_explained("all to 16 KiB", |_, length| length.min(1 << 14));
    }

    #[test]
    fn tables_of_small_blocks_have_no_excuse() {
        let (bytes, _, recorded) = write(|_, length| length);
        assert!(!is_explained(&bytes, &[], recorded ^ 1));
    }

    #[test]
    fn the_search_can_be_ended() {
        let (bytes, writes, recorded) = write(|_, length| length);
        let table = WrittenTable { bytes: &bytes, writes: &writes, recorded: recorded ^ 1 };
        assert_eq!(table.is_explained(&mut |_| ControlFlow::Break(())), None);
    }
}
