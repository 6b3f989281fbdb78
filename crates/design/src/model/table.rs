//! The table and its indexes.

use std::collections::BTreeMap;

use keyfold_dynamo::table::KeyType;

use super::IndexId;
use crate::span::Span;

/// An attribute that is a key of the table or of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyAttribute {
    pub name: String,
    pub key_type: KeyType,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub name: String,
    pub span: Span,
    /// The variable that holds the name in generated infrastructure.
    pub variable: Option<String>,
    pub partition: KeyAttribute,
    pub sort: Option<KeyAttribute>,
    /// What separates the parts of a key.
    pub delimiter: char,
    pub billing: Billing,
    /// The attribute with the second at which an item expires.
    pub ttl: Option<String>,
    pub stream: Option<StreamView>,
    pub point_in_time_recovery: bool,
    pub deletion_protection: bool,
    pub encryption: Encryption,
    pub tags: BTreeMap<String, String>,
    /// Named outputs of generated infrastructure, each with its description.
    pub outputs: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Billing {
    OnDemand,
    Provisioned { read: i64, write: i64 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamView {
    KeysOnly,
    NewImage,
    OldImage,
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Encryption {
    AwsOwned,
    AwsManaged,
    CustomerKey(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    pub id: IndexId,
    pub name: String,
    pub span: Span,
    pub purpose: Option<String>,
    /// One attribute, or up to four of a multi-attribute key.
    pub partition: Vec<KeyAttribute>,
    pub sort: Vec<KeyAttribute>,
    pub projection: Projection,
    /// A local index shares the table's partitions and is read consistently.
    pub local: bool,
}

impl Index {
    /// All key attributes, partition first.
    pub fn keys(&self) -> impl Iterator<Item = &KeyAttribute> {
        self.partition.iter().chain(&self.sort)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Projection {
    All,
    KeysOnly,
    Include(Vec<String>),
}
