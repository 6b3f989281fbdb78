//! The operations of [`Backend`], sent through the SDK.

use keyfold_dynamo::operation::*;
use keyfold_dynamo::table::{TableDescription, Tags};
use keyfold_dynamo::{Backend, BackendFuture, ServiceError};

use crate::capabilities::Capabilities;
use crate::connect::{Clients, Options, connect};
use crate::conversion;
use crate::failures::Failure;
use crate::single_write::SingleWrite;

/// A service that speaks DynamoDB's protocol: Amazon DynamoDB, DynamoDB Local, Alternator, an engine that is served.
pub struct Aws {
    clients: Clients,
    capabilities: Capabilities,
}

impl Aws {
    /// A client by AWS's standard configuration: environment, profiles, the roles of containers and machines. Nothing
    /// is sent yet.
    pub async fn connect(options: Options) -> Self {
        Self { clients: connect(options.endpoint.as_deref()).await, capabilities: options.capabilities }
    }

    pub fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn require_transactions(&self) -> Result<(), ServiceError> {
        if self.capabilities.transactions {
            return Ok(());
        }
        Err(ServiceError::Validation(format!("{} has no transactions", self.capabilities.service)))
    }
}

/// Sends a request through a client; a `Failure` says what became of it.
macro_rules! send {
    ($request:expr, $client:expr) => {
        $request.send_with(&$client).await.map_err(Failure::from)
    };
}

impl Backend for Aws {
    fn get_item(&self, input: GetItemInput) -> BackendFuture<'_, GetItemOutput> {
        Box::pin(async move {
            conversion::get_item_from_sdk(
                send!(conversion::get_item_to_sdk(input), self.clients.retrying).map_err(Failure::into_read_error)?,
            )
        })
    }

    fn put_item(&self, input: PutItemInput) -> BackendFuture<'_, WriteOutput> {
        Box::pin(SingleWrite::Put(input).execute(&self.clients.single_attempt))
    }

    fn update_item(&self, input: UpdateItemInput) -> BackendFuture<'_, WriteOutput> {
        Box::pin(SingleWrite::Update(input).execute(&self.clients.single_attempt))
    }

    fn delete_item(&self, input: DeleteItemInput) -> BackendFuture<'_, WriteOutput> {
        Box::pin(SingleWrite::Delete(input).execute(&self.clients.single_attempt))
    }

    fn query(&self, input: QueryInput) -> BackendFuture<'_, PageOutput> {
        Box::pin(async move {
            conversion::query_from_sdk(
                send!(conversion::query_to_sdk(input), self.clients.retrying).map_err(Failure::into_read_error)?,
            )
        })
    }

    fn scan(&self, input: ScanInput) -> BackendFuture<'_, PageOutput> {
        Box::pin(async move {
            conversion::scan_from_sdk(
                send!(conversion::scan_to_sdk(input), self.clients.retrying).map_err(Failure::into_read_error)?,
            )
        })
    }

    fn batch_get_item(&self, input: BatchGetItemInput) -> BackendFuture<'_, BatchGetItemOutput> {
        Box::pin(async move {
            let output = send!(conversion::batch_get_item_to_sdk(input)?, self.clients.retrying);
            conversion::batch_get_item_from_sdk(output.map_err(Failure::into_read_error)?)
        })
    }

    /// Puts and deletes without conditions: carried out twice, they leave what they leave when carried out once.
    fn batch_write_item(&self, input: BatchWriteItemInput) -> BackendFuture<'_, BatchWriteItemOutput> {
        Box::pin(async move {
            let output = send!(conversion::batch_write_item_to_sdk(input)?, self.clients.retrying);
            conversion::batch_write_item_from_sdk(output.map_err(Failure::into_write_error)?)
        })
    }

    fn transact_get_items(&self, input: TransactGetItemsInput) -> BackendFuture<'_, TransactGetItemsOutput> {
        Box::pin(async move {
            self.require_transactions()?;
            let output = send!(conversion::transact_get_items_to_sdk(input)?, self.clients.retrying);
            conversion::transact_get_items_from_sdk(output.map_err(Failure::into_read_error)?)
        })
    }

    /// The token makes the service carry it out once, however often it is sent.
    fn transact_write_items(&self, input: TransactWriteItemsInput) -> BackendFuture<'_, TransactWriteItemsOutput> {
        Box::pin(async move {
            self.require_transactions()?;
            let output = send!(conversion::transact_write_items_to_sdk(input)?, self.clients.retrying);
            conversion::transact_write_items_from_sdk(output.map_err(Failure::into_write_error)?)
        })
    }

    // Retried after a lost response, the operations on tables would be refused for what they did themselves: they are
    // sent once.

    fn create_table(&self, input: CreateTableInput) -> BackendFuture<'_, TableDescription> {
        Box::pin(async move {
            let output = send!(conversion::create_table_to_sdk(input)?, self.clients.single_attempt);
            conversion::table_from_sdk(output.map_err(Failure::into_write_error)?.table_description)
        })
    }

    fn update_table(&self, input: UpdateTableInput) -> BackendFuture<'_, TableDescription> {
        Box::pin(async move {
            let output = send!(conversion::update_table_to_sdk(input)?, self.clients.single_attempt);
            conversion::table_from_sdk(output.map_err(Failure::into_write_error)?.table_description)
        })
    }

    fn delete_table(&self, table_name: String) -> BackendFuture<'_, TableDescription> {
        Box::pin(async move {
            let output =
                self.clients.single_attempt.delete_table().table_name(table_name).send().await.map_err(Failure::from);
            conversion::table_from_sdk(output.map_err(Failure::into_write_error)?.table_description)
        })
    }

    fn describe_table(&self, table_name: String) -> BackendFuture<'_, TableDescription> {
        Box::pin(async move {
            let output =
                self.clients.retrying.describe_table().table_name(table_name).send().await.map_err(Failure::from);
            conversion::table_from_sdk(output.map_err(Failure::into_read_error)?.table)
        })
    }

    fn list_tables(&self, input: ListTablesInput) -> BackendFuture<'_, ListTablesOutput> {
        Box::pin(async move {
            let output = send!(conversion::list_tables_to_sdk(input), self.clients.retrying);
            conversion::list_tables_from_sdk(output.map_err(Failure::into_read_error)?)
        })
    }

    fn describe_time_to_live(&self, table_name: String) -> BackendFuture<'_, TimeToLiveDescription> {
        Box::pin(async move {
            let request = self.clients.retrying.describe_time_to_live().table_name(table_name);
            let output = request.send().await.map_err(Failure::from).map_err(Failure::into_read_error)?;
            conversion::time_to_live_from_sdk(output.time_to_live_description)
        })
    }

    fn update_time_to_live(&self, input: UpdateTimeToLiveInput) -> BackendFuture<'_, UpdateTimeToLiveInput> {
        Box::pin(async move {
            let asked = input.clone();
            send!(conversion::update_time_to_live_to_sdk(input)?, self.clients.single_attempt)
                .map_err(Failure::into_write_error)?;
            Ok(asked)
        })
    }

    fn describe_continuous_backups(&self, table_name: String) -> BackendFuture<'_, ContinuousBackupsDescription> {
        Box::pin(async move {
            let request = self.clients.retrying.describe_continuous_backups().table_name(table_name);
            let output = request.send().await.map_err(Failure::from).map_err(Failure::into_read_error)?;
            conversion::continuous_backups_from_sdk(output.continuous_backups_description)
        })
    }

    fn describe_kinesis_destinations(&self, table_name: String) -> BackendFuture<'_, KinesisDestinations> {
        Box::pin(async move {
            let request = self.clients.retrying.describe_kinesis_streaming_destination().table_name(table_name);
            let output = request.send().await.map_err(Failure::from).map_err(Failure::into_read_error)?;
            conversion::kinesis_destinations_from_sdk(output)
        })
    }

    fn describe_limits(&self) -> BackendFuture<'_, LimitsDescription> {
        Box::pin(async move {
            let output = self.clients.retrying.describe_limits().send().await.map_err(Failure::from);
            conversion::limits_from_sdk(&output.map_err(Failure::into_read_error)?)
        })
    }

    fn tag_resource(&self, arn: String, tags: Tags) -> BackendFuture<'_, ()> {
        Box::pin(async move {
            send!(conversion::tag_resource_to_sdk(arn, tags)?, self.clients.retrying)
                .map_err(Failure::into_write_error)?;
            Ok(())
        })
    }

    fn untag_resource(&self, arn: String, keys: Vec<String>) -> BackendFuture<'_, ()> {
        Box::pin(async move {
            let request = self.clients.retrying.untag_resource().resource_arn(arn).set_tag_keys(Some(keys));
            request.send().await.map_err(Failure::from).map_err(Failure::into_write_error)?;
            Ok(())
        })
    }

    fn list_tags_of_resource(&self, arn: String, next_token: Option<String>) -> BackendFuture<'_, TagsPage> {
        Box::pin(async move {
            let request = self.clients.retrying.list_tags_of_resource().resource_arn(arn).set_next_token(next_token);
            let output = request.send().await.map_err(Failure::from).map_err(Failure::into_read_error)?;
            Ok(conversion::tags_from_sdk(output))
        })
    }
}
