//! The definition of a table, from a CloudFormation template or from the table itself.

use keyfold_design::model::{Billing, Index, KeyAttribute, Projection, Table};
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexDescription, KeyRole, KeySchemaElement, ProjectionSpec, ProjectionType,
    TableDescription,
};

/// The table part of a design, and what its source says besides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedTable {
    /// The table as the design will declare it. The delimiter is a design's default: only items tell it.
    pub table: Table,
    /// In the order of the draft.
    pub indexes: Vec<Index>,
    /// The description of a template; `None` for a live table.
    pub description: Option<String>,
    /// Omissions and assumptions, for the reader of the draft.
    pub notes: Vec<String>,
}

impl ImportedTable {
    /// A table with its keys, and a design's defaults otherwise.
    pub fn new(name: impl Into<String>, partition: KeyAttribute, sort: Option<KeyAttribute>) -> Self {
        let table = Table::new(name, partition, sort);
        Self { table, indexes: Vec::new(), description: None, notes: Vec::new() }
    }

    /// The facts that DescribeTable returns. Time to live, backups and tags need requests of their own.
    pub fn from_description(description: &TableDescription) -> Result<Self, DescriptionError> {
        let definitions = &description.attribute_definitions;
        let (partition, sort) = split(&description.key_schema, definitions)?;
        let partition = partition.into_iter().next().ok_or(DescriptionError::NoPartitionKey)?;
        let mut facts = Self::new(&description.name, partition, sort.into_iter().next());
        let throughput = &description.throughput;
        facts.table.billing = match description.billing_mode {
            BillingMode::Provisioned if throughput.read > 0 && throughput.write > 0 => {
                Billing::Provisioned { read: throughput.read, write: throughput.write }
            }
            // Some backends report a provisioned table without throughput.
            BillingMode::Provisioned | BillingMode::PayPerRequest => Billing::OnDemand,
        };
        facts.table.deletion_protection = description.deletion_protection;
        let global = description.global_indexes.iter().map(|index| (false, index));
        let local = description.local_indexes.iter().map(|index| (true, index));
        let mut indexes: Vec<(bool, &IndexDescription)> = global.chain(local).collect();
        // The order of a description varies; the same table gives the same draft.
        indexes
            .sort_by(|(one_local, one), (other_local, other)| (one_local, &one.name).cmp(&(other_local, &other.name)));
        for (position, (local, index)) in indexes.into_iter().enumerate() {
            let (partition, sort) = split(&index.key_schema, definitions)?;
            let projection = projection(&index.projection);
            facts.indexes.push(Index { projection, local, ..Index::new(position, &index.name, partition, sort) });
        }
        Ok(facts)
    }

    /// Whether an attribute is a key of the table itself.
    pub fn is_base_key(&self, name: &str) -> bool {
        self.table.keys().any(|key| key.name == name)
    }

    /// Every attribute that is a key of an index and not of the table, each once.
    pub fn index_only_keys(&self) -> Vec<&KeyAttribute> {
        let mut keys: Vec<&KeyAttribute> = Vec::new();
        for key in self.indexes.iter().flat_map(Index::keys) {
            if !self.is_base_key(&key.name) && !keys.iter().any(|known| known.name == key.name) {
                keys.push(key);
            }
        }
        keys
    }

    /// Whether an attribute is a key of the table or of an index.
    pub fn is_key(&self, name: &str) -> bool {
        self.is_base_key(name) || self.indexes.iter().flat_map(Index::keys).any(|key| key.name == name)
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

type PartitionAndSort = (Vec<KeyAttribute>, Vec<KeyAttribute>);

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
                let definition =
                    definition.ok_or_else(|| DescriptionError::UndefinedKey { name: element.name.clone() })?;
                Ok(KeyAttribute::new(&definition.name, definition.key_type))
            })
            .collect::<Result<Vec<_>, DescriptionError>>()
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
