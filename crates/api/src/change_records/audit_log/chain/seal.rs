//! Seals the entries of periods that have ended.

use std::time::Duration;

use keyfold_dynamo::expression::{Condition, KeyCondition};
use keyfold_dynamo::operation::{PageOptions, PutItemInput, QueryInput, WriteOptions};
use keyfold_dynamo::{AttributeValue, Attributes, Item, Number, ServiceError, hexadecimal};
use keyfold_runtime::{Error, timestamp};
use sha2::{Digest, Sha256};

use super::leaf::leaf;
use super::partitions::{self, store_partition};
use super::segment::{Part, Segment, StoredSegment};
use super::{PARTITIONS, SEGMENTS};
use crate::change_records::audit_table::{AuditTable, Items};
use crate::change_records::table::{AUDIT_PREFIX, EXPIRES, PARTITION, SORT};
use crate::change_records::{ChangeRecordError, ChangeRecords, undecodable};

/// The shortest period that is sealed.
const PERIOD_MS: u64 = 15 * 60 * 1000;
/// A change is written within its request's timeout after the time that its entry states, and clocks of servers differ.
const GRACE_MS: u64 = 10 * 60 * 1000;
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
    /// The last partition that is sealed.
    after: Option<String>,
}

impl ChangeRecords {
    /// Seals what is due. A failure is logged; the next attempt is in the next period.
    pub async fn seal_if_due(&self) {
        let Some(open) = self.audit_log() else { return };
        let now = open.clock.now_ms();
        {
            let mut schedule = open.seal_schedule.lock();
            if now < schedule.next_ms {
                return;
            }
            schedule.next_ms = now + PERIOD_MS;
        }
        let table =
            AuditTable { backend: open.backend.clone(), name: open.settings.table.clone(), clock: open.clock.clone() };
        if let Err(cause) = table.seal().await {
            tracing::warn!(%cause, "the audit log could not be sealed; the next attempt is in {:?}", Duration::from_millis(PERIOD_MS));
        }
    }
}

impl AuditTable {
    /// Seals the entries that are old enough. Several servers may do so: each segment is written by one of them.
    async fn seal(&self) -> Result<(), ChangeRecordError> {
        let head = self.head().await?;
        if head.is_none() {
            self.find_partitions().await?;
        }
        let minute = 60 * 1000;
        let end = timestamp(self.clock.now_ms().saturating_sub(GRACE_MS) / minute * minute)?;
        let Some(period) = Period::after(head.as_ref(), end)? else { return Ok(()) };
        let mut segment = Segment::following(head.as_ref(), &period);
        let mut first_sealed = Vec::new();
        // Whether the period has a segment that is not its last.
        let mut is_begun = period.after.is_some();
        for (partition, is_sealed) in self.partitions(period.after.as_deref()).await? {
            let from = if is_sealed { period.from.as_str() } else { "" };
            let Some((part, expires)) = self.part(&partition, from, &period.to).await? else { continue };
            segment.expires = segment.expires.max(expires);
            segment.parts.push(part);
            if !is_sealed {
                first_sealed.push(partition);
            }
            if segment.parts.len() >= LARGEST_SEGMENT {
                segment.is_last = false;
                let Some(stored) = self.write(segment).await? else { return Ok(()) };
                self.mark_sealed(&mut first_sealed).await?;
                segment = Segment::following(Some(&stored), &period);
                is_begun = true;
            }
        }
        if is_begun || !segment.parts.is_empty() {
            self.write(segment).await?;
            self.mark_sealed(&mut first_sealed).await?;
        }
        Ok(())
    }

    /// The last segment.
    async fn head(&self) -> Result<Option<StoredSegment>, ChangeRecordError> {
        let input = QueryInput {
            table_name: self.name.clone(),
            key_condition: KeyCondition::partition(PARTITION, AttributeValue::S(SEGMENTS.to_owned())),
            forward: false,
            page: PageOptions { limit: Some(1), consistent_read: true, ..PageOptions::default() },
        };
        let Some(item) = self.backend.query(input).await?.items.into_iter().flatten().next() else { return Ok(None) };
        let item = Item::into_attributes(item).map_err(ServiceError::from)?;
        StoredSegment::read(&item).map(Some).ok_or_else(|| undecodable(&item, "segment of the audit log"))
    }

    /// Stores the names of all partitions: their entries may be older than the chain.
    async fn find_partitions(&self) -> Result<(), ChangeRecordError> {
        let mut found = std::collections::BTreeSet::new();
        let mut note = |item: Attributes| {
            found.extend(item.get(PARTITION).and_then(AttributeValue::as_str).map(str::to_owned));
            Ok(())
        };
        self.read(Items::Scanned(AUDIT_PREFIX), None, &mut note).await?;
        for partition in found {
            store_partition(self.backend.as_ref(), &self.name, &partition).await?;
        }
        Ok(())
    }

    /// The partitions after one of them, each with whether a segment has entries of it.
    async fn partitions(&self, after: Option<&str>) -> Result<Vec<(String, bool)>, ChangeRecordError> {
        let mut found = Vec::new();
        let mut note = |item: Attributes| {
            let name = item.get(SORT).and_then(AttributeValue::as_str).unwrap_or_default();
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
        let mut add = |item: Attributes| {
            digest.add(&item);
            Ok(())
        };
        // No key of an entry ends with its time, so that the end is exclusive.
        let from_key = if from.is_empty() { "0" } else { from };
        self.read(Items::Between { partition, from: from_key, to }, None, &mut add).await?;
        let PartDigest { count, first_expires, last_expires, .. } = digest;
        let part = Part {
            partition: partition.to_owned(),
            from: from.to_owned(),
            count,
            digest: digest.finish(),
            expires: first_expires,
        };
        Ok((count > 0).then_some((part, last_expires)))
    }

    /// Writes a segment; `None` if another server has written one with its number.
    async fn write(&self, segment: Segment) -> Result<Option<StoredSegment>, ChangeRecordError> {
        let segment = Segment { expires: segment.expires + KEPT_AFTER, ..segment };
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

impl Period {
    /// The period to seal; `None` if it is too short.
    fn after(head: Option<&StoredSegment>, end: String) -> Result<Option<Self>, Error> {
        let Some(StoredSegment { segment: head, .. }) = head else {
            return Ok(Some(Self { from: String::new(), to: end, after: None }));
        };
        if !head.is_last {
            let after = head.parts.last().map(|part| part.partition.clone());
            return Ok(Some(Self { from: head.from.clone(), to: head.to.clone(), after }));
        }
        let ended: jiff::Timestamp = head.to.parse().map_err(|_| invalid(&head.to))?;
        let least = u64::try_from(ended.as_millisecond()).map_err(|_| invalid(&head.to))? + PERIOD_MS;
        Ok((timestamp(least)? <= end).then(|| Self { from: head.to.clone(), to: end, after: None }))
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
            expires: expires.saturating_sub(KEPT_AFTER),
            parts: Vec::new(),
        }
    }
}

/// When an entry expires, in seconds since the epoch.
pub(super) fn expires(entry: &Attributes) -> u64 {
    entry.get(EXPIRES).and_then(AttributeValue::as_number).and_then(Number::to_u64).unwrap_or(u64::MAX)
}

/// The digest of entries, added in the order of their keys.
#[derive(Default)]
pub(super) struct PartDigest {
    hash: Sha256,
    pub count: u64,
    first_expires: u64,
    last_expires: u64,
}

impl PartDigest {
    pub(super) fn add(&mut self, entry: &Attributes) {
        self.hash.update(leaf(entry));
        let expires = expires(entry);
        self.first_expires = if self.count == 0 { expires } else { self.first_expires.min(expires) };
        self.last_expires = self.last_expires.max(expires);
        self.count += 1;
    }

    pub(super) fn finish(self) -> String {
        hexadecimal(&self.hash.finalize())
    }
}
