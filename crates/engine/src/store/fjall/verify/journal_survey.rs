//! All readable commits of all journals, and what lies between them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;

use super::commit::{JournalCommit, RowChange};
use super::commit_search::TooManyCandidates;
use super::data_block::RowVersion;
use super::fault::{Fault, unreadable};
use super::folder::{Journal, journal_name};
use super::journal_end::KnownCommits;
use super::journals::without_zeros;
use crate::store::StoreError;
use crate::store::fjall::commit_mark::{self, CommitMark};

/// The commits of the journals.
#[derive(Default)]
pub(crate) struct JournalSurvey {
    /// The changes that are wanted, oldest first.
    pub versions: Vec<RowVersion>,
    pub holes: Vec<Hole>,
    pub faults: Vec<StoreError>,
    /// The sequence number of the first whole commit.
    pub first_sequence: Option<u64>,
    /// The highest number of a commit; `None` if none has one.
    pub last_number: Option<u64>,
    /// From this sequence number on, every commit is there; `None` if not even the last one is.
    pub complete_from: Option<u64>,
    /// Why a loss of power cannot have left the end of the newest journal.
    end: Option<Fault>,
}

/// Commits that are lost: damaged bytes, or a missing journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hole {
    pub journal: PathBuf,
    /// `None` if the journal is missing.
    pub bytes: Option<Range<u64>>,
    /// The sequence number of the last commit before the hole.
    pub before: Option<u64>,
    /// The sequence number of the first commit behind it; `None` if none is.
    pub behind: Option<u64>,
}

impl Hole {
    /// Whether a fault is about the same bytes, or the same missing journal.
    pub(crate) fn is_cause_of(&self, fault: &StoreError) -> bool {
        matches!(fault, StoreError::Corrupt { file, range, .. } if file.as_ref() == Some(&self.journal) && *range == self.bytes)
    }
}

/// Where a whole commit lies, with the sequence number that it says it has.
struct CommitPosition {
    journal: usize,
    bytes: Range<usize>,
    sequence: u64,
    /// `None` in commits of versions of the engine that did not number them.
    mark: Option<CommitMark>,
}

/// Where commits are lost: how many whole ones are before, the journal, and the damaged bytes; `None` if the commits
/// are missing.
type Break = (usize, PathBuf, Option<Range<u64>>);

/// Reads all journals, oldest first, and keeps the changes of a keyspace that are `wanted` by their sequence number and
/// key. Each journal is read twice, so that one at a time is held.
pub(super) fn survey(
    journals: &[Journal],
    known: &KnownCommits,
    keyspace: u64,
    wanted: &dyn Fn(u64, &[u8]) -> bool,
) -> JournalSurvey {
    let mut survey = JournalSurvey::default();
    let (mut positions, mut breaks): (Vec<CommitPosition>, Vec<Break>) = (Vec::new(), Vec::new());
    let mut expected = journals.first().map_or(0, |journal| journal.number);
    for (number, journal) in journals.iter().enumerate() {
        if expected < journal.number {
            let path = journal.path.with_file_name(journal_name(expected));
            survey.faults.push(Fault::missing_journals(expected..journal.number).of_file(&path));
            breaks.push((positions.len(), path, None));
        }
        expected = journal.number.saturating_add(1);
        match journal.read() {
            Ok(bytes) => {
                let mut end = None;
                let on_hole = |at, hole: Range<u64>| {
                    end = Some(hole.clone());
                    breaks.push((at, journal.path.clone(), Some(hole)));
                };
                let searched = read(&bytes, number, known, &mut positions, on_hole);
                survey.end = end.and_then(|hole| {
                    let judged = verify_rest(known, &positions, &bytes, hole);
                    searched.map_err(|TooManyCandidates| Fault::Unsearchable).and(judged).err()
                });
            }
            Err(error) => {
                survey.faults.push(unreadable(&journal.path)(error));
                breaks.push((positions.len(), journal.path.clone(), None));
            }
        }
    }
    survey.add_gaps(journals, &positions, &mut breaks);
    let sequences = true_sequences(&positions);
    for (number, journal) in journals.iter().enumerate() {
        let commits = positions.iter().zip(&sequences).filter(|(position, _)| position.journal == number);
        let bytes = journal.read().unwrap_or_default();
        for (position, sequence) in commits {
            survey.add_commit(journal, &bytes, position, *sequence, |change| {
                change.keyspace == keyspace && wanted(*sequence, change.key)
            });
        }
    }
    let last_break = breaks.iter().map(|(at, ..)| *at).max().unwrap_or(0);
    survey.complete_from = sequences.get(last_break).copied();
    survey.first_sequence = sequences.first().copied();
    for (at, journal, bytes) in breaks {
        let is_newest = journals.last().is_some_and(|newest| newest.path == journal);
        survey.add_hole(at, journal, bytes, &sequences, is_newest);
    }
    survey
}

impl JournalSurvey {
    fn add_commit(
        &mut self,
        journal: &Journal,
        bytes: &[u8],
        position: &CommitPosition,
        sequence: u64,
        is_wanted: impl Fn(&RowChange<'_>) -> bool,
    ) {
        let commit = bytes.get(position.bytes.clone()).and_then(JournalCommit::parse);
        let changes = commit.map(|commit| commit.changes).unwrap_or_default();
        self.last_number = self.last_number.max(position.mark.map(|mark| mark.number));
        self.versions.extend(changes.iter().filter(|change| is_wanted(change)).map(|change| RowVersion {
            key: change.key.to_vec(),
            sequence,
            value: change.value.map(<[u8]>::to_vec),
        }));
        if sequence != position.sequence {
            let fault = Fault::SequenceNumber { found: position.sequence, before: sequence.saturating_sub(1) };
            self.faults.push(fault.at(&journal.path, position.bytes.start as u64..position.bytes.end as u64));
        }
    }

    /// Commits are numbered without a gap. Where one does not follow the one before, commits are missing, or the
    /// journals are in the wrong order: then any commit may be.
    fn add_gaps(&mut self, journals: &[Journal], positions: &[CommitPosition], breaks: &mut Vec<Break>) {
        for (before, pair) in positions.windows(2).enumerate() {
            let [CommitPosition { mark: Some(older), .. }, newer] = pair else { continue };
            let number = newer.mark.map(|mark| mark.number);
            let is_known = breaks.iter().any(|(at, ..)| *at == before + 1);
            let is_later = number.is_some_and(|number| number > older.number);
            if number == older.number.checked_add(1) || is_known && is_later {
                continue;
            }
            let Some(journal) = journals.get(newer.journal) else { continue };
            let fault = Fault::Gap { before: older.number, found: number };
            self.faults.push(fault.at(&journal.path, newer.bytes.start as u64..newer.bytes.end as u64));
            let at = if is_later { before + 1 } else { positions.len() };
            breaks.push((at, journal.path.clone(), None));
        }
    }

    /// A hole behind the first `at` commits.
    fn add_hole(&mut self, at: usize, journal: PathBuf, bytes: Option<Range<u64>>, sequences: &[u64], is_newest: bool) {
        let before = at.checked_sub(1).and_then(|before| sequences.get(before)).copied();
        let behind = sequences.get(at).copied();
        if let Some(bytes) = &bytes {
            let fault = match (sequences.len().saturating_sub(at) as u64, is_newest) {
                (0, true) => self.end.clone().unwrap_or(Fault::LastCommit),
                (0, false) => Fault::SealedJournal,
                (behind, _) => Fault::Commit { behind },
            };
            self.faults.push(fault.at(&journal, bytes.clone()));
        }
        self.holes.push(Hole { journal, bytes, before, behind });
    }
}

/// Judges the last hole of the newest journal.
fn verify_rest(known: &KnownCommits, found: &[CommitPosition], bytes: &[u8], hole: Range<u64>) -> Result<(), Fault> {
    let number = found.last().and_then(|last| last.mark).map(|mark| mark.number);
    known.verify_rest(number, bytes.get(hole.start as usize..hole.end as usize).unwrap_or_default())
}

/// Finds the whole commits of a journal; `on_hole` gets the number of commits before a hole, and its bytes. Where
/// values imitate commits, the last hole takes in whole commits that cannot be found.
fn read(
    bytes: &[u8],
    journal: usize,
    known: &KnownCommits,
    positions: &mut Vec<CommitPosition>,
    mut on_hole: impl FnMut(usize, Range<u64>),
) -> Result<(), TooManyCandidates> {
    let mut at = 0;
    loop {
        while let Some(commit) = bytes.get(at..).and_then(JournalCommit::parse) {
            let (sequence, mark) = (commit.sequence, mark_of(&commit));
            positions.push(CommitPosition { journal, bytes: at..at + commit.length, sequence, mark });
            at += commit.length;
        }
        let rest = without_zeros(bytes.get(at..).unwrap_or_default());
        if rest.is_empty() {
            return Ok(());
        }
        // The last number may be wrong itself: then the one before it tells commits from values.
        let newest = |back: usize| positions.iter().rev().nth(back).map(|position| position.sequence);
        let before = positions.iter().rev().find_map(|position| position.mark);
        let find_above = |sequence: Option<u64>| {
            JournalCommit::find_after(rest, known.recognition(before), |commit| {
                let is_newer = sequence.is_none_or(|sequence| commit.sequence > sequence);
                is_newer && known.may_follow(before, mark_of(commit))
            })
        };
        let next = match (find_above(newest(0)), newest(1)) {
            (Ok(None), Some(sequence)) => find_above(Some(sequence)),
            (found, _) => found,
        };
        let length = match &next {
            Ok(Some((length, _))) => *length,
            _ => rest.len(),
        };
        on_hole(positions.len(), at as u64..(at + length) as u64);
        if next?.is_none() {
            return Ok(());
        }
        at += length;
    }
}

fn mark_of(commit: &JournalCommit<'_>) -> Option<CommitMark> {
    let first = commit.changes.first().filter(|change| change.key == commit_mark::KEY);
    first.and_then(|change| change.value).and_then(CommitMark::decode)
}

/// The sequence numbers of commits, each replaced where it is wrong. The mark of a commit bounds its own and that of
/// the one before.
fn true_sequences(positions: &[CommitPosition]) -> Vec<u64> {
    let floors: BTreeMap<u64, u64> =
        positions.iter().filter_map(|position| position.mark).map(|mark| (mark.number, mark.floor)).collect();
    let unnumbered: Vec<u64> =
        positions.iter().filter(|position| position.mark.is_none()).map(|position| position.sequence).collect();
    let mut unnumbered = repaired_sequences(&unnumbered).into_iter();
    let sequence = |position: &CommitPosition| match position.mark {
        Some(mark) => {
            let next = mark.number.checked_add(1).and_then(|next| floors.get(&next));
            let fits = position.sequence >= mark.floor && next.is_none_or(|next| position.sequence < *next);
            if fits { position.sequence } else { mark.floor }
        }
        None => unnumbered.next().unwrap_or(position.sequence),
    };
    positions.iter().map(sequence).collect()
}

/// Sequence numbers increase from commit to commit, so that one that does not fit is wrong. Its commit is just older
/// than the one behind it.
fn repaired_sequences(sequences: &[u64]) -> Vec<u64> {
    let kept = increasing(sequences);
    let mut repaired = sequences.to_vec();
    let mut behind: Option<u64> = None;
    for (number, sequence) in repaired.iter_mut().enumerate().rev() {
        if kept.binary_search(&number).is_err() {
            let before = kept.iter().rev().find(|kept| **kept < number).and_then(|kept| sequences.get(*kept));
            *sequence = match (behind, before) {
                (Some(behind), _) => behind.saturating_sub(1),
                (None, Some(before)) => before.saturating_add(1),
                (None, None) => *sequence,
            };
        }
        behind = Some(*sequence);
    }
    repaired
}

/// The positions of a longest increasing subsequence.
fn increasing(values: &[u64]) -> Vec<usize> {
    // The last position of the best subsequence of each length, and the position before each in its subsequence.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(values.len());
    for (number, value) in values.iter().enumerate() {
        let length = ends.partition_point(|end| values.get(*end).is_some_and(|end| end < value));
        previous.push(length.checked_sub(1).and_then(|shorter| ends.get(shorter)).copied());
        match ends.get_mut(length) {
            Some(end) => *end = number,
            None => ends.push(number),
        }
    }
    let mut chain = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(number) = next {
        chain.push(number);
        next = previous.get(number).copied().flatten();
    }
    chain.reverse();
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_number_that_does_not_fit_is_replaced() {
        assert_eq!(repaired_sequences(&[1, 2, 3, 5]), [1, 2, 3, 5]);
        assert_eq!(repaired_sequences(&[1, 2, 900, 5, 6]), [1, 2, 4, 5, 6]);
        assert_eq!(repaired_sequences(&[4, 5, 0, 8]), [4, 5, 7, 8]);
        assert_eq!(repaired_sequences(&[4, 5, 6, 1]), [4, 5, 6, 7]);
    }
}
