//! Forgets client request tokens after their ten minutes.

use std::collections::BTreeMap;

use keyfold_dynamo::ServiceError;

use super::{Progress, SLICE};
use crate::commit::{Commit, store_failed};
use crate::engine::Shared;
use crate::rows::layout;
use crate::store::Change;

pub fn slice(shared: &Shared) -> Result<Progress, ServiceError> {
    let now = shared.now_seconds();
    let mut changes = Vec::new();
    let mut locks = BTreeMap::new();
    for row in shared.store.snapshot().range(layout::tokens_expired_before(now), false).take(SLICE) {
        let (expiry_row, _) = row.map_err(|error| store_failed(&error))?;
        let token_row = layout::token(layout::fingerprint_of(&expiry_row));
        changes.push(Change::Remove(expiry_row.to_vec()));
        // A token that was used again after its time has an expiry row of each use, and is locked once.
        if locks.contains_key(&token_row) {
            continue;
        }
        // The token may have been used anew since: its record then tells of a later time, and stays.
        let lock = shared.in_flight.lock(&token_row);
        let record = shared.store.get(&token_row).map_err(|error| store_failed(&error))?;
        let expired = record.is_some_and(|record| {
            record
                .get(16..)
                .and_then(|expiry| expiry.try_into().ok())
                .is_none_or(|expiry| u64::from_be_bytes(expiry) < now)
        });
        if expired && lock.uncommitted().is_none() {
            changes.push(Change::Remove(token_row.clone()));
            locks.insert(token_row, lock);
        }
    }
    if changes.is_empty() {
        return Ok(Progress::Idle);
    }
    let (_, landing) = shared.committer.enqueue(Commit { changes, ..Commit::default() })?;
    drop(locks);
    landing.wait()?;
    Ok(Progress::More)
}
