//! What is known of a table before its items are looked at: from a CloudFormation template, or from the table itself.

use std::collections::BTreeMap;

use keyfold_design::model::{Billing, Encryption, Projection, StreamView};
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexDescription, KeyRole, KeySchemaElement, KeyType, ProjectionSpec,
    ProjectionType, TableDescription,
};

/// A key attribute with its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyName {
    pub name: String,
    pub key_type: KeyType,
}

/// The table part of a design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFacts {
    pub name: String,
    /// The parameter of a template that holds the name.
    pub variable: Option<String>,
    pub description: Option<String>,
    pub partition: KeyName,
    pub sort: Option<KeyName>,
    pub indexes: Vec<IndexFacts>,
    pub billing: Billing,
    pub ttl: Option<String>,
    pub stream: Option<StreamView>,
    pub point_in_time_recovery: bool,
    pub deletion_protection: bool,
    pub encryption: Encryption,
    pub tags: BTreeMap<String, String>,
    /// Outputs of a template that tell of the table, each with its description.
    pub outputs: BTreeMap<String, String>,
    /// What a reader of the draft should know: what was left out, what was assumed.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexFacts {
    pub name: String,
    pub partition: Vec<KeyName>,
    pub sort: Vec<KeyName>,
    pub projection: Projection,
    pub local: bool,
}

impl IndexFacts {
    /// All key attributes, partition first.
    pub fn keys(&self) -> impl Iterator<Item = &KeyName> {
        self.partition.iter().chain(&self.sort)
    }
}

impl TableFacts {
    /// A table with nothing but its keys, as a design has it where it says no more.
    pub fn new(name: impl Into<String>, partition: KeyName, sort: Option<KeyName>) -> Self {
        Self {
            name: name.into(),
            variable: None,
            description: None,
            partition,
            sort,
            indexes: Vec::new(),
            billing: Billing::OnDemand,
            ttl: None,
            stream: None,
            point_in_time_recovery: false,
            deletion_protection: false,
            encryption: Encryption::AwsOwned,
            tags: BTreeMap::new(),
            outputs: BTreeMap::new(),
            notes: Vec::new(),
        }
    }

    /// What DescribeTable tells. Time to live, backups and tags are asked for by requests of their own.
    pub fn described(description: &TableDescription) -> Option<Self> {
        let definitions = &description.attribute_definitions;
        let (mut partition, mut sort) = split(&description.key_schema, definitions);
        if partition.is_empty() {
            return None;
        }
        let mut facts = Self::new(&description.name, partition.remove(0), sort.pop());
        facts.billing = match description.billing_mode {
            BillingMode::Provisioned if description.throughput.read > 0 && description.throughput.write > 0 => {
                Billing::Provisioned { read: description.throughput.read, write: description.throughput.write }
            }
            _ => Billing::OnDemand,
        };
        facts.deletion_protection = description.deletion_protection;
        let indexes = |described: &[IndexDescription], local: bool| -> Vec<IndexFacts> {
            described
                .iter()
                .map(|index| {
                    let (partition, sort) = split(&index.key_schema, definitions);
                    let projection = projection(&index.projection);
                    IndexFacts { name: index.name.clone(), partition, sort, projection, local }
                })
                .collect()
        };
        facts.indexes = indexes(&description.global_indexes, false);
        facts.indexes.extend(indexes(&description.local_indexes, true));
        // A service gives them in an order of its own; a draft is the same for the same table.
        facts.indexes.sort_by(|left, right| (left.local, &left.name).cmp(&(right.local, &right.name)));
        Some(facts)
    }

    /// The keys of the table itself.
    pub fn base_keys(&self) -> impl Iterator<Item = &KeyName> {
        std::iter::once(&self.partition).chain(&self.sort)
    }

    pub fn is_base_key(&self, name: &str) -> bool {
        self.base_keys().any(|key| key.name == name)
    }

    /// Every attribute that is a key of an index and not of the table, each once.
    pub fn index_only_keys(&self) -> Vec<&KeyName> {
        let mut keys: Vec<&KeyName> = Vec::new();
        for key in self.indexes.iter().flat_map(IndexFacts::keys) {
            if !self.is_base_key(&key.name) && !keys.iter().any(|known| known.name == key.name) {
                keys.push(key);
            }
        }
        keys
    }

    pub fn is_key(&self, name: &str) -> bool {
        self.is_base_key(name) || self.indexes.iter().flat_map(IndexFacts::keys).any(|key| key.name == name)
    }
}

fn split(schema: &[KeySchemaElement], definitions: &[AttributeDefinition]) -> (Vec<KeyName>, Vec<KeyName>) {
    let of = |wanted: KeyRole| {
        schema
            .iter()
            .filter(|element| element.role == wanted)
            .map(|element| KeyName {
                name: element.name.clone(),
                key_type: definitions
                    .iter()
                    .find(|definition| definition.name == element.name)
                    .map_or(KeyType::S, |definition| definition.key_type),
            })
            .collect()
    };
    (of(KeyRole::Hash), of(KeyRole::Range))
}

fn projection(spec: &ProjectionSpec) -> Projection {
    match spec.projection_type {
        Some(ProjectionType::KeysOnly) => Projection::KeysOnly,
        Some(ProjectionType::Include) => Projection::Include(spec.non_key_attributes.clone().unwrap_or_default()),
        _ => Projection::All,
    }
}
