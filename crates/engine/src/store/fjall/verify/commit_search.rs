//! The search for the whole commits behind a damaged one. What lies between them may hold values, and whoever may write
//! items can store bytes that look like a commit, or like the beginnings of a million of them.

use super::commit_format::{self, MARK_POSITION};

/// How commits are told from values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Recognition {
    /// By the identity of the folder, which every commit carries, and which clients do not know.
    Identity(u64),
    /// By their structure alone: the identity is not known, or commits need not carry it.
    Structure,
}

/// Too many places look like the beginning of a commit, so that nobody knows whether one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooManyCandidates;

/// By structure, each place that looks like the beginning of a commit is read up to where it stops to look like one.
/// Values can make that quadratic: this is how many times the bytes are read in all.
const MOST_READINGS: usize = 64;

/// The first whole commit behind a damaged one that begins with `bytes`, and its position. `is_genuine` tells it from a
/// value that looks like a commit.
pub(super) fn find<'a, C>(
    bytes: &'a [u8],
    recognition: Recognition,
    parse: impl Fn(&'a [u8]) -> Option<C>,
    is_genuine: impl Fn(&C) -> bool,
) -> Result<Option<(usize, C)>, TooManyCandidates> {
    let mut search = Search { bytes, parse, is_genuine, read: 0 };
    match recognition {
        Recognition::Identity(identity) => Ok(search.by_identity(identity)),
        Recognition::Structure => search.by_structure(),
    }
}

struct Search<'a, P, G> {
    bytes: &'a [u8],
    parse: P,
    is_genuine: G,
    /// How many bytes were read as those of commits.
    read: usize,
}

impl<'a, C, P: Fn(&'a [u8]) -> Option<C>, G: Fn(&C) -> bool> Search<'a, P, G> {
    /// Linear, because only commits hold the identity, each of them once.
    fn by_identity(&mut self, identity: u64) -> Option<(usize, C)> {
        let identity = identity.to_le_bytes();
        let places = self.bytes.windows(identity.len()).enumerate().skip(MARK_POSITION + 1);
        let mut starts = places.filter(|(_, bytes)| **bytes == identity).map(|(at, _)| at - MARK_POSITION);
        starts.find_map(|at| self.read_at(at))
    }

    fn by_structure(&mut self) -> Result<Option<(usize, C)>, TooManyCandidates> {
        let most = self.bytes.len().saturating_mul(MOST_READINGS);
        for at in 1..self.bytes.len() {
            let found = self.read_at(at);
            if found.is_some() {
                return Ok(found);
            }
            if self.read > most {
                return Err(TooManyCandidates);
            }
        }
        Ok(None)
    }

    fn read_at(&mut self, at: usize) -> Option<(usize, C)> {
        let bytes = self.bytes.get(at..)?;
        let (length, is_framed) = commit_format::readable_length(bytes);
        self.read += length;
        let commit = is_framed.then(|| (self.parse)(bytes)).flatten()?;
        (self.is_genuine)(&commit).then_some((at, commit))
    }
}

#[cfg(test)]
mod tests {
    use xxhash_rust::xxh3::xxh3_64;

    use super::super::batch::Batch;
    use super::*;
    use crate::store::fjall::commit_mark::{self, CommitMark};

    const MARKS: u64 = 2;

    fn item(keyspace: u64, key: &[u8], value: &[u8]) -> Vec<u8> {
        let lengths = [&(key.len() as u16).to_le_bytes()[..], &(value.len() as u32).to_le_bytes().repeat(2)].concat();
        [&[2, 0, 0], &keyspace.to_le_bytes()[..], &lengths, key, value].concat()
    }

    fn start(count: u32) -> Vec<u8> {
        [&[1], &count.to_le_bytes()[..], &9u64.to_le_bytes()].concat()
    }

    fn commit(identity: u64, value: &[u8]) -> Vec<u8> {
        let mark = CommitMark { identity, number: 3, ..CommitMark::default() };
        let entries = [item(MARKS, commit_mark::KEY, &mark.encode()), item(1, b"key", value)].concat();
        [&start(2), &entries, &[3][..], &xxh3_64(&entries).to_le_bytes(), b"FJL\x03"].concat()
    }

    /// Entries whose keys are beginnings of commits, each of which reaches to the end.
    fn hostile(length: usize) -> Vec<u8> {
        item(1, &start(u32::MAX), &[]).repeat(length / 34)
    }

    fn search(bytes: &[u8]) -> Search<'_, impl Fn(&[u8]) -> Option<Batch>, impl Fn(&Batch) -> bool> {
        let parse = |bytes: &[u8]| Batch::parse(bytes, Some(MARKS));
        let is_genuine = |batch: &Batch| batch.mark.is_some_and(|mark| mark.identity == 7);
        Search { bytes, parse, is_genuine, read: 0 }
    }

    #[test]
    fn values_that_look_like_commits_are_passed_by() {
        let forged = commit(8, b"forged");
        let bytes = [&[1, 2, 3], &hostile(400)[..], &forged, &commit(7, b"genuine")].concat();
        let expected = bytes.len() - commit(7, b"genuine").len();
        assert_eq!(search(&bytes).by_identity(7).map(|(at, _)| at), Some(expected));
        assert_eq!(search(&bytes).by_structure().map(|found| found.map(|(at, _)| at)), Ok(Some(expected)));
        assert_eq!(search(&bytes[..expected]).by_identity(7).map(|(at, _)| at), None);
        // The damaged commit is not behind itself.
        assert_eq!(search(&commit(7, b"genuine")).by_identity(7).map(|(at, _)| at), None);
    }

    #[test]
    fn by_identity_each_byte_is_read_once() {
        let genuine = commit(7, b"genuine");
        let bytes = [&hostile(4 << 20)[..], &genuine].concat();
        let mut search = search(&bytes);
        assert_eq!(search.by_identity(7).map(|(at, _)| at), Some(bytes.len() - genuine.len()));
        assert_eq!(search.read, genuine.len());
    }

    #[test]
    fn by_structure_the_search_ends_before_it_takes_quadratic_time() {
        let bytes = hostile(400_000);
        let mut search = search(&bytes);
        assert_eq!(search.by_structure().map(|found| found.map(|(at, _)| at)), Err(TooManyCandidates));
        assert!(search.read <= bytes.len() * (MOST_READINGS + 1), "{}", search.read);
    }
}
