//! Definitions and descriptions of tables: keys, indexes, billing, time to live.

use std::collections::BTreeMap;

use crate::value::{AttributeValue, ValueType};

/// The types a key attribute may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyType {
    /// A string.
    S,
    /// A number.
    N,
    /// Binary data.
    B,
}

impl KeyType {
    /// `S`, `N` or `B`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::N => "N",
            Self::B => "B",
        }
    }

    /// The type of a label; `None` for an unknown one, or one that keys cannot have.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "S" => Some(Self::S),
            "N" => Some(Self::N),
            "B" => Some(Self::B),
            _ => None,
        }
    }

    /// Whether a value has this type.
    pub fn admits(self, value: &AttributeValue) -> bool {
        matches!(
            (self, value.value_type()),
            (Self::S, ValueType::S) | (Self::N, ValueType::N) | (Self::B, ValueType::B)
        )
    }
}

/// An attribute that keys use, with its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeDefinition {
    /// The name of the attribute.
    pub name: String,
    /// The type of its values.
    pub key_type: KeyType,
}

/// The role of an attribute in a key schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyRole {
    /// The partition key, `HASH`.
    Hash,
    /// The sort key, `RANGE`.
    Range,
}

impl KeyRole {
    /// `HASH` or `RANGE`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hash => "HASH",
            Self::Range => "RANGE",
        }
    }

    /// The role of a label; `None` for an unknown one.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "HASH" => Some(Self::Hash),
            "RANGE" => Some(Self::Range),
            _ => None,
        }
    }
}

/// One attribute of a key schema, in the order of the request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySchemaElement {
    /// The name of the attribute.
    pub name: String,
    /// Whether it is the partition key or the sort key.
    pub role: KeyRole,
}

/// Which attributes an index returns besides keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProjectionType {
    /// All attributes of the item, `ALL`.
    All,
    /// No others: the keys of the table and of the index, `KEYS_ONLY`.
    KeysOnly,
    /// The attributes that are named, `INCLUDE`.
    Include,
}

impl ProjectionType {
    /// `ALL`, `KEYS_ONLY` or `INCLUDE`.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::All => "ALL",
            Self::KeysOnly => "KEYS_ONLY",
            Self::Include => "INCLUDE",
        }
    }

    /// The projection type of a label; `None` for an unknown one.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "ALL" => Some(Self::All),
            "KEYS_ONLY" => Some(Self::KeysOnly),
            "INCLUDE" => Some(Self::Include),
            _ => None,
        }
    }
}

/// The projection of an index as a request states it; the backend checks it together with the table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProjectionSpec {
    /// `ProjectionType`; `None` if the request does not state it, which the service rejects.
    pub projection_type: Option<ProjectionType>,
    /// `NonKeyAttributes`; given if and only if the type is [`ProjectionType::Include`].
    pub non_key_attributes: Option<Vec<String>>,
}

/// How the capacity of a table is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BillingMode {
    /// For capacity that is reserved, `PROVISIONED`.
    Provisioned,
    /// For each request, `PAY_PER_REQUEST`.
    PayPerRequest,
}

impl BillingMode {
    /// `PROVISIONED` or `PAY_PER_REQUEST`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Provisioned => "PROVISIONED",
            Self::PayPerRequest => "PAY_PER_REQUEST",
        }
    }

    /// The billing mode of a label; `None` for an unknown one.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "PROVISIONED" => Some(Self::Provisioned),
            "PAY_PER_REQUEST" => Some(Self::PayPerRequest),
            _ => None,
        }
    }
}

/// `ProvisionedThroughput`: the reserved capacity of a table or a global index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Throughput {
    /// Read capacity units per second; at least 1.
    pub read: i64,
    /// Write capacity units per second; at least 1.
    pub write: i64,
}

/// An index as CreateTable and UpdateTable state it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexSpec {
    /// The name of the index.
    pub name: String,
    /// Its partition key, and its sort key if it has one.
    pub key_schema: Vec<KeySchemaElement>,
    /// The attributes that it returns.
    pub projection: ProjectionSpec,
    /// Global indexes only; absent with on-demand billing.
    pub throughput: Option<Throughput>,
    /// Global indexes only; stored and reported, not enforced. Absent: no limit.
    pub on_demand: Option<OnDemandThroughput>,
}

/// `OnDemandThroughput`: limits of a table or an index with on-demand billing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OnDemandThroughput {
    /// Read request units per second; absent or -1: no limit.
    pub max_read_request_units: Option<i64>,
    /// Write request units per second; absent or -1: no limit.
    pub max_write_request_units: Option<i64>,
}

/// The state of a table or of a global index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableStatus {
    /// It is being created and cannot be used yet.
    Creating,
    /// A change is in progress; it can be used.
    Updating,
    /// It is being deleted and cannot be used any more.
    Deleting,
    /// It can be used.
    Active,
}

impl TableStatus {
    /// The status as the service spells it, such as `ACTIVE`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Creating => "CREATING",
            Self::Updating => "UPDATING",
            Self::Deleting => "DELETING",
            Self::Active => "ACTIVE",
        }
    }
}

/// `TableDescription`: the result of DescribeTable and of the operations that change a table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableDescription {
    /// The name of the table.
    pub name: String,
    /// A unique id, which a new table with the same name does not share; absent if the service does not report one.
    pub id: Option<String>,
    /// The Amazon resource name; absent if the service does not report one.
    pub arn: Option<String>,
    /// Whether the table can be used.
    pub status: TableStatus,
    /// Seconds since the Unix epoch, with milliseconds; absent if the service does not report it.
    pub created_at: Option<f64>,
    /// The attributes that the keys of the table and of its indexes use.
    pub attribute_definitions: Vec<AttributeDefinition>,
    /// The partition key, and the sort key if there is one.
    pub key_schema: Vec<KeySchemaElement>,
    /// The global secondary indexes; empty if there are none.
    pub global_indexes: Vec<IndexDescription>,
    /// The local secondary indexes; empty if there are none.
    pub local_indexes: Vec<IndexDescription>,
    /// How capacity is paid for; provisioned if the service does not report it.
    pub billing_mode: BillingMode,
    /// When the table was last switched to on-demand billing, in seconds since the Unix epoch; absent if it never was.
    pub on_demand_since: Option<f64>,
    /// The provisioned capacity; all 0 with on-demand billing.
    pub throughput: ThroughputDescription,
    /// The limits of on-demand billing; absent: none.
    pub on_demand: Option<OnDemandThroughput>,
    /// The size of all items in bytes; DynamoDB updates it every six hours or so.
    pub size_bytes: u64,
    /// The number of items; DynamoDB updates it every six hours or so.
    pub item_count: u64,
    /// Whether DeleteTable is refused.
    pub deletion_protection: bool,
    /// `STANDARD` or `STANDARD_INFREQUENT_ACCESS`; absent: `STANDARD`.
    pub table_class: Option<String>,
}

/// The provisioned capacity of a table or a global index, and its changes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ThroughputDescription {
    /// Read capacity units per second; 0 with on-demand billing.
    pub read: i64,
    /// Write capacity units per second; 0 with on-demand billing.
    pub write: i64,
    /// How often the capacity was decreased since midnight UTC.
    pub decreases_today: i64,
    /// In seconds since the Unix epoch; absent if it was never increased.
    pub last_increase: Option<f64>,
    /// In seconds since the Unix epoch; absent if it was never decreased.
    pub last_decrease: Option<f64>,
}

/// An index in a [`TableDescription`].
#[derive(Debug, Clone, PartialEq)]
pub struct IndexDescription {
    /// The name of the index.
    pub name: String,
    /// The Amazon resource name; absent if the service does not report one.
    pub arn: Option<String>,
    /// Its partition key, and its sort key if it has one.
    pub key_schema: Vec<KeySchemaElement>,
    /// The attributes that it returns.
    pub projection: ProjectionSpec,
    /// Whether it can be used; `None` for local indexes.
    pub status: Option<TableStatus>,
    /// `true` while a new global index is being filled; absent otherwise.
    pub backfilling: Option<bool>,
    /// The provisioned capacity; `None` for local indexes.
    pub throughput: Option<ThroughputDescription>,
    /// Global indexes only: the limits of on-demand billing; absent: none.
    pub on_demand: Option<OnDemandThroughput>,
    /// The size of all items of the index in bytes.
    pub size_bytes: u64,
    /// The number of items in the index.
    pub item_count: u64,
}

/// The tags of a table: values by key.
pub type Tags = BTreeMap<String, String>;

/// Whether items of a table expire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeToLiveStatus {
    /// Expiry is being switched on.
    Enabling,
    /// Expiry is being switched off.
    Disabling,
    /// Items expire.
    Enabled,
    /// Items do not expire.
    Disabled,
}

impl TimeToLiveStatus {
    /// The status as the service spells it, such as `ENABLED`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Enabling => "ENABLING",
            Self::Disabling => "DISABLING",
            Self::Enabled => "ENABLED",
            Self::Disabled => "DISABLED",
        }
    }
}
