//! A backend that writes down what it is asked and what it answers.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};

use keyfold_dynamo::operation::*;
use keyfold_dynamo::{Attributes, Backend, BackendFuture, ForwardingBackend, Item, ServiceError};

use crate::designs_on_backends::difference::Exactness;

/// One request with its answer, the table's name left out.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Exchange {
    pub operation: &'static str,
    pub asked: String,
    pub answer: Told,
}

/// What is compared of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Told {
    Nothing,
    Page(Page),
    Other { text: String, units: f64 },
    Failed(ServiceError),
}

impl Told {
    /// The items of a page, in their order.
    pub(super) fn items(&self) -> &[Attributes] {
        match self {
            Self::Page(page) => &page.items,
            _ => &[],
        }
    }
}

/// A page of a Query.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Page {
    pub index: Option<String>,
    pub items: Vec<Attributes>,
    pub counts: (usize, usize),
    pub last: Option<Attributes>,
    pub units: f64,
}

pub(super) struct Recording {
    inner: Arc<dyn Backend>,
    exactness: Exactness,
    table: String,
    exchanges: Arc<Mutex<Vec<Exchange>>>,
}

impl Recording {
    pub(super) fn of(
        inner: Arc<dyn Backend>,
        exactness: Exactness,
        table: &str,
    ) -> (Arc<Self>, Arc<Mutex<Vec<Exchange>>>) {
        let exchanges = Arc::new(Mutex::new(Vec::new()));
        (Arc::new(Self { inner, exactness, table: table.to_owned(), exchanges: exchanges.clone() }), exchanges)
    }

    /// Writes down the request where it is made, and its answer when it comes: answers may overtake each other.
    fn record<'a, T: Send + 'a>(
        &'a self,
        operation: &'static str,
        asked: &impl Debug,
        answer: BackendFuture<'a, T>,
        told: impl Fn(&T) -> Told + Send + 'a,
    ) -> BackendFuture<'a, T> {
        let asked = format!("{asked:?}").replace(&self.table, "…");
        let place = {
            let mut exchanges = self.exchanges.lock().unwrap();
            exchanges.push(Exchange { operation, asked, answer: Told::Nothing });
            exchanges.len() - 1
        };
        Box::pin(async move {
            let answer = answer.await;
            let told = match &answer {
                Ok(output) => told(output),
                Err(error) => Told::Failed(error.clone()),
            };
            self.exchanges.lock().unwrap()[place].answer = told;
            answer
        })
    }

    /// A query that finds nothing costs the least amount, and nothing on DynamoDB Local (a known difference of the
    /// conformance tests). Designs say what their patterns cost, and that is compared as well.
    fn charge_for_nothing(&self, consistent: bool, output: &mut PageOutput) {
        let nothing = self.exactness == Exactness::AsDynamoDbLocal && output.scanned_count == 0;
        if let Some(capacity) = output.consumed_capacity.as_mut().filter(|_| nothing) {
            assert_eq!(capacity.total.capacity, 0.0, "DynamoDB Local charges for nothing by now");
            capacity.total.capacity = if consistent { 1.0 } else { 0.5 };
        }
    }

    fn other(&self, answer: &impl Debug, capacity: impl IntoIterator<Item = f64>) -> Told {
        Told::Other { text: format!("{answer:?}").replace(&self.table, "…"), units: capacity.into_iter().sum() }
    }
}

fn units(capacity: &Option<ConsumedCapacity>) -> Option<f64> {
    capacity.as_ref().map(|capacity| capacity.total.capacity)
}

impl ForwardingBackend for Recording {
    fn inner(&self) -> &dyn Backend {
        self.inner.as_ref()
    }

    fn get_item(&self, input: GetItemInput) -> BackendFuture<'_, GetItemOutput> {
        let told = |output: &GetItemOutput| self.other(&output.item, units(&output.consumed_capacity));
        self.record("GetItem", &input.clone(), self.inner.get_item(input), told)
    }

    fn put_item(&self, input: PutItemInput) -> BackendFuture<'_, WriteOutput> {
        let told = |output: &WriteOutput| self.other(&output.attributes, units(&output.consumed_capacity));
        self.record("PutItem", &input.clone(), self.inner.put_item(input), told)
    }

    fn update_item(&self, input: UpdateItemInput) -> BackendFuture<'_, WriteOutput> {
        let told = |output: &WriteOutput| self.other(&output.attributes, units(&output.consumed_capacity));
        self.record("UpdateItem", &input.clone(), self.inner.update_item(input), told)
    }

    fn delete_item(&self, input: DeleteItemInput) -> BackendFuture<'_, WriteOutput> {
        let told = |output: &WriteOutput| self.other(&output.attributes, units(&output.consumed_capacity));
        self.record("DeleteItem", &input.clone(), self.inner.delete_item(input), told)
    }

    fn query(&self, input: QueryInput) -> BackendFuture<'_, PageOutput> {
        let index = input.page.index_name.clone();
        let told = move |output: &PageOutput| {
            let items = output.items.iter().flatten().cloned();
            Told::Page(Page {
                index: index.clone(),
                items: items.map(|item| Item::into_attributes(item).unwrap()).collect(),
                counts: (output.count, output.scanned_count),
                last: output.last_evaluated_key.clone(),
                units: units(&output.consumed_capacity).unwrap_or_default(),
            })
        };
        let asked = input.clone();
        let output = self.inner.query(input);
        let charged = Box::pin(async move {
            let mut output = output.await?;
            self.charge_for_nothing(asked.page.consistent_read, &mut output);
            Ok(output)
        });
        self.record("Query", &asked.clone(), charged, told)
    }

    fn batch_get_item(&self, input: BatchGetItemInput) -> BackendFuture<'_, BatchGetItemOutput> {
        let told = |output: &BatchGetItemOutput| {
            // A batch answers in no order.
            let mut items: Vec<String> = output.responses.values().flatten().map(|item| format!("{item:?}")).collect();
            items.sort();
            let capacity = output.consumed_capacity.iter().map(|capacity| capacity.total.capacity);
            self.other(&(items, &output.unprocessed), capacity)
        };
        self.record("BatchGetItem", &input.clone(), self.inner.batch_get_item(input), told)
    }

    fn batch_write_item(&self, input: BatchWriteItemInput) -> BackendFuture<'_, BatchWriteItemOutput> {
        let told = |output: &BatchWriteItemOutput| {
            let capacity = output.consumed_capacity.iter().map(|capacity| capacity.total.capacity);
            self.other(&output.unprocessed, capacity)
        };
        self.record("BatchWriteItem", &input.clone(), self.inner.batch_write_item(input), told)
    }

    fn transact_get_items(&self, input: TransactGetItemsInput) -> BackendFuture<'_, TransactGetItemsOutput> {
        let told = |output: &TransactGetItemsOutput| {
            let capacity = output.consumed_capacity.iter().map(|capacity| capacity.total.capacity);
            self.other(&output.items, capacity)
        };
        self.record("TransactGetItems", &input.clone(), self.inner.transact_get_items(input), told)
    }

    fn transact_write_items(&self, mut input: TransactWriteItemsInput) -> BackendFuture<'_, TransactWriteItemsOutput> {
        let told = |output: &TransactWriteItemsOutput| {
            let capacity = output.consumed_capacity.iter().map(|capacity| capacity.total.capacity);
            self.other(&(), capacity)
        };
        let asked = input.clone();
        // All scenarios draw the same tokens, and a service knows a token whichever table it was for.
        input.client_request_token = input.client_request_token.map(|token| token_of(&self.table, &token));
        self.record("TransactWriteItems", &asked, self.inner.transact_write_items(input), told)
    }
}

/// A token of 36 characters that no other table has.
fn token_of(table: &str, token: &str) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    (table, token).hash(&mut hasher);
    format!("{:016x}-{}", hasher.finish(), token.chars().take(19).collect::<String>())
}
