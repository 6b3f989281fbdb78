//! Seals the entries of periods that have ended.

use std::time::Duration;

use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::operation::{PutItemInput, WriteOptions};
use keyfold_dynamo::{AttributeValue, Attributes, ServiceError, hexadecimal};
use keyfold_runtime::{Error, timestamp};
use sha2::{Digest, Sha256};

use super::leaf::leaf;
use super::partitions;
use super::segment::{Part, Segment, StoredSegment};
use super::{PARTITIONS, SEGMENTS};
use crate::change_records::maintenance::ROUND;
use crate::change_records::record_item::{expires, text, undecodable};
use crate::change_records::record_table::{Items, RecordTable};
use crate::change_records::table::{AUDIT_PREFIX, PARTITION, SORT};
use crate::change_records::{ChangeRecordError, ChangeRecords};

const MINUTE_MS: u64 = 60 * 1000;
/// The shortest period that is sealed.
const PERIOD_MS: u64 = 15 * MINUTE_MS;
/// A change is written within its request's timeout after the time that its entry states, and clocks of servers differ.
const GRACE_MS: u64 = 10 * MINUTE_MS;
/// The age at which every entry is sealed, while a server runs and reaches the table: each period begins with the end
/// of the one before, and is sealed in the first round of maintenance after it has ended.
pub(super) const SEALED_WITHIN_MINUTES: u64 = (PERIOD_MS + GRACE_MS + ROUND.as_secs() * 1000).div_ceil(MINUTE_MS);
/// A segment has the entries of so many tenants at most: an item has 400 KB.
const LARGEST_SEGMENT: usize = 500;
/// How long a segment is kept after its last entry, in seconds.
const KEPT_AFTER: u64 = 24 * 60 * 60;
const SEALED: &str = "sealed";

/// When this process seals next.
#[derive(Default)]
pub(in crate::change_records) struct SealSchedule {
    next_ms: u64,
}

/// A period that is to be sealed, as far as it is not.
struct Period {
    from: String,
    to: String,
    to_ms: u64,
    /// The last partition that is sealed.
    after: Option<String>,
}

/// The period after the last segment.
enum NextPeriod {
    Ended(Period),
    /// It is too short to be sealed.
    Running {
        since_ms: u64,
    },
}

impl ChangeRecords {
    /// Seals what is due. A failure is logged; the next attempt is a period later.
    pub async fn seal_if_due(&self) {
        let Some(open) = self.audit_log() else { return };
        let now = open.table.clock.now_ms();
        {
            let mut schedule = open.seal_schedule.lock();
            if now < schedule.next_ms {
                return;
            }
            schedule.next_ms = now + PERIOD_MS;
        }
        match open.table.seal().await {
            Ok(sealed_until_ms) => open.seal_schedule.lock().next_ms = sealed_until_ms + PERIOD_MS + GRACE_MS,
            Err(cause) => {
                let pause = Duration::from_millis(PERIOD_MS);
                tracing::warn!(%cause, "the audit log could not be sealed; the next attempt is in {pause:?}");
            }
        }
    }
}

impl RecordTable {
    /// Seals the entries that are old enough, and returns the time up to which the log is sealed. Several servers may
    /// do so: each segment is written by one of them.
    async fn seal(&self) -> Result<u64, ChangeRecordError> {
        let head = self.head().await?;
        if head.is_none() {
            self.find_partitions().await?;
        }
        let end_ms = self.clock.now_ms().saturating_sub(GRACE_MS) / MINUTE_MS * MINUTE_MS;
        let period = match NextPeriod::after(head.as_ref(), end_ms)? {
            NextPeriod::Ended(period) => period,
            NextPeriod::Running { since_ms } => return Ok(since_ms),
        };
        let mut segment = Segment::following(head.as_ref(), &period);
        let mut first_sealed = Vec::new();
        // Whether the period has a segment that is not its last.
        let mut is_begun = period.after.is_some();
        for (partition, is_sealed) in self.partitions(period.after.as_deref()).await? {
            let from = if is_sealed { period.from.as_str() } else { "" };
            let Some((part, expires)) = self.part(&partition, from, &period.to).await? else { continue };
            segment.expires = segment.expires.max(expires + KEPT_AFTER);
            segment.parts.push(part);
            if !is_sealed {
                first_sealed.push(partition);
            }
            if segment.parts.len() >= LARGEST_SEGMENT {
                segment.is_last = false;
                let Some(stored) = self.write(segment).await? else { return Ok(period.to_ms) };
                self.mark_sealed(&mut first_sealed).await?;
                segment = Segment::following(Some(&stored), &period);
                is_begun = true;
            }
        }
        if is_begun || !segment.parts.is_empty() {
            self.write(segment).await?;
            self.mark_sealed(&mut first_sealed).await?;
        }
        Ok(period.to_ms)
    }

    /// The last segment.
    async fn head(&self) -> Result<Option<StoredSegment>, ChangeRecordError> {
        let Some(item) = self.last(SEGMENTS).await? else { return Ok(None) };
        let unread = || undecodable(&item, "its content is not that of a segment");
        StoredSegment::read(&item).map(Some).ok_or_else(unread)
    }

    /// Stores the names of all partitions: their entries may be older than the chain.
    async fn find_partitions(&self) -> Result<(), ChangeRecordError> {
        let mut found = std::collections::BTreeSet::new();
        let mut note = |item: Attributes| {
            found.insert(text(&item, PARTITION)?.to_owned());
            Ok(())
        };
        self.read(Items::Scanned(AUDIT_PREFIX), None, &mut note).await?;
        for partition in found {
            self.store_partition(&partition).await?;
        }
        Ok(())
    }

    /// The partitions after one of them, each with whether a segment has entries of it.
    async fn partitions(&self, after: Option<&str>) -> Result<Vec<(String, bool)>, ChangeRecordError> {
        let mut found = Vec::new();
        let mut note = |item: Attributes| {
            let name = text(&item, SORT)?;
            if after.is_none_or(|after| name > after) {
                found.push((name.to_owned(), item.contains_key(SEALED)));
            }
            Ok(())
        };
        let items = Items::Between { partition: PARTITIONS, from: AUDIT_PREFIX, to: "AUDIT$" };
        self.read(items, None, &mut note).await?;
        Ok(found)
    }

    /// The entries of a partition in a period, and when the last of them expires; `None` if there are none.
    async fn part(&self, partition: &str, from: &str, to: &str) -> Result<Option<(Part, u64)>, ChangeRecordError> {
        let mut digest = PartDigest::default();
        // When the first and the last of the entries expire.
        let mut expiry: Option<(u64, u64)> = None;
        let mut add = |item: Attributes| {
            let expires = expires(&item)?;
            expiry = Some(expiry.map_or((expires, expires), |(first, last)| (first.min(expires), last.max(expires))));
            digest.add(&item);
            Ok(())
        };
        // No key of an entry ends with its time, so that the end is exclusive.
        let from_key = if from.is_empty() { "0" } else { from };
        self.read(Items::Between { partition, from: from_key, to }, None, &mut add).await?;
        let Some((expires, last_expires)) = expiry else { return Ok(None) };
        let (partition, from, count) = (partition.to_owned(), from.to_owned(), digest.count);
        Ok(Some((Part { partition, from, count, digest: digest.finish(), expires }, last_expires)))
    }

    /// Writes a segment; `None` if another server has written one with its number.
    async fn write(&self, segment: Segment) -> Result<Option<StoredSegment>, ChangeRecordError> {
        let failed = |cause: serde_json::Error| Error::Unavailable(format!("a segment cannot be written: {cause}"));
        let (item, hash) = segment.item().map_err(failed)?;
        let input = PutItemInput {
            table_name: self.name.clone(),
            item,
            options: WriteOptions {
                condition: Some(Condition::attribute_not_exists(PARTITION)),
                ..WriteOptions::default()
            },
        };
        match self.backend.put_item(input).await {
            Ok(_) => {}
            Err(ServiceError::ConditionalCheckFailed { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        // Logs that leave the machine keep the hash where whoever changes the table does not reach it.
        tracing::info!(segment = segment.number, hash, "the audit log was sealed");
        Ok(Some(StoredSegment { segment, hash, is_intact: true }))
    }

    async fn mark_sealed(&self, partitions: &mut Vec<String>) -> Result<(), ChangeRecordError> {
        for partition in partitions.drain(..) {
            let mut item = partitions::key(&partition);
            item.insert(SEALED.to_owned(), AttributeValue::Bool(true));
            let input = PutItemInput { table_name: self.name.clone(), item, ..PutItemInput::default() };
            self.backend.put_item(input).await?;
        }
        Ok(())
    }
}

impl NextPeriod {
    /// The period after the last segment, up to a time.
    fn after(head: Option<&StoredSegment>, end_ms: u64) -> Result<Self, Error> {
        let Some(StoredSegment { segment: head, .. }) = head else {
            let (from, to) = (String::new(), timestamp(end_ms)?);
            return Ok(Self::Ended(Period { from, to, to_ms: end_ms, after: None }));
        };
        let ended: jiff::Timestamp = head.to.parse().map_err(|_| invalid(&head.to))?;
        let ended_ms = u64::try_from(ended.as_millisecond()).map_err(|_| invalid(&head.to))?;
        if !head.is_last {
            let after = head.parts.last().map(|part| part.partition.clone());
            let (from, to) = (head.from.clone(), head.to.clone());
            return Ok(Self::Ended(Period { from, to, to_ms: ended_ms, after }));
        }
        if end_ms < ended_ms + PERIOD_MS {
            return Ok(Self::Running { since_ms: ended_ms });
        }
        let (from, to) = (head.to.clone(), timestamp(end_ms)?);
        Ok(Self::Ended(Period { from, to, to_ms: end_ms, after: None }))
    }
}

fn invalid(time: &str) -> Error {
    Error::Unavailable(format!("the last segment of the audit log ends at `{time}`, which is not a time"))
}

impl Segment {
    /// The segment after another, without its parts.
    fn following(previous: Option<&StoredSegment>, period: &Period) -> Self {
        let (number, hash, expires) = previous.map_or((0, String::new(), 0), |stored| {
            (stored.segment.number + 1, stored.hash.clone(), stored.segment.expires)
        });
        Self {
            number,
            previous: hash,
            previous_expires: expires,
            from: period.from.clone(),
            to: period.to.clone(),
            is_last: true,
            // It is kept at least as long as the one before, so that the oldest are removed first.
            expires,
            parts: Vec::new(),
        }
    }
}

/// The digest of entries, added in the order of their keys.
#[derive(Default)]
pub(super) struct PartDigest {
    hash: Sha256,
    pub count: u64,
}

impl PartDigest {
    pub(super) fn add(&mut self, entry: &Attributes) {
        self.hash.update(leaf(entry));
        self.count += 1;
    }

    pub(super) fn finish(self) -> String {
        hexadecimal(&self.hash.finalize())
    }
}
