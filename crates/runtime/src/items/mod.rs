//! Reads of stored items: by key, by identity, in a key range. Shared by `read` and `write`.

mod batch;
mod find;
mod identity;
mod key;
mod key_range;
mod partition;
mod scan;

use keyfold_design::Design;
use keyfold_design::model::PerEntity;
use keyfold_dynamo::operation::{GetItemInput, PageOutput, QueryInput};
use keyfold_dynamo::{Attributes, Backend, Item, ServiceError};

pub(crate) use self::find::leads_nowhere;
pub(crate) use self::identity::{exists, identity_of, not_found};
pub(crate) use self::key::KeyError;
pub(crate) use self::key_range::ReferringPages;
use crate::error::Error;
use crate::record::Columns;
use crate::retry::Retry;

/// Reads the items of a design's table.
#[derive(Clone, Copy)]
pub(crate) struct Items<'r> {
    pub design: &'r Design,
    pub table: &'r str,
    pub backend: &'r dyn Backend,
    pub retry: Retry<'r>,
    /// The columns that a reader needs.
    pub columns: &'r PerEntity<Columns>,
}

impl Items<'_> {
    /// The item at a key, read consistently.
    pub(crate) async fn at_key(&self, key: Attributes) -> Result<Option<Item>, Error> {
        let input =
            GetItemInput { table_name: self.table.to_owned(), key, consistent_read: true, ..GetItemInput::default() };
        let output = self.retry.send(|| self.backend.get_item(input.clone())).await.map_err(read_failure)?;
        Ok(output.item)
    }

    /// The attributes of the item at a key, read consistently.
    pub(crate) async fn attributes_at_key(&self, key: Attributes) -> Result<Option<Attributes>, Error> {
        let item = self.at_key(key).await?;
        Ok(item.map(Item::into_attributes).transpose().map_err(ServiceError::from)?)
    }

    pub(crate) async fn query(&self, input: QueryInput) -> Result<PageOutput, ServiceError> {
        self.retry.send(|| self.backend.query(input.clone())).await
    }

    /// The attributes of the items that a query returns, and the key after which the next page starts.
    async fn query_attributes(&self, input: QueryInput) -> Result<(Vec<Attributes>, Option<Attributes>), Error> {
        let output = self.query(input).await.map_err(read_failure)?;
        let items = output.items.ok_or_else(|| Error::Unavailable("a query returned no items".to_owned()))?;
        let items: Result<Vec<Attributes>, _> = items.into_iter().map(Item::into_attributes).collect();
        Ok((items.map_err(ServiceError::from)?, output.last_evaluated_key))
    }
}

/// The failure of a read whose keys the design computed: if the table rejects them, that is not the caller's mistake.
pub(crate) fn read_failure(error: ServiceError) -> Error {
    match error {
        ServiceError::Validation(message) => Error::Unavailable(format!("it rejected a read: {message}")),
        error => error.into(),
    }
}
