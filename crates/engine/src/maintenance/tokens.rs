//! Deletes client request tokens after their ten minutes.

use std::collections::BTreeMap;
use std::ops::Bound;

use keyfold_dynamo::ServiceError;

use super::{SLICE, SliceOutcome};
use crate::commit::{Commit, store_failed};
use crate::rows::layout::{self, WorkList};
use crate::shared::Shared;
use crate::store::{Change, key_after};
use crate::write::TokenRecord;

pub(super) fn slice(shared: &Shared) -> Result<SliceOutcome, ServiceError> {
    let now = shared.time.newest_second();
    let begin = shared.work_lists.begin(WorkList::Tokens).max(layout::token_expiry(0, &[]));
    let end = layout::token_expiry(now, &[]);
    if begin >= end {
        return Ok(SliceOutcome::Idle);
    }
    let mut expired = Vec::new();
    for row in shared.store.snapshot().range((Bound::Included(begin), Bound::Excluded(end.clone())), false).take(SLICE)
    {
        let (expiry_row, _) = row.map_err(|error| store_failed(&error))?;
        expired.push(expiry_row);
    }
    let mut changes = Vec::new();
    let mut locks = BTreeMap::new();
    for expiry_row in &expired {
        let token_row = layout::token(layout::token_fingerprint(expiry_row)?);
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
    if !changes.is_empty() {
        let (_, handle) = shared.committer.enqueue(Commit { changes, ..Commit::default() })?;
        drop(locks);
        handle.wait_blocking()?;
    }
    match expired.last() {
        Some(last) if expired.len() == SLICE => {
            shared.work_lists.advance(WorkList::Tokens, key_after(last));
            Ok(SliceOutcome::More)
        }
        _ => {
            shared.work_lists.advance(WorkList::Tokens, end);
            Ok(SliceOutcome::Idle)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::store::{Durability, MemoryStore, Store};
    use crate::{Engine, Options};

    #[test]
    fn a_token_record_that_cannot_be_decoded_stays() {
        let store = Arc::new(MemoryStore::default());
        let token_row = layout::token(&[7; 32]);
        let damaged = Change::Put(token_row.clone(), vec![1, 2, 3]);
        let expired = Change::Put(layout::token_expiry(1, &[7; 32]), Vec::new());
        store.commit(vec![damaged, expired], Durability::Durable).unwrap();
        let engine = Engine::with_store(Arc::clone(&store) as Arc<_>, Options::default()).unwrap();
        let error = engine.run_maintenance().unwrap_err();
        assert_eq!(error.to_string(), "the record of a client request token cannot be decoded");
        assert_eq!(store.get(&token_row).unwrap().as_deref(), Some([1, 2, 3].as_slice()));
    }
}
