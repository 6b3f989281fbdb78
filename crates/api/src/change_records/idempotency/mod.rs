//! Idempotency keys: identify a retry, and replay the response of the first request.

mod marks;
mod stored_response;

use std::collections::HashSet;

use http::header::{CONTENT_TYPE, IF_MATCH, IF_NONE_MATCH};
use http::{HeaderMap, Method};
use keyfold_dynamo::expression::{Comparison, Condition};
use keyfold_dynamo::operation::{TransactWrite, TransactWriteKind};
use keyfold_dynamo::{AttributeValue, Attributes, Number, hexadecimal};
use keyfold_runtime::Caller;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use self::marks::write_marks;
pub(super) use self::marks::{Mark, has_mark};
pub use self::stored_response::StoredResponse;
use super::hash_part::add_part;
use super::record_item::{expires, undecodable};
use super::table::{EXPIRES, PARTITION, RESPONSE_PREFIX, SORT};
use super::{ChangeRecordError, Open};

/// The header with which a client makes a request safe to retry.
pub const KEY_HEADER: &str = "idempotency-key";
/// Marks a replayed response.
pub const REPLAYED_HEADER: &str = "idempotency-replayed";

pub(super) const LONGEST_KEY: usize = 255;
const REPLAY_SECONDS: u64 = 24 * 60 * 60;
const FINGERPRINT: &str = "fingerprint";

/// A hash of a request: the same key with another fingerprint is a mistake of the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// Covers everything that determines the change. The caller is not included: each caller has separate idempotency
    /// keys.
    pub fn new(method: &Method, path_and_query: &str, headers: &HeaderMap, body: &[u8]) -> Self {
        let mut hash = Sha256::new();
        let mut add = |part: &[u8]| add_part(&mut hash, part);
        add(method.as_str().as_bytes());
        add(path_and_query.as_bytes());
        for name in [IF_MATCH, IF_NONE_MATCH, CONTENT_TYPE] {
            headers.get_all(&name).iter().for_each(|value| add(value.as_bytes()));
            add(&[]);
        }
        add(body);
        Self(hash.finalize().into())
    }
}

/// A request with a key that is being executed.
pub(super) struct KeyedRequest<'j> {
    pub id: [u8; 32],
    pub fingerprint: Fingerprint,
    pub _claim: Claim<'j>,
}

/// Held while this process executes a request.
pub(super) struct Claim<'j> {
    in_flight: &'j Mutex<HashSet<[u8; 32]>>,
    id: [u8; 32],
}

impl<'j> Claim<'j> {
    pub(super) fn acquire(in_flight: &'j Mutex<HashSet<[u8; 32]>>, id: [u8; 32]) -> Option<Self> {
        let is_new = in_flight.lock().insert(id);
        // Only a new claim may be dropped: dropping it removes the id.
        is_new.then(|| Self { in_flight, id })
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.in_flight.lock().remove(&self.id);
    }
}

/// Each subject of each tenant has keys of its own, and so has the same subject of another issuer, unless both are the
/// same user of the table. Anonymous callers have none: they cannot be distinguished.
pub(super) fn id(
    design: &str,
    caller: &Caller,
    tenant: Option<&str>,
    key: &str,
) -> Result<[u8; 32], ChangeRecordError> {
    if key.is_empty() || key.len() > LONGEST_KEY || !key.bytes().all(|letter| letter.is_ascii_graphic()) {
        return Err(ChangeRecordError::BadKey);
    }
    let subject = caller.subject.as_deref().ok_or(ChangeRecordError::Anonymous)?;
    let tenant = tenant.or(caller.tenant.as_deref());
    let mut hash = Sha256::new();
    let issuer = caller.identity.as_ref().map(|identity| identity.issuer.as_str());
    for part in [Some(design), tenant, issuer, Some(subject), Some(key)] {
        match part {
            Some(part) => add_part(&mut hash, part.as_bytes()),
            // No text is that long: the id without a tenant, or an issuer, is that of no name of one.
            None => hash.update(u64::MAX.to_be_bytes()),
        }
    }
    Ok(hash.finalize().into())
}

pub(super) fn key(id: &[u8; 32]) -> Attributes {
    Attributes::from([
        (PARTITION.to_owned(), AttributeValue::S(format!("{RESPONSE_PREFIX}{}", hexadecimal(id)))),
        (SORT.to_owned(), AttributeValue::S("ONCE".to_owned())),
    ])
}

/// The response that an item stores for a request; `None` if it has expired: the table may delete expired items late.
pub(super) fn stored_response(
    item: &Attributes,
    fingerprint: &Fingerprint,
    now_ms: u64,
) -> Result<Option<StoredResponse>, ChangeRecordError> {
    if expires(item)? <= now_ms / 1000 {
        return Ok(None);
    }
    let Some(AttributeValue::B(stored)) = item.get(FINGERPRINT) else {
        return Err(undecodable(item, format!("`{FINGERPRINT}` is missing or not binary")));
    };
    if stored.as_slice() != fingerprint.0.as_slice() {
        return Err(ChangeRecordError::Mismatch);
    }
    // Without the stored response, executing the request again could apply its change twice.
    StoredResponse::from_item(item)
        .map(Some)
        .ok_or_else(|| undecodable(item, "its status, headers or body are invalid"))
}

impl KeyedRequest<'_> {
    /// Stores the response, unless another copy of the request was executed. The marks say whom it is about.
    pub(super) fn write(
        &self,
        open: &Open,
        response: &StoredResponse,
        marks: impl IntoIterator<Item = Mark>,
    ) -> TransactWrite {
        let now = open.table.clock.now_ms() / 1000;
        let number = |seconds: u64| AttributeValue::N(Number::from(seconds));
        let mut item = key(&self.id);
        item.insert(FINGERPRINT.to_owned(), AttributeValue::B(self.fingerprint.0.to_vec()));
        item.insert(EXPIRES.to_owned(), number(now + REPLAY_SECONDS));
        write_marks(marks, &mut item);
        response.write_to(&mut item);
        let absent = Condition::attribute_not_exists(PARTITION);
        TransactWrite {
            table_name: open.table.name.clone(),
            kind: TransactWriteKind::Put { item },
            condition: Some(absent.or(Condition::compare(EXPIRES, Comparison::LessOrEqual, number(now)))),
            return_old_on_failure: true,
        }
    }
}
