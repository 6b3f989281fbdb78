//! A claim that one process holds at a time: what several programs must not do at once.

use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::operation::{DeleteItemInput, PutItemInput, WriteOptions};
use keyfold_dynamo::{AttributeValue, Attributes, Number, ServiceError};
use keyfold_runtime::Error;

use super::table::{EXPIRES, PARTITION, SORT};
use super::{ChangeRecords, RecordTable};

/// Begins the partitions of claims.
const CLAIM_PREFIX: &str = "CLAIM#";
/// Whoever does not release a claim, because they were killed, holds it for so long.
const LIFETIME_SECONDS: u64 = 60;

impl ChangeRecords {
    /// Claims a name, by a conditional write; `false` if another process holds it. Without a table, nothing is claimed.
    pub async fn claim(&self, name: &str) -> Result<bool, Error> {
        let Some(open) = &self.open else { return Ok(true) };
        let now = open.table.clock.now_ms() / 1000;
        let mut item = key(name);
        item.insert(EXPIRES.to_owned(), AttributeValue::N(Number::from(now + LIFETIME_SECONDS)));
        let options =
            WriteOptions { condition: Some(Condition::absent_or_at_most(EXPIRES, now)), ..WriteOptions::default() };
        let RecordTable { backend, name, .. } = &open.table;
        match backend.put_item(PutItemInput { table_name: name.clone(), item, options }).await {
            Ok(_) => Ok(true),
            Err(ServiceError::ConditionalCheckFailed { .. }) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Releases a name that this process has claimed.
    pub async fn release(&self, name: &str) -> Result<(), Error> {
        let Some(open) = &self.open else { return Ok(()) };
        let input =
            DeleteItemInput { table_name: open.table.name.clone(), key: key(name), ..DeleteItemInput::default() };
        open.table.backend.delete_item(input).await?;
        Ok(())
    }
}

fn key(name: &str) -> Attributes {
    let text = |text: String| AttributeValue::S(text);
    let partition = format!("{CLAIM_PREFIX}{name}");
    Attributes::from([(PARTITION.to_owned(), text(partition)), (SORT.to_owned(), text(CLAIM_PREFIX.to_owned()))])
}
