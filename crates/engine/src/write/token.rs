//! Client request tokens: a transaction sent again within ten minutes is answered, not applied again, also after a
//! restart. The record of a token is written in the same commit as the transaction.

use std::hash::Hash;

use keyfold_dynamo::limits::IDEMPOTENCY_WINDOW_SECONDS;
use keyfold_dynamo::operation::TransactWrite;
use keyfold_dynamo::{Attributes, ServiceError};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::Xxh3;

use crate::commit::{Commit, store_failed};
use crate::engine::Shared;
use crate::rows::layout;
use crate::store::Change;

/// A token and the request it stands for.
pub struct Token {
    name: [u8; 32],
    request: [u8; 16],
}

impl Token {
    pub fn new(token: &str, writes: &[TransactWrite]) -> Self {
        let mut hasher = Xxh3::new();
        writes.hash(&mut hasher);
        Self { name: Sha256::digest(token.as_bytes()).into(), request: hasher.digest128().to_be_bytes() }
    }

    /// The key under which requests with this token wait for each other.
    pub fn row(&self) -> Vec<u8> {
        layout::token(&self.name)
    }

    /// Whether this very transaction has been applied before; an error if another one has, under the same token.
    pub fn applied_before(&self, shared: &Shared) -> Result<bool, ServiceError> {
        let Some(record) = shared.store.get(&self.row()).map_err(|error| store_failed(&error))? else {
            return Ok(false);
        };
        let (request, expiry) = record.split_at_checked(16).unwrap_or_default();
        let expiry = expiry.try_into().map(u64::from_be_bytes).unwrap_or(0);
        if expiry <= shared.now_seconds() {
            return Ok(false);
        }
        self.same_request(request)
    }

    /// What the record of a transaction still in flight says.
    pub fn same_request_in_flight(&self, record: &Attributes) -> Result<bool, ServiceError> {
        match record.get(IN_FLIGHT_REQUEST) {
            Some(keyfold_dynamo::AttributeValue::B(request)) => self.same_request(request),
            _ => Ok(false),
        }
    }

    fn same_request(&self, request: &[u8]) -> Result<bool, ServiceError> {
        if request == self.request {
            return Ok(true);
        }
        Err(ServiceError::IdempotentParameterMismatch(
            "The request uses the same client token as a previous, but non-identical request. Do not reuse a client token with different requests, unless the requests are identical"
                .to_owned(),
        ))
    }

    /// The record left for requests that come before the commit is on disk.
    pub fn in_flight_record(&self) -> Attributes {
        let request = keyfold_dynamo::AttributeValue::B(self.request.to_vec());
        Attributes::from([(IN_FLIGHT_REQUEST.to_owned(), request)])
    }

    /// Adds the record of the token to the transaction's commit.
    pub fn record(&self, shared: &Shared, commit: &mut Commit) {
        let expiry = shared.now_seconds() + IDEMPOTENCY_WINDOW_SECONDS;
        let mut record = self.request.to_vec();
        record.extend_from_slice(&expiry.to_be_bytes());
        commit.changes.push(Change::Put(self.row(), record));
        commit.changes.push(Change::Put(layout::token_expiry(expiry, &self.name), Vec::new()));
    }
}

const IN_FLIGHT_REQUEST: &str = "request";
