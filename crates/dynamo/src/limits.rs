//! DynamoDB's limits: the largest value that the service accepts, unless stated otherwise.

/// The size of an item in bytes, names and values together.
pub const ITEM_BYTES: usize = 400 * 1024;
/// The size of a partition key value in bytes.
pub const PARTITION_KEY_BYTES: usize = 2048;
/// The size of a sort key value in bytes.
pub const SORT_KEY_BYTES: usize = 1024;
/// A page of Query or Scan ends once it has read this many bytes, before any filter.
pub const PAGE_BYTES: usize = 1024 * 1024;
/// The number of keys in a BatchGetItem, over all tables.
pub const BATCH_GET_KEYS: usize = 100;
/// BatchGetItem returns at most this many bytes; the other keys are unprocessed.
pub const BATCH_GET_BYTES: usize = 16 * 1024 * 1024;
/// The number of puts and deletes in a BatchWriteItem, over all tables.
pub const BATCH_WRITE_REQUESTS: usize = 25;
/// The size of all items and keys of a BatchWriteItem in bytes.
pub const BATCH_WRITE_BYTES: usize = 16 * 1024 * 1024;
/// The number of actions in a transaction, reads or writes.
pub const TRANSACTION_ACTIONS: usize = 100;
/// The size of all items of a transaction in bytes.
pub const TRANSACTION_BYTES: usize = 4 * 1024 * 1024;
/// How long the client request token of a transaction is remembered, in seconds.
pub const IDEMPOTENCY_WINDOW_SECONDS: u64 = 10 * 60;
/// The length of an expression in bytes.
pub const EXPRESSION_BYTES: usize = 4096;
/// The number of operators and functions in an expression.
pub const EXPRESSION_OPERATORS: usize = 300;
/// The number of candidates of the operator `IN`.
pub const IN_OPERANDS: usize = 100;
/// The size of all `ExpressionAttributeNames`, and of all `ExpressionAttributeValues`, in bytes.
pub const EXPRESSION_VALUE_BYTES: usize = 2 * 1024 * 1024;
/// How deep maps and lists may be nested in an item; the item itself is the first level.
pub const NESTING_DEPTH: usize = 32;
/// The number of global secondary indexes of a table.
pub const GLOBAL_INDEXES: usize = 20;
/// The number of local secondary indexes of a table.
pub const LOCAL_INDEXES: usize = 5;
/// The number of non-key attributes that all indexes of a table project by name, together.
pub const PROJECTED_ATTRIBUTES: usize = 100;
/// The number of segments of a parallel scan.
pub const SCAN_SEGMENTS: u32 = 1_000_000;
/// The number of names in a page of ListTables; also its default.
pub const LIST_TABLES: usize = 100;
/// The number of tags of a table.
pub const TAGS_PER_TABLE: usize = 50;
/// The read and the write capacity units of an account that DescribeLimits reports; AWS's default.
pub const ACCOUNT_CAPACITY_UNITS: u64 = 80_000;
/// The read and the write capacity units of a table that DescribeLimits reports; AWS's default.
pub const TABLE_CAPACITY_UNITS: u64 = 40_000;
