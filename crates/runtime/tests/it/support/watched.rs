//! A backend that shows every request to a hook before it goes on to the engine.

use std::sync::Arc;

use keyfold_dynamo::operation::*;
use keyfold_dynamo::{Backend, BackendFuture, ForwardingBackend, ServiceError};

/// A request for items.
#[derive(Debug, Clone)]
pub(crate) enum Call {
    Get,
    Put(PutItemInput),
    Update(UpdateItemInput),
    Delete(DeleteItemInput),
    Query(QueryInput),
    BatchGet,
    BatchWrite(BatchWriteItemInput),
    Transact(TransactWriteItemsInput),
}

impl Call {
    pub(crate) fn is_write(&self) -> bool {
        matches!(self, Self::Put(_) | Self::Update(_) | Self::Delete(_) | Self::BatchWrite(_) | Self::Transact(_))
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Get => "GetItem",
            Self::Put(_) => "PutItem",
            Self::Update(_) => "UpdateItem",
            Self::Delete(_) => "DeleteItem",
            Self::Query(_) => "Query",
            Self::BatchGet => "BatchGetItem",
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
    ($($method:ident($input:ident: $type:ty) -> $output:ty = $call:expr;)*) => {
        $(fn $method(&self, $input: $type) -> BackendFuture<'_, $output> {
            Box::pin(async move {
                let call = $call;
                self.hook.before(call.clone()).await?;
                let output = self.inner.$method($input).await?;
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
        get_item(input: GetItemInput) -> GetItemOutput = Call::Get;
        put_item(input: PutItemInput) -> WriteOutput = Call::Put(input.clone());
        update_item(input: UpdateItemInput) -> WriteOutput = Call::Update(input.clone());
        delete_item(input: DeleteItemInput) -> WriteOutput = Call::Delete(input.clone());
        query(input: QueryInput) -> PageOutput = Call::Query(input.clone());
        batch_get_item(input: BatchGetItemInput) -> BatchGetItemOutput = Call::BatchGet;
        batch_write_item(input: BatchWriteItemInput) -> BatchWriteItemOutput = Call::BatchWrite(input.clone());
        transact_write_items(input: TransactWriteItemsInput) -> TransactWriteItemsOutput = Call::Transact(input.clone());
    }
}

/// What a service that has too much to do answers.
pub(crate) fn throttled() -> ServiceError {
    ServiceError::ProvisionedThroughputExceeded(
        "The level of configured provisioned throughput was exceeded".to_owned(),
    )
}
