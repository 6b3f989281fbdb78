//! A backend that shows every request to a hook before it goes on to the engine.

use std::sync::Arc;

use keyfold_dynamo::operation::*;
use keyfold_dynamo::{Backend, BackendFuture, ForwardingBackend, ServiceError};

/// A request for items.
#[derive(Debug, Clone)]
pub(crate) enum Call {
    Get(GetItemInput),
    Put(PutItemInput),
    Update(UpdateItemInput),
    Delete(DeleteItemInput),
    Query(QueryInput),
    Scan,
    BatchGet(BatchGetItemInput),
    BatchWrite(BatchWriteItemInput),
    Transact(TransactWriteItemsInput),
}

impl Call {
    pub(crate) fn is_write(&self) -> bool {
        matches!(self, Self::Put(_) | Self::Update(_) | Self::Delete(_) | Self::BatchWrite(_) | Self::Transact(_))
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Get(_) => "GetItem",
            Self::Put(_) => "PutItem",
            Self::Update(_) => "UpdateItem",
            Self::Delete(_) => "DeleteItem",
            Self::Query(_) => "Query",
            Self::Scan => "Scan",
            Self::BatchGet(_) => "BatchGetItem",
            Self::BatchWrite(_) => "BatchWriteItem",
            Self::Transact(_) => "TransactWriteItems",
        }
    }

    /// How many actions a transaction has.
    pub(crate) fn actions(&self) -> usize {
        match self {
            Self::Transact(input) => input.writes.len(),
            _ => 1,
        }
    }
}

/// Looks at requests, holds them up, or fails them.
pub(crate) trait Hook: Send + Sync {
    fn before(&self, call: Call) -> BackendFuture<'_, ()>;

    /// After the request has been carried out; an error is a lost answer.
    fn after(&self, _call: Call) -> BackendFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}

/// Lets everything pass.
pub(crate) struct Nothing;

impl Hook for Nothing {
    fn before(&self, _: Call) -> BackendFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }
}

pub(crate) struct Watched<H> {
    pub inner: Arc<dyn Backend>,
    pub hook: H,
}

macro_rules! watched {
    ($($method:ident, $call:ident, $input:ty, $output:ty;)*) => {
        $(fn $method(&self, input: $input) -> BackendFuture<'_, $output> {
            Box::pin(async move {
                let call = Call::$call(input.clone());
                self.hook.before(call.clone()).await?;
                let output = self.inner.$method(input).await?;
                self.hook.after(call).await?;
                Ok(output)
            })
        })*
    };
}

impl<H: Hook> ForwardingBackend for Watched<H> {
    fn inner(&self) -> &dyn Backend {
        self.inner.as_ref()
    }

    watched! {
        get_item, Get, GetItemInput, GetItemOutput;
        put_item, Put, PutItemInput, WriteOutput;
        update_item, Update, UpdateItemInput, WriteOutput;
        delete_item, Delete, DeleteItemInput, WriteOutput;
        query, Query, QueryInput, PageOutput;
        batch_get_item, BatchGet, BatchGetItemInput, BatchGetItemOutput;
        batch_write_item, BatchWrite, BatchWriteItemInput, BatchWriteItemOutput;
        transact_write_items, Transact, TransactWriteItemsInput, TransactWriteItemsOutput;
    }
}

/// What a service that has too much to do answers.
pub(crate) fn throttled() -> ServiceError {
    ServiceError::ProvisionedThroughputExceeded(
        "The level of configured provisioned throughput was exceeded".to_owned(),
    )
}
