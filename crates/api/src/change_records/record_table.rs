//! The table of the records, as servers and commands read it.

use std::sync::Arc;

use keyfold_dynamo::expression::{Condition, KeyCondition};
use keyfold_dynamo::operation::{PageOptions, PageOutput, QueryInput, ScanInput};
use keyfold_dynamo::{AttributeValue, Attributes, Backend, Item, ServiceError};
use keyfold_runtime::{Clock, Error};

use super::ChangeRecordError;
use super::table::{self, PARTITION, SORT};

/// The table of the records on a backend. Servers have it open; commands work on it without a server.
pub struct RecordTable {
    pub(super) backend: Arc<dyn Backend>,
    pub(super) name: String,
    pub(super) clock: Arc<dyn Clock>,
}

/// The items of the table that are read.
pub(super) enum Items<'a> {
    /// Those whose partition begins with a text, partition by partition, in the order of their sort keys.
    Scanned(&'a str),
    /// Those of one partition, between two sort keys.
    Between { partition: &'a str, from: &'a str, to: &'a str },
}

/// A page of items.
pub(super) struct RecordPage {
    pub items: Vec<Attributes>,
    /// The key after which the next page starts.
    pub last_key: Option<Attributes>,
}

impl RecordPage {
    fn read(output: PageOutput) -> Result<Self, ChangeRecordError> {
        let items = output.items.ok_or_else(|| Error::Unavailable("a read returned no items".to_owned()))?;
        let items: Result<Vec<Attributes>, _> = items.into_iter().map(Item::into_attributes).collect();
        Ok(Self { items: items.map_err(ServiceError::from)?, last_key: output.last_evaluated_key })
    }
}

impl RecordTable {
    /// Finds the table.
    pub async fn open(backend: Arc<dyn Backend>, name: &str, clock: Arc<dyn Clock>) -> Result<Self, ChangeRecordError> {
        let description = backend.describe_table(name.to_owned()).await?;
        table::require_audit_table(&description)?;
        Ok(Self { backend, name: name.to_owned(), clock })
    }

    /// Reads items page by page, consistently; the filter leaves some of them out.
    pub(super) async fn read(
        &self,
        items: Items<'_>,
        filter: Option<Condition>,
        visit: &mut (dyn FnMut(Attributes) -> Result<(), ChangeRecordError> + Send),
    ) -> Result<(), ChangeRecordError> {
        let mut start = None;
        loop {
            let page = self.page(&items, filter.clone(), start).await?;
            page.items.into_iter().try_for_each(&mut *visit)?;
            match page.last_key {
                Some(key) => start = Some(key),
                None => return Ok(()),
            }
        }
    }

    /// The last item of a partition, read consistently.
    pub(super) async fn last(&self, partition: &str) -> Result<Option<Attributes>, ChangeRecordError> {
        let input = QueryInput {
            table_name: self.name.clone(),
            key_condition: KeyCondition::partition(PARTITION, AttributeValue::S(partition.to_owned())),
            forward: false,
            page: PageOptions { limit: Some(1), consistent_read: true, ..PageOptions::default() },
        };
        Ok(self.query(input).await?.items.into_iter().next())
    }

    /// A page of the items that a query finds.
    pub(super) async fn query(&self, input: QueryInput) -> Result<RecordPage, ChangeRecordError> {
        RecordPage::read(self.backend.query(input).await?)
    }

    async fn page(
        &self,
        items: &Items<'_>,
        filter: Option<Condition>,
        start: Option<Attributes>,
    ) -> Result<RecordPage, ChangeRecordError> {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let table_name = self.name.clone();
        let page = PageOptions { exclusive_start_key: start, consistent_read: true, ..PageOptions::default() };
        match items {
            Items::Scanned(prefix) => {
                let kind = Condition::begins_with(PARTITION, text(prefix));
                let filter = Condition::all(std::iter::once(kind).chain(filter));
                let page = PageOptions { filter, ..page };
                RecordPage::read(self.backend.scan(ScanInput { table_name, page, ..ScanInput::default() }).await?)
            }
            Items::Between { partition, from, to } => {
                let range = Condition::between(SORT, text(from), text(to));
                let key_condition = KeyCondition::partition(PARTITION, text(partition)).and(range);
                let page = PageOptions { filter, ..page };
                self.query(QueryInput { table_name, key_condition, forward: true, page }).await
            }
        }
    }
}
