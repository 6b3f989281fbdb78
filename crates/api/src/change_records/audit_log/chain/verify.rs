//! Compares the log with its chain.

use std::collections::{HashMap, HashSet};

use keyfold_dynamo::Attributes;
use keyfold_runtime::timestamp;

use super::leaf::fixed_values;
use super::seal::{PartDigest, SEALED_WITHIN_MINUTES};
use super::segment::{Part, StoredSegment};
use super::{ERASED, SEGMENTS};
use crate::change_records::ChangeRecordError;
use crate::change_records::record_item::{expires, key_text, text};
use crate::change_records::record_table::{Items, RecordTable};
use crate::change_records::table::{AUDIT_PREFIX, PARTITION, SORT};

/// Entries that are older and not sealed are reported. It is more than twice the age at which servers seal them.
const OVERDUE_MS: u64 = 60 * 60 * 1000;
const _: () = assert!(OVERDUE_MS > 2 * SEALED_WITHIN_MINUTES * 60 * 1000);

/// A segment and its hash: all entries before it are as they were if the chain still has this segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainHead {
    pub number: u64,
    pub hash: String,
}

/// What is wrong with the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChainFinding {
    #[error("segment {number} is missing")]
    SegmentMissing { number: u64 },
    #[error("the segments before {number} are missing, and have not expired")]
    BeginningMissing { number: u64 },
    #[error("segment {number} was changed")]
    SegmentChanged { number: u64 },
    #[error("not a segment: {key}")]
    NotSegment { key: String },
    #[error("the chain has no segment {} with the hash {}: it was rewritten or cut off", .0.number, .0.hash)]
    HeadMissing(ChainHead),
    #[error("{log}, from {from} to {to}: {sealed} entries were sealed in segment {number}, {found} are there")]
    EntriesMissing { log: String, number: u64, from: String, to: String, sealed: u64, found: u64 },
    #[error("{log}, from {from} to {to}: the entries differ from those that were sealed in segment {number}")]
    EntriesChanged { log: String, number: u64, from: String, to: String },
    #[error("{log}: the entry {key} is in no segment, although its time was sealed")]
    EntryAdded { log: String, key: String },
    #[error(
        "{log}: the entry {key} does not say when it expires: no server writes such an entry, and none can be sealed"
    )]
    NoExpiry { log: String, key: String },
    #[error("{log}: the entry {key} says that a person was erased from it, and no such erasure is recorded")]
    FalseErasure { log: String, key: String },
    #[error(
        "{count} entries since {since} are not sealed: the server seals them within {} minutes while it runs",
        SEALED_WITHIN_MINUTES
    )]
    Unsealed { count: u64, since: String },
}

/// What a verification found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChainReport {
    pub findings: Vec<ChainFinding>,
    pub segments: u64,
    /// The entries that are as they were sealed.
    pub sealed: u64,
    /// The entries that are too young to be sealed.
    pub unsealed: u64,
    /// The entries from which a person was erased, as they say.
    pub erased: u64,
    /// The last segment.
    pub head: Option<ChainHead>,
}

/// A part of a segment, while the entries of its partition are read.
struct PartCheck {
    number: u64,
    part: Part,
    to: String,
    digest: PartDigest,
}

impl RecordTable {
    /// Reads all segments and all entries. `known` is a segment that was noted elsewhere, `erasures` are the pseudonyms
    /// of all persons who were erased, where they are known.
    pub async fn verify(
        &self,
        known: Option<&ChainHead>,
        erasures: Option<&HashSet<String>>,
    ) -> Result<ChainReport, ChangeRecordError> {
        let now = self.clock.now_ms();
        let mut chain = Chain::default();
        let mut add = |item: Attributes| {
            chain.add(&item, known);
            Ok(())
        };
        self.read(Items::Between { partition: SEGMENTS, from: "0", to: ":" }, None, &mut add).await?;
        let mut report = chain.report(now / 1000, known);
        let mut log = LogCheck { chain, erasures, partition: None, oldest_unsealed: None, report: &mut report, now };
        let mut check = |item: Attributes| log.add(&item);
        self.read(Items::Scanned(AUDIT_PREFIX), None, &mut check).await?;
        log.finish(timestamp(now.saturating_sub(OVERDUE_MS))?);
        Ok(report)
    }
}

/// The segments, in the order of their numbers.
#[derive(Default)]
struct Chain {
    findings: Vec<ChainFinding>,
    segments: u64,
    first_previous_expires: Option<(u64, u64)>,
    last: Option<StoredSegment>,
    has_known: bool,
    /// Entries before this time are sealed.
    sealed_until: String,
    /// By partition.
    parts: HashMap<String, Vec<PartCheck>>,
}

impl Chain {
    fn add(&mut self, item: &Attributes, known: Option<&ChainHead>) {
        let Some(stored) = StoredSegment::read(item) else {
            self.findings.push(ChainFinding::NotSegment { key: key_text(item) });
            return;
        };
        self.segments += 1;
        let segment = &stored.segment;
        let number = segment.number;
        match &self.last {
            None => self.first_previous_expires = Some((number, segment.previous_expires)),
            Some(last) => {
                let missing = (last.segment.number + 1..number).take(100);
                self.findings.extend(missing.map(|number| ChainFinding::SegmentMissing { number }));
            }
        }
        let follows = self.last.as_ref().is_none_or(|last| {
            last.segment.number + 1 != number
                || last.hash == segment.previous && last.segment.expires == segment.previous_expires
        });
        if !stored.is_intact || !follows {
            self.findings.push(ChainFinding::SegmentChanged { number });
        }
        self.has_known |= known.is_some_and(|known| known.number == number && known.hash == stored.hash);
        if segment.is_last && segment.to > self.sealed_until {
            self.sealed_until.clone_from(&segment.to);
        }
        for part in &segment.parts {
            let check = PartCheck { number, part: part.clone(), to: segment.to.clone(), digest: PartDigest::default() };
            self.parts.entry(part.partition.clone()).or_default().push(check);
        }
        self.last = Some(stored);
    }

    /// What the segments alone show.
    fn report(&mut self, now_seconds: u64, known: Option<&ChainHead>) -> ChainReport {
        let mut findings = std::mem::take(&mut self.findings);
        if let Some((number, expires)) = self.first_previous_expires
            && number > 0
            && expires > now_seconds
        {
            findings.insert(0, ChainFinding::BeginningMissing { number });
        }
        findings.extend(known.filter(|_| !self.has_known).cloned().map(ChainFinding::HeadMissing));
        let head = self.last.as_ref();
        let head = head.map(|last| ChainHead { number: last.segment.number, hash: last.hash.clone() });
        ChainReport { findings, segments: self.segments, head, ..ChainReport::default() }
    }
}

/// The entries, partition by partition.
struct LogCheck<'r> {
    chain: Chain,
    erasures: Option<&'r HashSet<String>>,
    /// The partition that is being read, with its parts.
    partition: Option<(String, Vec<PartCheck>)>,
    oldest_unsealed: Option<String>,
    report: &'r mut ChainReport,
    now: u64,
}

impl LogCheck<'_> {
    fn add(&mut self, entry: &Attributes) -> Result<(), ChangeRecordError> {
        let (partition, sort) = (text(entry, PARTITION)?, text(entry, SORT)?);
        self.check_erasure(entry, partition, sort);
        if self.partition.as_ref().is_none_or(|(current, _)| current != partition) {
            self.finish_partition();
            // Parts are in the order of their periods, but for one that was sealed again from the beginning.
            let parts = self.chain.parts.remove(partition).unwrap_or_default();
            self.partition = Some((partition.to_owned(), parts));
        }
        let Some((_, parts)) = &mut self.partition else { return Ok(()) };
        let mut is_sealed = false;
        let first = parts.partition_point(|check| check.to.as_str() <= sort);
        for check in parts.iter_mut().skip(first).filter(|check| check.part.from.as_str() <= sort) {
            check.digest.add(entry);
            is_sealed = true;
        }
        let expires = expires(entry);
        if expires.is_err() {
            let (log, key) = (log_name(partition), sort.to_owned());
            self.report.findings.push(ChainFinding::NoExpiry { log, key });
        }
        // The table may be slow to remove expired entries, and no longer have their segments.
        if is_sealed || expires.is_ok_and(|expires| expires <= self.now / 1000) {
            return Ok(());
        }
        if sort < self.chain.sealed_until.as_str() {
            let (log, key) = (log_name(partition), sort.to_owned());
            self.report.findings.push(ChainFinding::EntryAdded { log, key });
            return Ok(());
        }
        self.report.unsealed += 1;
        if self.oldest_unsealed.as_deref().is_none_or(|oldest| sort < oldest) {
            self.oldest_unsealed = Some(sort.to_owned());
        }
        Ok(())
    }

    /// The hash of an entry does not show who was replaced: that has to be recorded.
    fn check_erasure(&mut self, entry: &Attributes, partition: &str, sort: &str) {
        let is_false = |value: Option<&str>| match (value.and_then(|value| value.strip_prefix(ERASED)), self.erasures) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(pseudonym), Some(known)) => !known.contains(pseudonym),
        };
        let mut fixed = fixed_values(entry).peekable();
        self.report.erased += u64::from(fixed.peek().is_some());
        if fixed.any(is_false) {
            self.report.findings.push(ChainFinding::FalseErasure { log: log_name(partition), key: sort.to_owned() });
        }
    }

    fn finish_partition(&mut self) {
        for check in self.partition.take().into_iter().flat_map(|(_, parts)| parts) {
            self.finish_part(check);
        }
    }

    fn finish_part(&mut self, check: PartCheck) {
        let PartCheck { number, part, to, digest } = check;
        let found = digest.count;
        let (log, from) = (log_name(&part.partition), part.from);
        if found == part.count && digest.finish() == part.digest {
            self.report.sealed += found;
        } else if part.expires <= self.now / 1000 {
            // The table removes them one by one.
        } else if found == part.count {
            self.report.findings.push(ChainFinding::EntriesChanged { log, number, from, to });
        } else {
            let sealed = part.count;
            self.report.findings.push(ChainFinding::EntriesMissing { log, number, from, to, sealed, found });
        }
    }

    /// `overdue` is the time before which entries are sealed.
    fn finish(mut self, overdue: String) {
        self.finish_partition();
        // Whole partitions may be missing.
        let mut rest: Vec<_> = std::mem::take(&mut self.chain.parts).into_iter().collect();
        rest.sort_by(|one, other| one.0.cmp(&other.0));
        for check in rest.into_iter().flat_map(|(_, parts)| parts) {
            self.finish_part(check);
        }
        if let Some(oldest) = self.oldest_unsealed.filter(|oldest| *oldest < overdue) {
            let since = oldest.split('#').next().unwrap_or_default().to_owned();
            self.report.findings.push(ChainFinding::Unsealed { count: self.report.unsealed, since });
        }
    }
}

/// The log of a partition, for people.
fn log_name(partition: &str) -> String {
    match partition.strip_prefix(AUDIT_PREFIX).and_then(|rest| rest.split_once('#')) {
        Some((design, "")) => format!("design {design}, no tenant"),
        Some((design, tenant)) => format!("design {design}, tenant {tenant}"),
        None => partition.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_states_when_entries_are_sealed() {
        let stated = format!("the last {SEALED_WITHIN_MINUTES} minutes at most");
        for page in ["audit.md", "security.md"] {
            let text = std::fs::read_to_string(format!("{}/../../docs/{page}", env!("CARGO_MANIFEST_DIR"))).unwrap();
            assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(&stated), "{page}: {stated}");
        }
    }
}
