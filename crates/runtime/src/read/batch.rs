//! Many items by their identities.

use std::collections::HashMap;

use keyfold_design::model::Verb;
use keyfold_dynamo::Attributes;
use keyfold_dynamo::item::codec;

use super::get::bind_get;
use crate::authorize::{Access, authorize};
use crate::caller::Caller;
use crate::error::Error;
use crate::items::KeyError;
use crate::record::Record;
use crate::runtime::Runtime;
use crate::tenancy::confinement;

impl Runtime {
    /// The items of entities and identities, in order, read consistently; `None` for those that are not there or not
    /// for the caller. The same item may be asked for several times. One that does not fit the design fails the call,
    /// for callers who may know of it, as [`Runtime::get`] of it does.
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
            let place = match bind_get(&self.design, &confined, entity, &mut identity)? {
                false => None,
                true if !entity.is_found_by_key() => Some((identity, None)),
                true => {
                    let key = self.items().key_of(entity, &identity).map_err(KeyError::into_identity_error)?;
                    let encoded = codec::encode(&key);
                    keys.insert(encoded.clone(), key);
                    Some((identity, Some(encoded)))
                }
            };
            places.push((authorized, place));
        }
        let found = self.items().at_keys(keys.into_values().collect()).await?;
        let mut records = Vec::with_capacity(places.len());
        for (authorized, place) in places {
            let entity = authorized.entity();
            let Some((identity, key)) = place else {
                records.push(None);
                continue;
            };
            let record = match key {
                None => self.items().find(entity, &identity).await,
                Some(key) => match found.get(&key) {
                    Some(stored) => Record::read_kind(entity, stored.clone()),
                    None => Ok(None),
                },
            };
            let visible = self.visible_part(&authorized, &confined, &identity, record)?;
            records.push(visible.map(|record| self.require_fit(record)).transpose()?);
        }
        Ok(records)
    }
}
