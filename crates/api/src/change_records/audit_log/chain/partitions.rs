//! The partitions of the log, by name: sealing reads them one after another, without reading the whole table.

use std::collections::HashSet;

use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::operation::{PutItemInput, WriteOptions};
use keyfold_dynamo::{AttributeValue, Attributes, ServiceError};
use keyfold_runtime::Error;

use super::PARTITIONS;
use crate::change_records::table::{PARTITION, SORT};
use crate::change_records::{Open, RecordTable};

/// How many names are kept in memory. Others are stored again, which changes nothing.
const MOST_KNOWN: usize = 10_000;

/// The partitions that this process has stored, and those that are still to be.
#[derive(Default)]
pub(in crate::change_records) struct KnownPartitions {
    stored: HashSet<String>,
    new: HashSet<String>,
}

impl Open {
    /// Notes that an entry goes to a partition.
    pub(in crate::change_records) fn note_partition(&self, partition: &str) {
        let mut known = self.partitions.lock();
        if !known.stored.contains(partition) {
            known.new.insert(partition.to_owned());
        }
    }

    /// Stores the names of new partitions.
    pub(in crate::change_records) async fn store_partitions(&self) -> Result<(), Error> {
        let new: Vec<String> = self.partitions.lock().new.iter().cloned().collect();
        for partition in new {
            self.table.store_partition(&partition).await?;
            let mut known = self.partitions.lock();
            if known.stored.len() >= MOST_KNOWN {
                known.stored.clear();
            }
            known.new.remove(&partition);
            known.stored.insert(partition);
        }
        Ok(())
    }
}

impl RecordTable {
    /// Stores the name of a partition, unless it is stored.
    pub(super) async fn store_partition(&self, partition: &str) -> Result<(), Error> {
        let input = PutItemInput {
            table_name: self.name.clone(),
            item: key(partition),
            options: WriteOptions {
                condition: Some(Condition::attribute_not_exists(PARTITION)),
                ..WriteOptions::default()
            },
        };
        match self.backend.put_item(input).await {
            Ok(_) | Err(ServiceError::ConditionalCheckFailed { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// The key of the item with a partition's name.
pub(super) fn key(partition: &str) -> Attributes {
    let text = |text: &str| AttributeValue::S(text.to_owned());
    Attributes::from([(PARTITION.to_owned(), text(PARTITIONS)), (SORT.to_owned(), text(partition))])
}
