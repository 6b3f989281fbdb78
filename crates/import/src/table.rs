//! The definition of a table, from a CloudFormation template or from the table itself.

use std::collections::BTreeMap;

use keyfold_design::model::{Billing, Encryption, Projection, StreamView};
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexDescription, KeyRole, KeySchemaElement, ProjectionSpec, ProjectionType,
    TableDescription,
};

/// The table part of a design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFacts {
    pub name: String,
    /// The parameter of a template that holds the name.
    pub variable: Option<String>,
    pub description: Option<String>,
    pub partition: AttributeDefinition,
    pub sort: Option<AttributeDefinition>,
    pub indexes: Vec<IndexFacts>,
    pub billing: Billing,
    pub ttl: Option<String>,
    pub stream: Option<StreamView>,
    pub point_in_time_recovery: bool,
    pub deletion_protection: bool,
    pub encryption: Encryption,
    pub tags: BTreeMap<String, String>,
    /// Outputs of a template that refer to the table, each with its description.
    pub outputs: BTreeMap<String, String>,
    /// Omissions and assumptions, for the reader of the draft.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexFacts {
    pub name: String,
    pub partition: Vec<AttributeDefinition>,
    pub sort: Vec<AttributeDefinition>,
    pub projection: Projection,
    pub local: bool,
}

impl IndexFacts {
    /// All key attributes, partition first.
    pub fn keys(&self) -> impl Iterator<Item = &AttributeDefinition> {
        self.partition.iter().chain(&self.sort)
    }
}

impl TableFacts {
    /// A table with its keys, and a design's defaults otherwise.
    pub fn new(name: impl Into<String>, partition: AttributeDefinition, sort: Option<AttributeDefinition>) -> Self {
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

    /// The facts that DescribeTable returns. Time to live, backups and tags need requests of their own.
    pub fn from_description(description: &TableDescription) -> Result<Self, DescriptionError> {
        let definitions = &description.attribute_definitions;
        let (partition, sort) = split(&description.key_schema, definitions)?;
        let partition = partition.into_iter().next().ok_or(DescriptionError::NoPartitionKey)?;
        let mut facts = Self::new(&description.name, partition, sort.into_iter().next());
        let throughput = &description.throughput;
        facts.billing = match description.billing_mode {
            BillingMode::Provisioned if throughput.read > 0 && throughput.write > 0 => {
                Billing::Provisioned { read: throughput.read, write: throughput.write }
            }
            // Some backends report a provisioned table without throughput.
            BillingMode::Provisioned | BillingMode::PayPerRequest => Billing::OnDemand,
        };
        facts.deletion_protection = description.deletion_protection;
        let index = |index: &IndexDescription, local: bool| -> Result<IndexFacts, DescriptionError> {
            let (partition, sort) = split(&index.key_schema, definitions)?;
            Ok(IndexFacts {
                name: index.name.clone(),
                partition,
                sort,
                projection: projection(&index.projection),
                local,
            })
        };
        for global in &description.global_indexes {
            facts.indexes.push(index(global, false)?);
        }
        for local in &description.local_indexes {
            facts.indexes.push(index(local, true)?);
        }
        // The order of a description varies; the same table gives the same draft.
        facts.indexes.sort_by(|left, right| (left.local, &left.name).cmp(&(right.local, &right.name)));
        Ok(facts)
    }

    /// The keys of the table itself.
    pub fn base_keys(&self) -> impl Iterator<Item = &AttributeDefinition> {
        std::iter::once(&self.partition).chain(&self.sort)
    }

    pub fn is_base_key(&self, name: &str) -> bool {
        self.base_keys().any(|key| key.name == name)
    }

    /// Every attribute that is a key of an index and not of the table, each once.
    pub fn index_only_keys(&self) -> Vec<&AttributeDefinition> {
        let mut keys: Vec<&AttributeDefinition> = Vec::new();
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

/// A table description that a backend returned without required parts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DescriptionError {
    #[error("the description of the table has no partition key")]
    NoPartitionKey,
    #[error("the description of the table does not define its key `{name}`")]
    UndefinedKey { name: String },
}

type PartitionAndSort = (Vec<AttributeDefinition>, Vec<AttributeDefinition>);

fn split(
    schema: &[KeySchemaElement],
    definitions: &[AttributeDefinition],
) -> Result<PartitionAndSort, DescriptionError> {
    let keys = |role: KeyRole| {
        schema
            .iter()
            .filter(|element| element.role == role)
            .map(|element| {
                let definition = definitions.iter().find(|definition| definition.name == element.name);
                definition.cloned().ok_or_else(|| DescriptionError::UndefinedKey { name: element.name.clone() })
            })
            .collect::<Result<Vec<_>, _>>()
    };
    Ok((keys(KeyRole::Hash)?, keys(KeyRole::Range)?))
}

fn projection(spec: &ProjectionSpec) -> Projection {
    match spec.projection_type {
        Some(ProjectionType::KeysOnly) => Projection::KeysOnly,
        Some(ProjectionType::Include) => {
            Projection::Include(spec.non_key_attributes.iter().flatten().cloned().collect())
        }
        Some(ProjectionType::All) | None => Projection::All,
    }
}
