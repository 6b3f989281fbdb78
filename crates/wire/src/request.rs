//! A request that was read, and the names of the operations.

use keyfold_dynamo::operation::*;
use keyfold_dynamo::table::Tags;

/// One operation with its input.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    GetItem(GetItemInput),
    PutItem(PutItemInput),
    UpdateItem(UpdateItemInput),
    DeleteItem(DeleteItemInput),
    Query(QueryInput),
    Scan(ScanInput),
    BatchGetItem(BatchGetItemInput),
    BatchWriteItem(BatchWriteItemInput),
    TransactGetItems(TransactGetItemsInput),
    TransactWriteItems(TransactWriteItemsInput),
    CreateTable(CreateTableInput),
    UpdateTable(UpdateTableInput),
    DeleteTable(String),
    DescribeTable(String),
    ListTables(ListTablesInput),
    DescribeTimeToLive(String),
    UpdateTimeToLive(UpdateTimeToLiveInput),
    DescribeContinuousBackups(String),
    DescribeLimits,
    DescribeEndpoints,
    TagResource { arn: String, tags: Tags },
    UntagResource { arn: String, keys: Vec<String> },
    ListTagsOfResource { arn: String, next_token: Option<String> },
}

macro_rules! operations {
    ($($name:ident),* $(,)?) => {
        /// The operations that are answered.
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

            fn from_name(name: &str) -> Option<Self> {
                Some(match name {
                    $(stringify!($name) => Self::$name,)*
                    _ => return None,
                })
            }
        }
    };
}

operations!(
    GetItem,
    PutItem,
    UpdateItem,
    DeleteItem,
    Query,
    Scan,
    BatchGetItem,
    BatchWriteItem,
    TransactGetItems,
    TransactWriteItems,
    CreateTable,
    UpdateTable,
    DeleteTable,
    DescribeTable,
    ListTables,
    DescribeTimeToLive,
    UpdateTimeToLive,
    DescribeContinuousBackups,
    DescribeLimits,
    DescribeEndpoints,
    TagResource,
    UntagResource,
    ListTagsOfResource,
);

impl Operation {
    /// The operation that a value of the `X-Amz-Target` header names.
    pub fn from_target(target: &str) -> Option<Self> {
        Self::from_name(target.strip_prefix("DynamoDB_20120810.")?)
    }
}
