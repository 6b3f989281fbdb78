//! Many items by their keys.

use std::collections::HashMap;

use keyfold_dynamo::limits::BATCH_GET_KEYS;
use keyfold_dynamo::operation::{BatchGetItemInput, KeysAndAttributes};
use keyfold_dynamo::{Attributes, ServiceError};

use super::{Items, read_failure};
use crate::error::Error;
use crate::retry;

impl Items<'_> {
    /// Items by their keys, in groups; keys that a response leaves out are requested again, a bounded
    /// number of times.
    pub(crate) async fn at_keys(&self, keys: Vec<Attributes>) -> Result<HashMap<Vec<u8>, Attributes>, Error> {
        let mut found = HashMap::with_capacity(keys.len());
        for group in keys.chunks(BATCH_GET_KEYS) {
            let mut left = group.to_vec();
            for attempt in 0.. {
                let keys =
                    KeysAndAttributes { keys: left.clone(), consistent_read: true, ..KeysAndAttributes::default() };
                let input =
                    BatchGetItemInput { requests: vec![(self.table.to_owned(), keys)], ..BatchGetItemInput::default() };
                let output = self.retry.send(|| self.backend.batch_get_item(input.clone())).await;
                let output = output.map_err(read_failure)?;
                for item in output.responses.into_values().flatten() {
                    let stored = item.into_attributes().map_err(ServiceError::from)?;
                    found.insert(self.encoded_key(&stored), stored);
                }
                left = output.unprocessed.into_iter().flat_map(|(_, keys)| keys.keys).collect();
                if left.is_empty() {
                    break;
                }
                if attempt + 1 >= retry::ATTEMPTS {
                    return Err(Error::Throttled);
                }
                self.retry.pause(attempt).await;
            }
        }
        Ok(found)
    }
}
