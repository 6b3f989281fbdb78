//! Reads the audit log of one tenant: by time, by item, by subject.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use keyfold_dynamo::expression::{Condition, KeyCondition};
use keyfold_dynamo::operation::{PageOptions, QueryInput};
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_runtime::timestamp;
use percent_encoding::percent_decode_str;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::PAGE_LIMIT;
use super::entry::{COUNT, ITEMS, PATTERN, SINCE, TRUNCATED, part_of, partition_of};
use crate::address::encode_segment;
use crate::change_records::record_item::text;
use crate::change_records::table::{BY_ITEM, BY_SUBJECT, ITEM, PARTITION, SORT, SUBJECT};
use crate::change_records::{ChangeRecordError, ChangeRecords, Open};

/// A query of the log. The tenant is the caller's own, unless an operator states another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditQuery {
    pub design: String,
    pub tenant: Option<String>,
    pub scope: AuditScope,
    pub filter: AuditFilter,
    /// Times such as `2026-11-15T13:00:00Z`: the first is inclusive, the second exclusive.
    pub from: Option<String>,
    pub to: Option<String>,
    /// 1 to [`PAGE_LIMIT`].
    pub limit: u32,
    pub cursor: Option<String>,
    pub oldest_first: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum AuditScope {
    #[default]
    Everything,
    /// One item, its identity as in the path.
    Item {
        entity: String,
        identity: String,
    },
    Subject(String),
}

/// Conditions on entries besides the scope.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    pub subject: Option<String>,
    pub verb: Option<String>,
    pub entity: Option<String>,
    /// `allowed` or `denied`.
    pub outcome: Option<String>,
}

/// An entry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    pub at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The kind of credential: `token`, `key` or `anonymous`.
    pub by: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    pub verb: String,
    pub entity: String,
    pub identity: String,
    /// `allowed` or `denied`.
    pub outcome: String,
    pub request_id: String,
    /// The access pattern of an audited read; absent for one item by its identity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The number of items that it returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<u64>,
    /// The number of requests that the entry stands for, where that is not one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The time of the first of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Whether the identity was too long, and the entry has its beginning.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AuditPage {
    pub items: Vec<AuditEntry>,
    /// The cursor of the next page; absent on the last one.
    pub next: Option<String>,
}

const MS_OF_DAY: u64 = 24 * 60 * 60 * 1000;
/// Where few entries match, a page ends after so many reads, with a cursor.
const READS: usize = 8;
/// The number of entries that one read examines where not all of them match.
const EXAMINED: i64 = 500;

impl ChangeRecords {
    /// A page of the log, the newest first by default. [`ChangeRecords::may_read`] decides who may read it.
    pub async fn read_audit_log(&self, query: &AuditQuery) -> Result<AuditPage, ChangeRecordError> {
        let open = self.audit_log().ok_or(ChangeRecordError::NoAuditLog)?;
        if !(1..=PAGE_LIMIT).contains(&query.limit) {
            return Err(invalid(format!("`limit` is 1 to {PAGE_LIMIT}")));
        }
        let Some(range) = Range::new(open, query)? else { return Ok(AuditPage::default()) };
        let filter = query.filter.condition();
        let mut start = query.cursor.as_deref().map(|cursor| range.start(cursor)).transpose()?;
        let mut items: Vec<Attributes> = Vec::new();
        let limit = query.limit as usize;
        for _ in 0..READS {
            let request = range.request(open, query, filter.as_ref(), start.as_deref());
            let page = open.table.query(request).await?;
            items.extend(page.items);
            start = page.last_key.as_ref().map(sort_of).transpose()?;
            if start.is_none() || items.len() >= limit || filter.is_none() {
                break;
            }
        }
        if items.len() > limit {
            items.truncate(limit);
            start = items.last().map(sort_of).transpose()?;
        }
        let next = start.map(|sort| range.cursor(&sort));
        let items = items.iter().map(AuditEntry::read).collect::<Result<_, _>>()?;
        Ok(AuditPage { items, next })
    }
}

fn sort_of(item: &Attributes) -> Result<String, ChangeRecordError> {
    text(item, SORT).map(str::to_owned)
}

/// The part of the table that a query reads.
struct Range {
    partition: String,
    index: Option<&'static str>,
    key: &'static str,
    value: String,
    from: String,
    to: String,
}

impl Range {
    /// `None` where it is empty.
    fn new(open: &Open, query: &AuditQuery) -> Result<Option<Self>, ChangeRecordError> {
        let partition = partition_of(&query.design, query.tenant.as_deref());
        let now = open.table.clock.now_ms();
        // The table may be slow to remove expired entries.
        let kept_from = timestamp(now.saturating_sub(u64::from(open.settings.audit_days) * MS_OF_DAY))?;
        let from = match moment("from", query.from.as_deref())? {
            Some(from) => from.max(kept_from),
            None => kept_from,
        };
        let to = match moment("to", query.to.as_deref())? {
            Some(to) => to,
            None => timestamp(now + 60_000)?,
        };
        if from > to {
            return Ok(None);
        }
        let (index, key, value) = match &query.scope {
            AuditScope::Everything => (None, PARTITION, partition.clone()),
            AuditScope::Item { entity, identity } => {
                (Some(BY_ITEM), ITEM, part_of(&partition, &["item", entity, &normal(identity)]))
            }
            AuditScope::Subject(subject) => (Some(BY_SUBJECT), SUBJECT, part_of(&partition, &["subject", subject])),
        };
        Ok(Some(Self { partition, index, key, value, from, to }))
    }

    fn request(&self, open: &Open, query: &AuditQuery, filter: Option<&Condition>, start: Option<&str>) -> QueryInput {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let start = start.map(|sort| {
            let pairs = [(PARTITION, self.partition.as_str()), (SORT, sort), (self.key, &self.value)];
            pairs.map(|(name, value)| (name.to_owned(), text(value))).into_iter().collect()
        });
        let period = Condition::between(SORT, text(&self.from), text(&self.to));
        let limit = if filter.is_some() { EXAMINED } else { i64::from(query.limit) };
        QueryInput {
            table_name: open.table.name.clone(),
            key_condition: KeyCondition::partition(self.key, text(&self.value)).and(period),
            forward: query.oldest_first,
            page: PageOptions {
                index_name: self.index.map(str::to_owned),
                limit: Some(limit),
                exclusive_start_key: start,
                filter: filter.cloned(),
                ..PageOptions::default()
            },
        }
    }

    /// The cursor of a position in this range.
    fn cursor(&self, sort: &str) -> String {
        URL_SAFE_NO_PAD.encode([self.checksum(sort).as_slice(), sort.as_bytes()].concat())
    }

    /// The position of a cursor. It is always within this range; the checksum rejects the cursor of another query.
    fn start(&self, cursor: &str) -> Result<String, ChangeRecordError> {
        let place = URL_SAFE_NO_PAD.decode(cursor).ok().and_then(|bytes| {
            let (checksum, sort) = bytes.split_first_chunk()?;
            let sort = std::str::from_utf8(sort).ok()?;
            (sort.len() < 100 && self.checksum(sort) == *checksum).then(|| sort.to_owned())
        });
        let is_here = |place: &String| (self.from.as_str()..=self.to.as_str()).contains(&place.as_str());
        place.filter(is_here).ok_or(ChangeRecordError::InvalidCursor)
    }

    fn checksum(&self, sort: &str) -> [u8; 8] {
        let [a, b, c, d, e, f, g, h, ..]: [u8; 32] = Sha256::digest(part_of(&self.value, &[self.key, sort])).into();
        [a, b, c, d, e, f, g, h]
    }
}

impl AuditFilter {
    /// The filter of a read; `None` where all entries match.
    fn condition(&self) -> Option<Condition> {
        let wanted =
            [("subject", &self.subject), ("verb", &self.verb), ("entity", &self.entity), ("outcome", &self.outcome)];
        Condition::all(wanted.into_iter().filter_map(|(name, value)| {
            let value = AttributeValue::S(value.as_ref()?.clone());
            Some(Condition::equals(name, value))
        }))
    }
}

impl AuditEntry {
    pub(super) fn read(item: &Attributes) -> Result<Self, ChangeRecordError> {
        let optional = |name: &str| item.get(name).and_then(AttributeValue::as_str).map(str::to_owned);
        let text = |name: &str| text(item, name).map(str::to_owned);
        let number = |name: &str| item.get(name).and_then(AttributeValue::as_number).and_then(Number::to_u64);
        Ok(Self {
            at: text("at")?,
            subject: optional("subject"),
            by: text("by")?,
            tenant: optional("tenant"),
            verb: text("verb")?,
            entity: text("entity")?,
            identity: text("identity")?,
            outcome: text("outcome")?,
            request_id: text("requestId")?,
            pattern: optional(PATTERN),
            items: number(ITEMS),
            count: number(COUNT),
            since: optional(SINCE),
            truncated: item.contains_key(TRUNCATED),
        })
    }
}

pub(super) fn moment(name: &str, text: Option<&str>) -> Result<Option<String>, ChangeRecordError> {
    let Some(text) = text else { return Ok(None) };
    let wrong = || invalid(format!("`{name}` is not a time such as 2026-11-15T13:00:00Z"));
    let moment: Timestamp = text.parse().map_err(|_| wrong())?;
    Ok(Some(timestamp(u64::try_from(moment.as_millisecond()).map_err(|_| wrong())?)?))
}

/// The spelling of an identity that entries have.
fn normal(identity: &str) -> String {
    let segments = identity.split('/').map(|segment| percent_decode_str(segment).decode_utf8_lossy().into_owned());
    segments.map(|segment| encode_segment(&segment)).collect::<Vec<String>>().join("/")
}

fn invalid(message: String) -> ChangeRecordError {
    ChangeRecordError::InvalidQuery(message)
}
