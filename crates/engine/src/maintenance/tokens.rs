//! Deletes client request tokens after their ten minutes.

use std::collections::BTreeMap;

use keyfold_dynamo::ServiceError;

use super::{Progress, SLICE};
use crate::commit::{Commit, store_failed};
use crate::engine::Shared;
use crate::rows::layout;
use crate::store::Change;
use crate::write::TokenRecord;

pub(super) fn slice(shared: &Shared) -> Result<Progress, ServiceError> {
    let now = shared.now_seconds();
    let mut changes = Vec::new();
    let mut locks = BTreeMap::new();
    for row in shared.store.snapshot().range(layout::tokens_expired_before(now), false).take(SLICE) {
        let (expiry_row, _) = row.map_err(|error| store_failed(&error))?;
        let token_row = layout::token(layout::token_fingerprint(&expiry_row)?);
        changes.push(Change::Remove(expiry_row.to_vec()));
        // A token that was reused after it had expired has one expiry row for each use; it is locked only once.
        if locks.contains_key(&token_row) {
            continue;
        }
        // If the token has been reused since, its record has a later expiry and stays.
        let lock = shared.in_flight.lock(&token_row);
        let record = shared.store.get(&token_row).map_err(|error| store_failed(&error))?;
        let record = record.map(|bytes| TokenRecord::decode(&bytes)).transpose()?;
        if record.is_some_and(|record| record.expiry < now) && lock.uncommitted().is_none() {
            changes.push(Change::Remove(token_row.clone()));
            locks.insert(token_row, lock);
        }
    }
    if changes.is_empty() {
        return Ok(Progress::Idle);
    }
    let (_, handle) = shared.committer.enqueue(Commit { changes, ..Commit::default() })?;
    drop(locks);
    handle.wait_blocking()?;
    Ok(Progress::More)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Durability;
    use crate::{Engine, Options};

    #[test]
    fn a_token_record_that_cannot_be_decoded_stays() {
        let engine = Engine::in_memory(Options::default()).unwrap();
        let token_row = layout::token(&[7; 32]);
        let damaged = Change::Put(token_row.clone(), vec![1, 2, 3]);
        let expired = Change::Put(layout::token_expiry(1, &[7; 32]), Vec::new());
        engine.shared.store.commit(vec![damaged, expired], Durability::Durable).unwrap();
        let error = engine.run_maintenance().unwrap_err();
        assert_eq!(error.to_string(), "the record of a client request token cannot be decoded");
        assert_eq!(engine.shared.store.get(&token_row).unwrap().as_deref(), Some([1, 2, 3].as_slice()));
    }
}
