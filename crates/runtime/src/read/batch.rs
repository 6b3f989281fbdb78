//! Many items by their identities.

use std::collections::HashMap;

use keyfold_design::model::Verb;
use keyfold_dynamo::item::codec;
use keyfold_dynamo::limits::BATCH_GET_KEYS;
use keyfold_dynamo::operation::{BatchGetItemInput, KeysAndAttributes};
use keyfold_dynamo::{Attributes, ServiceError};

use crate::authorize::{Access, authorize};
use crate::caller::Caller;
use crate::error::Error;
use crate::items::{KeyError, read_failure};
use crate::record::Record;
use crate::retry;
use crate::runtime::Runtime;
use crate::tenancy::confinement;

impl Runtime {
    /// The items of entities and identities, in order, read consistently; `None` for those that are not there or not
    /// for the caller. The same item may be asked for several times.
    pub async fn batch_get(
        &self,
        caller: &Caller,
        wanted: Vec<(String, Attributes)>,
    ) -> Result<Vec<Option<Record>>, Error> {
        let confined = confinement(&self.design, caller);
        let mut places = Vec::with_capacity(wanted.len());
        let mut keys: HashMap<Vec<u8>, Attributes> = HashMap::new();
        for (name, mut identity) in wanted {
            let entity = self.entity(&name)?;
            let access = Access { caller, verb: Verb::Get, entity, pattern: None };
            let authorized = authorize(self.authorizer.as_ref(), access)?;
            let place = match self.bind_get(&confined, entity, &mut identity)? {
                false => None,
                true if !entity.is_found_by_key() => Some(Err(identity)),
                true => {
                    let key = self.items().key_of(entity, &identity).map_err(KeyError::into_identity_error)?;
                    let encoded = codec::encode(&key);
                    keys.insert(encoded.clone(), key);
                    Some(Ok(encoded))
                }
            };
            places.push((authorized, place));
        }
        let found = self.get_all(keys.into_values().collect()).await?;
        let mut records = Vec::with_capacity(places.len());
        for (authorized, place) in places {
            let entity = authorized.entity();
            let record = match place {
                None => None,
                Some(Err(identity)) => self.items().find(entity, &identity).await?,
                Some(Ok(key)) => found.get(&key).cloned().map(|stored| Record::read(entity, stored)).transpose()?,
            };
            records.push(self.visible_part(&authorized, &confined, record));
        }
        Ok(records)
    }

    /// Items by their keys, in groups; what a request leaves is asked for again, boundedly.
    async fn get_all(&self, keys: Vec<Attributes>) -> Result<HashMap<Vec<u8>, Attributes>, Error> {
        let mut found = HashMap::with_capacity(keys.len());
        for group in keys.chunks(BATCH_GET_KEYS) {
            let mut left = group.to_vec();
            for attempt in 0.. {
                let keys =
                    KeysAndAttributes { keys: left.clone(), consistent_read: true, ..KeysAndAttributes::default() };
                let input =
                    BatchGetItemInput { requests: vec![(self.table.clone(), keys)], ..BatchGetItemInput::default() };
                let output = self.items().retry.send(|| self.backend.batch_get_item(input.clone())).await;
                let output = output.map_err(read_failure)?;
                for item in output.responses.into_values().flatten() {
                    let stored = item.into_attributes().map_err(ServiceError::from)?;
                    found.insert(self.items().encoded_key(&stored), stored);
                }
                left = output.unprocessed.into_iter().flat_map(|(_, keys)| keys.keys).collect();
                if left.is_empty() {
                    break;
                }
                if attempt + 1 >= retry::ATTEMPTS {
                    return Err(Error::Throttled);
                }
                self.items().retry.pause(attempt).await;
            }
        }
        Ok(found)
    }
}
