//! Reads the log of changes of one tenant: by time, by item, by subject.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use keyfold_dynamo::operation::{Aliases, PageOptions, QueryInput};
use keyfold_dynamo::{AttributeValue, Attributes, Item, ServiceError};
use keyfold_runtime::Error;
use percent_encoding::percent_decode_str;
use serde::Serialize;

use super::audit::{part_of, partition_of, timestamp};
use super::table::{BY_ITEM, BY_SUBJECT, ITEM, PARTITION, SORT, SUBJECT};
use super::{Journal, JournalError};

/// What part of the log is wanted. The tenant is the caller's own, unless an operator says another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditQuery {
    pub design: String,
    pub tenant: Option<String>,
    pub about: About,
    /// Points in time such as `2026-11-15T13:00:00Z`, the first included, the second not.
    pub from: Option<String>,
    pub to: Option<String>,
    /// 1 to 100.
    pub limit: usize,
    pub cursor: Option<String>,
    pub oldest_first: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum About {
    #[default]
    Everything,
    /// One item, its identity as the path has it.
    Item {
        entity: String,
        identity: String,
    },
    Subject(String),
}

/// A line of the log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    pub at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// What they showed: `token`, `key` or `anonymous`.
    pub by: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tenant: Option<String>,
    pub verb: String,
    pub entity: String,
    pub identity: String,
    /// `allowed` or `denied`.
    pub outcome: String,
    pub request_id: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct AuditPage {
    pub items: Vec<AuditEntry>,
    /// Where to go on; absent only at the end.
    pub next: Option<String>,
}

const MOST: usize = 100;
const MS_OF_DAY: u64 = 24 * 60 * 60 * 1000;

impl Journal {
    /// A page of the log, the newest first unless asked otherwise. Who may ask is for [`Journal::may_read`] to say.
    pub async fn audit(&self, query: &AuditQuery) -> Result<AuditPage, JournalError> {
        let open = self.audits().ok_or(JournalError::NoAudit)?;
        if !(1..=MOST).contains(&query.limit) {
            return Err(invalid(format!("`limit` is 1 to {MOST}")));
        }
        let partition = partition_of(&query.design, query.tenant.as_deref());
        let now = open.clock.now_ms();
        // The table may be slow to remove what has had its time.
        let kept_from = timestamp(now.saturating_sub(u64::from(open.settings.audit_days) * MS_OF_DAY));
        let from = moment("from", query.from.as_deref())?.unwrap_or_default().max(kept_from);
        let to = moment("to", query.to.as_deref())?.unwrap_or_else(|| timestamp(now + 60_000));
        if from > to {
            return Ok(AuditPage::default());
        }
        let (index, key, value) = match &query.about {
            About::Everything => (None, PARTITION, partition.clone()),
            About::Item { entity, identity } => {
                (Some(BY_ITEM), ITEM, part_of(&partition, &["item", entity, &normal(identity)]))
            }
            About::Subject(subject) => (Some(BY_SUBJECT), SUBJECT, part_of(&partition, &["subject", subject])),
        };
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let start = query.cursor.as_deref().map(|cursor| start(cursor, &from, &to)).transpose()?.map(|sort| {
            let mut start =
                Attributes::from([(PARTITION.to_owned(), text(&partition)), (SORT.to_owned(), text(&sort))]);
            start.insert(key.to_owned(), text(&value));
            start
        });
        let values = [(":key", &value), (":from", &from), (":to", &to)];
        let values = values.map(|(name, value)| (name.to_owned(), text(value)));
        let output = open
            .backend
            .query(QueryInput {
                table_name: open.settings.table.clone(),
                key_condition_expression: Some(format!("{key} = :key AND {SORT} BETWEEN :from AND :to")),
                forward: query.oldest_first,
                page: PageOptions {
                    index_name: index.map(str::to_owned),
                    limit: i64::try_from(query.limit).ok(),
                    exclusive_start_key: start,
                    aliases: Aliases { names: None, values: Some(Attributes::from(values)) },
                    ..PageOptions::default()
                },
            })
            .await?;
        let items = output.items.unwrap_or_default().into_iter().map(Item::into_attributes);
        let items: Vec<Attributes> = items.collect::<Result<_, _>>().map_err(ServiceError::from)?;
        let last = output.last_evaluated_key.as_ref().and_then(|key| key.get(SORT)).and_then(AttributeValue::as_str);
        Ok(AuditPage {
            items: items.iter().map(AuditEntry::read).collect(),
            next: last.map(|sort| URL_SAFE_NO_PAD.encode(sort)),
        })
    }
}

impl AuditEntry {
    fn read(item: &Attributes) -> Self {
        let optional = |name: &str| item.get(name).and_then(AttributeValue::as_str).map(str::to_owned);
        let text = |name: &str| optional(name).unwrap_or_default();
        Self {
            at: text("at"),
            subject: optional("subject"),
            by: text("by"),
            tenant: optional("tenant"),
            verb: text("verb"),
            entity: text("entity"),
            identity: text("identity"),
            outcome: text("outcome"),
            request_id: text("requestId"),
        }
    }
}

/// The place a cursor names. It is a place in the part of the log that was asked for, whatever it says.
fn start(cursor: &str, from: &str, to: &str) -> Result<String, JournalError> {
    let place = URL_SAFE_NO_PAD.decode(cursor).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let is_fine = |place: &String| place.len() < 100 && (from..=to).contains(&place.as_str());
    place.filter(is_fine).ok_or_else(|| invalid("`cursor` is not one of this query".to_owned()))
}

fn moment(name: &str, text: Option<&str>) -> Result<Option<String>, JournalError> {
    let Some(text) = text else { return Ok(None) };
    let wrong = || invalid(format!("`{name}` is no point in time such as 2026-11-15T13:00:00Z"));
    let moment: Timestamp = text.parse().map_err(|_| wrong())?;
    Ok(Some(timestamp(u64::try_from(moment.as_millisecond()).map_err(|_| wrong())?)))
}

/// The spelling of an identity that entries have.
fn normal(identity: &str) -> String {
    let segments = identity.split('/').map(|segment| percent_decode_str(segment).decode_utf8_lossy().into_owned());
    segments.map(|segment| super::audit::segment(&segment)).collect::<Vec<String>>().join("/")
}

fn invalid(message: String) -> JournalError {
    JournalError::Runtime(Error::Invalid(message))
}
