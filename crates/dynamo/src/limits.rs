//! DynamoDB's limits, in one place.

pub const ITEM_BYTES: usize = 400 * 1024;
pub const PARTITION_KEY_BYTES: usize = 2048;
pub const SORT_KEY_BYTES: usize = 1024;
/// A Query or Scan page ends once it has read this much, before any filter.
pub const PAGE_BYTES: usize = 1024 * 1024;
pub const BATCH_GET_KEYS: usize = 100;
pub const BATCH_GET_BYTES: usize = 16 * 1024 * 1024;
pub const BATCH_WRITE_REQUESTS: usize = 25;
pub const BATCH_WRITE_BYTES: usize = 16 * 1024 * 1024;
pub const TRANSACTION_ACTIONS: usize = 100;
pub const TRANSACTION_BYTES: usize = 4 * 1024 * 1024;
pub const IDEMPOTENCY_WINDOW_SECONDS: u64 = 10 * 60;
pub const EXPRESSION_BYTES: usize = 4096;
pub const EXPRESSION_OPERATORS: usize = 300;
pub const IN_OPERANDS: usize = 100;
pub const EXPRESSION_VALUE_BYTES: usize = 2 * 1024 * 1024;
pub const NESTING_DEPTH: usize = 32;
pub const GLOBAL_INDEXES: usize = 20;
pub const LOCAL_INDEXES: usize = 5;
pub const PROJECTED_ATTRIBUTES: usize = 100;
pub const SCAN_SEGMENTS: u32 = 1_000_000;
pub const LIST_TABLES: usize = 100;
pub const TAGS_PER_TABLE: usize = 50;
/// The account limits that DescribeLimits reports, AWS's defaults.
pub const ACCOUNT_CAPACITY_UNITS: u64 = 80_000;
pub const TABLE_CAPACITY_UNITS: u64 = 40_000;
