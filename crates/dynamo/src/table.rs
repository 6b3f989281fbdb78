//! What a table is: its keys, indexes, billing and descriptions.

use std::collections::BTreeMap;

use crate::value::{AttributeValue, ValueType};

/// The types a key attribute may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyType {
    S,
    N,
    B,
}

impl KeyType {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::N => "N",
            Self::B => "B",
        }
    }

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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeDefinition {
    pub name: String,
    pub key_type: KeyType,
}

/// The role of an attribute in a key schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyRole {
    Hash,
    Range,
}

impl KeyRole {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Hash => "HASH",
            Self::Range => "RANGE",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "HASH" => Some(Self::Hash),
            "RANGE" => Some(Self::Range),
            _ => None,
        }
    }
}

/// One line of a key schema, in the order the request gives them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySchemaElement {
    pub name: String,
    pub role: KeyRole,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProjectionType {
    All,
    KeysOnly,
    Include,
}

impl ProjectionType {
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::All => "ALL",
            Self::KeysOnly => "KEYS_ONLY",
            Self::Include => "INCLUDE",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "ALL" => Some(Self::All),
            "KEYS_ONLY" => Some(Self::KeysOnly),
            "INCLUDE" => Some(Self::Include),
            _ => None,
        }
    }
}

/// The projection of an index as a request states it; its validity is checked with the table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProjectionSpec {
    pub projection_type: Option<ProjectionType>,
    pub non_key_attributes: Option<Vec<String>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BillingMode {
    Provisioned,
    PayPerRequest,
}

impl BillingMode {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Provisioned => "PROVISIONED",
            Self::PayPerRequest => "PAY_PER_REQUEST",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "PROVISIONED" => Some(Self::Provisioned),
            "PAY_PER_REQUEST" => Some(Self::PayPerRequest),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Throughput {
    pub read: i64,
    pub write: i64,
}

/// An index as CreateTable and UpdateTable state it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexSpec {
    pub name: String,
    pub key_schema: Vec<KeySchemaElement>,
    pub projection: ProjectionSpec,
    /// Global indexes only.
    pub throughput: Option<Throughput>,
    /// Global indexes only; kept and reported, not enforced.
    pub on_demand: Option<OnDemandThroughput>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OnDemandThroughput {
    pub max_read_request_units: Option<i64>,
    pub max_write_request_units: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableStatus {
    Creating,
    Updating,
    Deleting,
    Active,
}

impl TableStatus {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Creating => "CREATING",
            Self::Updating => "UPDATING",
            Self::Deleting => "DELETING",
            Self::Active => "ACTIVE",
        }
    }
}

/// What DescribeTable tells of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableDescription {
    pub name: String,
    pub id: String,
    pub arn: String,
    pub status: TableStatus,
    /// Seconds since the epoch, with milliseconds.
    pub created_at: f64,
    pub attribute_definitions: Vec<AttributeDefinition>,
    pub key_schema: Vec<KeySchemaElement>,
    pub global_indexes: Vec<IndexDescription>,
    pub local_indexes: Vec<IndexDescription>,
    pub billing_mode: BillingMode,
    /// When the table was last switched to on-demand billing, where it is.
    pub on_demand_since: Option<f64>,
    pub throughput: ThroughputDescription,
    pub on_demand: Option<OnDemandThroughput>,
    pub size_bytes: u64,
    pub item_count: u64,
    pub deletion_protection: bool,
    pub table_class: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ThroughputDescription {
    pub read: i64,
    pub write: i64,
    pub decreases_today: i64,
    pub last_increase: Option<f64>,
    pub last_decrease: Option<f64>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct IndexDescription {
    pub name: String,
    pub arn: String,
    pub key_schema: Vec<KeySchemaElement>,
    pub projection: ProjectionSpec,
    /// Global indexes only.
    pub status: Option<TableStatus>,
    /// Set while a new global index is being filled.
    pub backfilling: Option<bool>,
    /// Global indexes only.
    pub throughput: Option<ThroughputDescription>,
    pub on_demand: Option<OnDemandThroughput>,
    pub size_bytes: u64,
    pub item_count: u64,
}

/// Tags, by key.
pub type Tags = BTreeMap<String, String>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeToLiveStatus {
    Enabling,
    Disabling,
    Enabled,
    Disabled,
}

impl TimeToLiveStatus {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Enabling => "ENABLING",
            Self::Disabling => "DISABLING",
            Self::Enabled => "ENABLED",
            Self::Disabled => "DISABLED",
        }
    }
}
