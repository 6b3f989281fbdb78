//! Client request tokens: a transaction that is retried within ten minutes is not applied again, even after a restart.
//! The record of a token is written in the same commit as the transaction.

use std::hash::Hash;

use keyfold_dynamo::limits::IDEMPOTENCY_WINDOW_SECONDS;
use keyfold_dynamo::operation::TransactWrite;
use keyfold_dynamo::{AttributeValue, Attributes, ServiceError};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::Xxh3;

use crate::commit::{Commit, store_failed};
use crate::rows::damage::DamagedRow;
use crate::rows::layout;
use crate::shared::Shared;
use crate::store::Change;

/// What the store holds for a token: the hash of its request, and the second at which it expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenRecord {
    request: [u8; 16],
    pub expiry: u64,
}

impl TokenRecord {
    fn encode(self) -> Vec<u8> {
        [&self.request[..], &self.expiry.to_be_bytes()].concat()
    }

    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, DamagedRow> {
        let (request, expiry) = bytes.split_first_chunk().ok_or(DamagedRow::Token)?;
        let expiry = expiry.try_into().map_err(|_| DamagedRow::Token)?;
        Ok(Self { request: *request, expiry: u64::from_be_bytes(expiry) })
    }
}

/// A token and a hash of the request that uses it.
pub(super) struct Token {
    name: [u8; 32],
    request: [u8; 16],
}

impl Token {
    pub(super) fn new(token: &str, writes: &[TransactWrite]) -> Self {
        let mut hasher = Xxh3::new();
        writes.hash(&mut hasher);
        Self { name: Sha256::digest(token.as_bytes()).into(), request: hasher.digest128().to_be_bytes() }
    }

    /// The key of the token's record, which is also the key of its lock.
    pub(super) fn row(&self) -> Vec<u8> {
        layout::token(&self.name)
    }

    /// Whether this transaction has been applied already; an error if the token was used for another one.
    pub(super) fn was_applied(&self, shared: &Shared) -> Result<bool, ServiceError> {
        let Some(record) = shared.store.get(&self.row()).map_err(|error| store_failed(&error))? else {
            return Ok(false);
        };
        let record = TokenRecord::decode(&record)?;
        if record.expiry <= shared.time.newest_second() {
            return Ok(false);
        }
        self.check_same_request(&record.request)?;
        Ok(true)
    }

    /// Fails unless the transaction in flight under this token is this very one.
    pub(super) fn check_request_in_flight(&self, record: Option<&Attributes>) -> Result<(), ServiceError> {
        match record.and_then(|record| record.get(IN_FLIGHT_REQUEST)) {
            Some(AttributeValue::B(request)) => self.check_same_request(request),
            _ => Err(DamagedRow::Token.into()),
        }
    }

    fn check_same_request(&self, request: &[u8]) -> Result<(), ServiceError> {
        if request == self.request {
            return Ok(());
        }
        Err(ServiceError::IdempotentParameterMismatch(
            "The request uses the same client token as a previous, but non-identical request. Do not reuse a client token with different requests, unless the requests are identical"
                .to_owned(),
        ))
    }

    /// The record for requests that arrive before the commit is on disk.
    pub(super) fn in_flight_record(&self) -> Attributes {
        let request = AttributeValue::B(self.request.to_vec());
        Attributes::from([(IN_FLIGHT_REQUEST.to_owned(), request)])
    }

    /// Adds the record of the token to the transaction's commit.
    pub(super) fn record(&self, shared: &Shared, commit: &mut Commit) {
        let expiry = shared.time.newest_second() + IDEMPOTENCY_WINDOW_SECONDS;
        let record = TokenRecord { request: self.request, expiry };
        commit.changes.push(Change::Put(self.row(), record.encode()));
        commit.changes.push(Change::Put(layout::token_expiry(expiry, &self.name), Vec::new()));
    }
}

const IN_FLIGHT_REQUEST: &str = "request";
