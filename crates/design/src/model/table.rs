//! The table and its indexes.

use std::collections::BTreeMap;

use keyfold_dynamo::table::KeyType;

use super::IndexId;
use crate::span::Span;
use crate::template::DELIMITER;

/// An attribute that is a key of the table or of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyAttribute {
    /// The name in the table.
    pub name: String,
    /// String unless the design says `number` or `binary`.
    pub key_type: KeyType,
    /// Where the design file states it.
    pub span: Span,
}

impl KeyAttribute {
    /// A key attribute that no design file states.
    pub fn new(name: impl Into<String>, key_type: KeyType) -> Self {
        Self { name: name.into(), key_type, span: Span::default() }
    }
}

/// The table of a design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The name of the table in the backend.
    pub name: String,
    /// Where the design file states it.
    pub span: Span,
    /// What generated infrastructure says about the table; `None` for the description of the design.
    pub description: Option<String>,
    /// The names of the table's resource in generated infrastructure.
    pub resource: ResourceNames,
    /// The variable that holds the name in generated infrastructure; `None` if the name is written out.
    pub variable: Option<String>,
    /// `PK`, a string, by default.
    pub partition: KeyAttribute,
    /// `SK`, a string, by default; `None` for `sort: none`.
    pub sort: Option<KeyAttribute>,
    /// What separates the parts of a key.
    pub delimiter: char,
    /// On demand by default.
    pub billing: Billing,
    /// The attribute with the second at which an item expires; `None` if items do not expire.
    pub ttl: Option<String>,
    /// What stream records hold; `None` (the default) for a table without a stream.
    pub stream: Option<StreamView>,
    /// Whether the table keeps continuous backups; off by default.
    pub point_in_time_recovery: bool,
    /// Whether the table refuses to be deleted; off by default.
    pub deletion_protection: bool,
    /// With a key that AWS owns by default.
    pub encryption: Encryption,
    /// Tags of the table, as the design orders them; none by default.
    pub tags: Vec<(String, String)>,
    /// Named outputs of generated infrastructure, each with its description.
    pub outputs: BTreeMap<String, String>,
}

impl Table {
    /// A table with its keys, and a design's defaults otherwise.
    pub fn new(name: impl Into<String>, partition: KeyAttribute, sort: Option<KeyAttribute>) -> Self {
        Self {
            name: name.into(),
            span: Span::default(),
            description: None,
            resource: ResourceNames::default(),
            variable: None,
            partition,
            sort,
            delimiter: DELIMITER,
            billing: Billing::OnDemand,
            ttl: None,
            stream: None,
            point_in_time_recovery: false,
            deletion_protection: false,
            encryption: Encryption::AwsOwned,
            tags: Vec::new(),
            outputs: BTreeMap::new(),
        }
    }

    /// The key attributes of the table itself, the partition key first.
    pub fn keys(&self) -> impl Iterator<Item = &KeyAttribute> {
        std::iter::once(&self.partition).chain(&self.sort)
    }
}

/// The names that infrastructure tools know the table's resource by. A tool replaces a resource whose name changes, so
/// a table that a stack has already keeps its name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResourceNames {
    /// The name in Terraform: `aws_dynamodb_table.NAME`; `None` for the name of the design.
    pub terraform: Option<String>,
    /// The logical id in CloudFormation; `None` for one made of the table's name.
    pub cloudformation: Option<String>,
    /// The logical id in the template that the CDK makes; `None` leaves it to the CDK.
    pub cdk: Option<String>,
}

/// How capacity is paid for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Billing {
    /// Per request.
    OnDemand,
    /// A number of read and write units per second, for the table and for each global index.
    Provisioned {
        /// Read units per second; at least 1.
        read: i64,
        /// Write units per second; at least 1.
        write: i64,
    },
}

/// What the records of a table's stream hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamView {
    /// The key of the changed item.
    KeysOnly,
    /// The item after the change.
    NewImage,
    /// The item before the change.
    OldImage,
    /// The item before and after the change.
    NewAndOldImages,
}

impl StreamView {
    /// As DynamoDB spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::KeysOnly => "KEYS_ONLY",
            Self::NewImage => "NEW_IMAGE",
            Self::OldImage => "OLD_IMAGE",
            Self::NewAndOldImages => "NEW_AND_OLD_IMAGES",
        }
    }
}

/// The key that encrypts the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Encryption {
    /// A key that AWS owns, free of charge.
    AwsOwned,
    /// The key `aws/dynamodb` of the account.
    AwsManaged,
    /// A key of the account's own, by alias.
    CustomerKey(String),
}

/// A secondary index of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// The position in [`Design::indexes`](super::Design::indexes).
    pub id: IndexId,
    /// The name of the index in the backend.
    pub name: String,
    /// Where the design file states it.
    pub span: Span,
    /// Prose for generated documents; `None` if the design states none.
    pub purpose: Option<String>,
    /// One attribute, or up to four of a multi-attribute key.
    pub partition: Vec<KeyAttribute>,
    /// As `partition`; empty for an index without a sort key.
    pub sort: Vec<KeyAttribute>,
    /// All attributes by default.
    pub projection: Projection,
    /// A local index shares the table's partitions and is read consistently.
    pub local: bool,
}

impl Index {
    /// A global index of a table that projects all attributes; `position` is that among the indexes of the table.
    pub fn new(
        position: usize,
        name: impl Into<String>,
        partition: Vec<KeyAttribute>,
        sort: Vec<KeyAttribute>,
    ) -> Self {
        Self {
            id: IndexId::new(position),
            name: name.into(),
            span: Span::default(),
            purpose: None,
            partition,
            sort,
            projection: Projection::All,
            local: false,
        }
    }

    /// All key attributes, partition first.
    pub fn keys(&self) -> impl Iterator<Item = &KeyAttribute> {
        self.partition.iter().chain(&self.sort)
    }
}

/// The attributes that an index holds of each item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Projection {
    /// All of them.
    All,
    /// The keys of the table and of the index.
    KeysOnly,
    /// The keys and these attributes.
    Include(Vec<String>),
}
