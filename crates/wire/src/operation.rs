//! The operations of the endpoint, one row each: whether it reads or writes, its name, its input, how the input is
//! decoded, the response, the tables that the request names, and how large the response may become unless it is always
//! small or produced at once.

use keyfold_dynamo::operation::*;
use keyfold_dynamo::table::Tags;
use keyfold_dynamo::{Backend, ServiceError};

use crate::failure::Failure;
use crate::json::Reader;
use crate::request_tables::Tables;
use crate::{decode, encode, response_size};

/// Whether an operation changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Read,
    Write,
}

macro_rules! operations {
    ($reader:ident, $backend:ident, $host:ident: $(
        $effect:ident $name:ident $(($input:ident: $type:ty))? $({ $($field:ident: $field_type:ty),* })? =
            $decode:expr => $respond:expr, in $tables:expr $(, up to $size:expr)?;
    )*) => {
        /// One operation with its input.
        #[derive(Debug, Clone, PartialEq)]
        pub enum Request {
            $($name $(($type))? $({ $($field: $field_type),* })?,)*
        }

        /// The operations that the endpoint supports.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Operation {
            $($name,)*
        }

        impl Operation {
            /// Every operation, in no particular order.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name),)*
                }
            }

            fn effect(self) -> Effect {
                match self {
                    $(Self::$name => Effect::$effect,)*
                }
            }

            fn from_name(name: &str) -> Option<Self> {
                Some(match name {
                    $(stringify!($name) => Self::$name,)*
                    _ => return None,
                })
            }
        }

        /// Reads the input of an operation from the body of a request.
        pub(crate) fn decode_input(operation: Operation, body: &[u8]) -> Result<Request, Failure> {
            let mut json = Reader::new(body)?;
            let $reader = &mut json;
            Ok(match operation {
                $(Operation::$name => $decode,)*
            })
        }

        /// The tables that a request names.
        #[expect(unused_variables, reason = "few members name tables")]
        pub(crate) fn tables(request: &Request) -> Tables<'_> {
            match request {
                $(Request::$name $(($input))? $({ $($field),* })? => $tables,)*
            }
        }

        /// How much memory to reserve for the response to a request, in bytes.
        #[expect(unused_variables, reason = "few sizes depend on the input")]
        pub(crate) fn largest_response(request: &Request) -> usize {
            match request {
                $(Request::$name $(($input))? $({ $($field),* })? => 0 $(+ $size)?,)*
            }
        }

        /// Executes a request and encodes its response; `host` is the address under which the client reached the
        /// server.
        pub async fn execute(
            $backend: &dyn Backend,
            request: Request,
            $host: &str,
        ) -> Result<Vec<u8>, ServiceError> {
            Ok(match request {
                $(Request::$name $(($input))? $({ $($field),* })? => $respond,)*
            })
        }
    };
}

operations! { reader, backend, host:
    Read GetItem(input: GetItemInput) =
        Request::GetItem(decode::get_item(reader)?) => encode::get(&backend.get_item(input).await?)?,
        in Tables::one(&input.table_name);
    Write PutItem(input: PutItemInput) =
        Request::PutItem(decode::put_item(reader)?) => encode::write(&backend.put_item(input).await?),
        in Tables::one(&input.table_name), up to response_size::write(&input.options);
    Write UpdateItem(input: UpdateItemInput) =
        Request::UpdateItem(decode::update_item(reader)?) => encode::write(&backend.update_item(input).await?),
        in Tables::one(&input.table_name), up to response_size::write(&input.options);
    Write DeleteItem(input: DeleteItemInput) =
        Request::DeleteItem(decode::delete_item(reader)?) => encode::write(&backend.delete_item(input).await?),
        in Tables::one(&input.table_name), up to response_size::write(&input.options);
    Read Query(input: QueryInput) =
        Request::Query(decode::query(reader)?) => encode::page(&backend.query(input).await?)?,
        in Tables::one(&input.table_name), up to response_size::page(&input.page);
    Read Scan(input: ScanInput) =
        Request::Scan(decode::scan(reader)?) => encode::page(&backend.scan(input).await?)?,
        in Tables::one(&input.table_name), up to response_size::page(&input.page);
    Read BatchGetItem(input: BatchGetItemInput) =
        Request::BatchGetItem(decode::batch_get_item(reader)?)
            => encode::batch_get(&backend.batch_get_item(input).await?)?,
        in Tables::keys(&input.requests), up to response_size::batch_get(input);
    Write BatchWriteItem(input: BatchWriteItemInput) =
        Request::BatchWriteItem(decode::batch_write_item(reader)?)
            => encode::batch_write(&backend.batch_write_item(input).await?),
        in Tables::keys(&input.requests);
    Read TransactGetItems(input: TransactGetItemsInput) =
        Request::TransactGetItems(decode::transact_get_items(reader)?)
            => encode::transact_get(&backend.transact_get_items(input).await?)?,
        in Tables::each(&input.gets, |get| &get.table_name), up to response_size::transact_get(input);
    Write TransactWriteItems(input: TransactWriteItemsInput) =
        Request::TransactWriteItems(decode::transact_write_items(reader)?)
            => encode::transact_write(&backend.transact_write_items(input).await?),
        in Tables::each(&input.writes, |write| &write.table_name), up to response_size::transact_write(input);
    Write CreateTable(input: CreateTableInput) =
        Request::CreateTable(decode::create_table(reader)?)
            => encode::described_table("TableDescription", &backend.create_table(input).await?),
        in Tables::one(&input.table_name);
    Write UpdateTable(input: UpdateTableInput) =
        Request::UpdateTable(decode::update_table(reader)?)
            => encode::described_table("TableDescription", &backend.update_table(input).await?),
        in Tables::one(&input.table_name);
    Write DeleteTable(name: String) =
        Request::DeleteTable(decode::table_only(reader)?)
            => encode::described_table("TableDescription", &backend.delete_table(name).await?),
        in Tables::one(name);
    Read DescribeTable(name: String) =
        Request::DescribeTable(decode::table_only(reader)?)
            => encode::described_table("Table", &backend.describe_table(name).await?),
        in Tables::one(name);
    Read ListTables(input: ListTablesInput) =
        Request::ListTables(decode::list_tables(reader)?) => encode::list_tables(&backend.list_tables(input).await?),
        in Tables::All;
    Read DescribeTimeToLive(name: String) =
        Request::DescribeTimeToLive(decode::table_only(reader)?)
            => encode::time_to_live(&backend.describe_time_to_live(name).await?),
        in Tables::one(name);
    Write UpdateTimeToLive(input: UpdateTimeToLiveInput) =
        Request::UpdateTimeToLive(decode::update_time_to_live(reader)?)
            => encode::time_to_live_specification(&backend.update_time_to_live(input).await?),
        in Tables::one(&input.table_name);
    Read DescribeContinuousBackups(name: String) =
        Request::DescribeContinuousBackups(decode::table_only(reader)?)
            => encode::continuous_backups(&backend.describe_continuous_backups(name).await?),
        in Tables::one(name);
    Read DescribeKinesisStreamingDestination(name: String) =
        Request::DescribeKinesisStreamingDestination(decode::table_only(reader)?)
            => encode::kinesis_destinations(&backend.describe_kinesis_destinations(name).await?),
        in Tables::one(name);
    Read DescribeLimits =
        decode::nothing(reader).map(|()| Request::DescribeLimits)?
            => encode::limits(&backend.describe_limits().await?),
        in Tables::None;
    Read DescribeEndpoints =
        decode::nothing(reader).map(|()| Request::DescribeEndpoints)? => encode::endpoints(host),
        in Tables::None;
    Write TagResource { arn: String, tags: Tags } =
        decode::tag_resource(reader).map(|(arn, tags)| Request::TagResource { arn, tags })?
            => encode::nothing(backend.tag_resource(arn, tags).await?),
        in Tables::from_arn(arn);
    Write UntagResource { arn: String, keys: Vec<String> } =
        decode::untag_resource(reader).map(|(arn, keys)| Request::UntagResource { arn, keys })?
            => encode::nothing(backend.untag_resource(arn, keys).await?),
        in Tables::from_arn(arn);
    Read ListTagsOfResource { arn: String, next_token: Option<String> } =
        decode::list_tags_of_resource(reader)
            .map(|(arn, next_token)| Request::ListTagsOfResource { arn, next_token })?
            => encode::tags_page(&backend.list_tags_of_resource(arn, next_token).await?),
        in Tables::from_arn(arn);
}

impl Operation {
    /// The operation that a value of the `X-Amz-Target` header names.
    pub fn from_target(target: &str) -> Option<Self> {
        Self::from_name(target.strip_prefix("DynamoDB_20120810.")?)
    }

    /// Whether it can be executed a second time instead of waiting with its response in memory.
    pub(crate) fn is_repeatable(self) -> bool {
        !self.is_write()
    }

    /// Whether it changes items or tables.
    pub(crate) fn is_write(self) -> bool {
        self.effect() == Effect::Write
    }
}

/// Reads a request: the operation from the text of the `X-Amz-Target` header, its input from the body.
pub fn decode_request(target: &str, body: &[u8]) -> Result<Request, Failure> {
    decode_input(Operation::from_target(target).ok_or(Failure::UnknownOperation)?, body)
}
