//! A backend in front of another that throttles, processes half of a batch, fails, or reports tables too late.

use std::sync::Arc;
use std::sync::Mutex;

use keyfold_dynamo::operation::*;
use keyfold_dynamo::table::TableDescription;
use keyfold_dynamo::{Backend, BackendFuture, ForwardingBackend, ServiceError};

/// What a test makes of a request before it is carried out.
pub(crate) enum Mischief {
    None,
    Fail(ServiceError),
    /// Carry out so many requests of a batch, and give the others back.
    TakeOnly(usize),
    /// Answer as if it had been done.
    Pretend,
}

type Prank = Box<dyn FnMut(&str, usize) -> Mischief + Send>;

/// Asks a prank, with the name of the operation and the size of its batch, what to do with each request.
pub(crate) struct Unruly {
    inner: Arc<dyn Backend>,
    prank: Mutex<Prank>,
    /// Names and sizes of all requests.
    pub seen: Mutex<Vec<(String, usize)>>,
    pub updates: Mutex<Vec<UpdateTableInput>>,
}

impl Unruly {
    pub(crate) fn new(
        inner: Arc<dyn Backend>,
        prank: impl FnMut(&str, usize) -> Mischief + Send + 'static,
    ) -> Arc<Self> {
        Arc::new(Self { inner, prank: Mutex::new(Box::new(prank)), seen: Mutex::default(), updates: Mutex::default() })
    }

    fn ask(&self, operation: &str, size: usize) -> Mischief {
        self.seen.lock().unwrap().push((operation.to_owned(), size));
        self.prank.lock().unwrap()(operation, size)
    }

    pub(crate) fn count(&self, operation: &str) -> usize {
        self.seen.lock().unwrap().iter().filter(|(name, _)| name == operation).count()
    }

    pub(crate) fn largest(&self, operation: &str) -> usize {
        let seen = self.seen.lock().unwrap();
        seen.iter().filter(|(name, _)| name == operation).map(|(_, size)| *size).max().unwrap_or(0)
    }
}

impl ForwardingBackend for Unruly {
    fn inner(&self) -> &dyn Backend {
        self.inner.as_ref()
    }

    fn before(&self, operation: &'static str) -> Result<(), ServiceError> {
        match self.ask(operation, 0) {
            Mischief::Fail(error) => Err(error),
            _ => Ok(()),
        }
    }

    fn update_table(&self, input: UpdateTableInput) -> BackendFuture<'_, TableDescription> {
        self.updates.lock().unwrap().push(input.clone());
        match self.ask("update_table", 0) {
            Mischief::Fail(error) => Box::pin(async move { Err(error) }),
            Mischief::Pretend => self.inner.describe_table(input.table_name),
            _ => self.inner.update_table(input),
        }
    }

    fn batch_get_item(&self, mut input: BatchGetItemInput) -> BackendFuture<'_, BatchGetItemOutput> {
        let size = input.requests.iter().map(|(_, keys)| keys.keys.len()).sum();
        let mut left = Vec::new();
        match self.ask("batch_get_item", size) {
            Mischief::Fail(error) => return Box::pin(async move { Err(error) }),
            Mischief::TakeOnly(count) => {
                for (table, keys) in &mut input.requests {
                    let rest = keys.keys.split_off(count.min(keys.keys.len()));
                    left.push((table.clone(), KeysAndAttributes { keys: rest, ..keys.clone() }));
                }
            }
            _ => {}
        }
        Box::pin(async move {
            let nothing = input.requests.iter().all(|(_, keys)| keys.keys.is_empty());
            let mut output = if nothing { Default::default() } else { self.inner.batch_get_item(input).await? };
            output.unprocessed.extend(left);
            Ok(output)
        })
    }

    fn batch_write_item(&self, mut input: BatchWriteItemInput) -> BackendFuture<'_, BatchWriteItemOutput> {
        let size = input.requests.iter().map(|(_, requests)| requests.len()).sum();
        let mut left = Vec::new();
        match self.ask("batch_write_item", size) {
            Mischief::Fail(error) => return Box::pin(async move { Err(error) }),
            Mischief::TakeOnly(count) => {
                for (table, requests) in &mut input.requests {
                    left.push((table.clone(), requests.split_off(count.min(requests.len()))));
                }
            }
            _ => {}
        }
        left.retain(|(_, requests)| !requests.is_empty());
        Box::pin(async move {
            let nothing = input.requests.iter().all(|(_, requests)| requests.is_empty());
            let mut output = if nothing { Default::default() } else { self.inner.batch_write_item(input).await? };
            output.unprocessed.extend(left);
            Ok(output)
        })
    }
}
