//! The trait that a table backend implements: the embedded engine, or a client of DynamoDB itself.

use std::future::Future;
use std::pin::Pin;

use crate::error::ServiceError;
use crate::operation::*;
use crate::table::{TableDescription, Tags};

/// The future of one operation.
pub type BackendFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, ServiceError>> + Send + 'a>>;

/// The table of operations: every trait over all operations is made from it.
macro_rules! operations {
    ($($method:ident($($argument:ident: $type:ty),*) -> $output:ty;)*) => {
        /// Every operation that Keyfold asks of a table store, with DynamoDB's semantics.
        pub trait Backend: Send + Sync {
            $(
                #[doc = concat!("The operation `", stringify!($method), "`.")]
                fn $method(&self, $($argument: $type),*) -> BackendFuture<'_, $output>;
            )*
        }

        /// A backend in front of another: it implements the operations that it treats in its own way, and forwards all
        /// others.
        pub trait ForwardingBackend: Send + Sync {
            /// The backend behind this one.
            fn inner(&self) -> &dyn Backend;

            /// Called with the name of each operation before it is forwarded; an error is the response instead.
            fn before(&self, _operation: &'static str) -> Result<(), ServiceError> {
                Ok(())
            }

            $(
                #[doc = concat!("Forwards `", stringify!($method), "`.")]
                fn $method(&self, $($argument: $type),*) -> BackendFuture<'_, $output> {
                    match self.before(stringify!($method)) {
                        Ok(()) => self.inner().$method($($argument),*),
                        Err(error) => Box::pin(async move { Err(error) }),
                    }
                }
            )*
        }

        impl<F: ForwardingBackend> Backend for F {
            $(
                fn $method(&self, $($argument: $type),*) -> BackendFuture<'_, $output> {
                    ForwardingBackend::$method(self, $($argument),*)
                }
            )*
        }
    };
}

operations! {
    get_item(input: GetItemInput) -> GetItemOutput;
    put_item(input: PutItemInput) -> WriteOutput;
    update_item(input: UpdateItemInput) -> WriteOutput;
    delete_item(input: DeleteItemInput) -> WriteOutput;
    query(input: QueryInput) -> PageOutput;
    scan(input: ScanInput) -> PageOutput;
    batch_get_item(input: BatchGetItemInput) -> BatchGetItemOutput;
    batch_write_item(input: BatchWriteItemInput) -> BatchWriteItemOutput;
    transact_get_items(input: TransactGetItemsInput) -> TransactGetItemsOutput;
    transact_write_items(input: TransactWriteItemsInput) -> TransactWriteItemsOutput;

    create_table(input: CreateTableInput) -> TableDescription;
    update_table(input: UpdateTableInput) -> TableDescription;
    delete_table(table_name: String) -> TableDescription;
    describe_table(table_name: String) -> TableDescription;
    list_tables(input: ListTablesInput) -> ListTablesOutput;

    describe_time_to_live(table_name: String) -> TimeToLiveDescription;
    update_time_to_live(input: UpdateTimeToLiveInput) -> UpdateTimeToLiveInput;
    describe_continuous_backups(table_name: String) -> ContinuousBackupsDescription;
    describe_kinesis_destinations(table_name: String) -> KinesisDestinations;
    describe_limits() -> LimitsDescription;

    tag_resource(arn: String, tags: Tags) -> ();
    untag_resource(arn: String, keys: Vec<String>) -> ();
    list_tags_of_resource(arn: String, next_token: Option<String>) -> TagsPage;
}
