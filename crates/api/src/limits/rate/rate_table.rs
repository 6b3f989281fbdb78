//! A table in which several processes count the requests of their callers.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use keyfold_dynamo::expression::{SetAction, Update, ValueAction};
use keyfold_dynamo::operation::{CreateTableInput, ReturnValues, UpdateItemInput, WriteOptions};
use keyfold_dynamo::table::{AttributeDefinition, BillingMode, KeyRole, KeySchemaElement, KeyType};
use keyfold_dynamo::{AttributeValue, Attributes, Backend, Number, ServiceError};
use keyfold_runtime::{Clock, Error, ensure_table};

/// A write that takes longer has failed: requests do not wait for a slow table.
const TIMEOUT: Duration = Duration::from_millis(500);
/// How long counts are kept after their window, in seconds: the clocks of processes differ.
const KEPT_SECONDS: u64 = 600;

const PARTITION: &str = "PK";
const SORT: &str = "SK";
const COUNT: &str = "requests";
const EXPIRES: &str = "expiresAt";

/// The table of counts. It has an item for each caller and window, which expires soon after the window.
#[derive(Clone)]
pub struct RateTable {
    backend: Arc<dyn Backend>,
    name: String,
    clock: Arc<dyn Clock>,
}

impl fmt::Debug for RateTable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("RateTable").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Why requests could not be counted.
#[derive(Debug, thiserror::Error)]
pub(super) enum CountError {
    #[error(transparent)]
    Service(#[from] ServiceError),
    #[error("the table did not respond within {} ms", TIMEOUT.as_millis())]
    TimedOut,
    #[error("the table returned no count")]
    NoCount,
}

impl RateTable {
    /// Opens the table, and creates it if it is missing.
    pub async fn open(backend: Arc<dyn Backend>, name: &str, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        let element = |name: &str, role| KeySchemaElement { name: name.to_owned(), role };
        let text = |name: &str| AttributeDefinition { name: name.to_owned(), key_type: KeyType::S };
        let input = CreateTableInput {
            table_name: name.to_owned(),
            attribute_definitions: [PARTITION, SORT].map(text).to_vec(),
            key_schema: vec![element(PARTITION, KeyRole::Hash), element(SORT, KeyRole::Range)],
            billing_mode: Some(BillingMode::PayPerRequest),
            ..CreateTableInput::default()
        };
        ensure_table(backend.as_ref(), input, Some(EXPIRES), clock.as_ref()).await?;
        Ok(Self { backend, name: name.to_owned(), clock })
    }

    /// The number of the current window of so many seconds.
    pub(super) fn window(&self, seconds: u64) -> u64 {
        self.clock.now_ms() / 1000 / seconds.max(1)
    }

    /// Adds requests of a caller in a window, and returns those of all processes.
    pub(super) async fn add(&self, caller: &str, window: u64, seconds: u64, requests: u32) -> Result<u64, CountError> {
        let text = |text: String| AttributeValue::S(text);
        let number = |number: u64| AttributeValue::N(Number::from(number));
        let key = Attributes::from([
            (PARTITION.to_owned(), text(format!("RATE#{caller}"))),
            (SORT.to_owned(), text(window.to_string())),
        ]);
        let expires = SetAction::value(EXPIRES, number((window + 1) * seconds + KEPT_SECONDS));
        let count = ValueAction::new(COUNT, number(u64::from(requests)));
        let input = UpdateItemInput {
            table_name: self.name.clone(),
            key,
            update: Some(Update::new(vec![expires], Vec::new(), vec![count], Vec::new())?),
            options: WriteOptions { return_values: ReturnValues::UpdatedNew, ..WriteOptions::default() },
        };
        let written = tokio::time::timeout(TIMEOUT, self.backend.update_item(input)).await;
        let output = written.map_err(|_| CountError::TimedOut)??;
        let count = output.attributes.as_ref().and_then(|attributes| attributes.get(COUNT)?.as_number()?.to_i64());
        count.and_then(|count| u64::try_from(count).ok()).ok_or(CountError::NoCount)
    }
}
