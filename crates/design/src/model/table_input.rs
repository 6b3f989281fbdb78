//! The table as the request that creates it.

use keyfold_dynamo::operation::CreateTableInput;
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexSpec, KeyRole, KeySchemaElement, ProjectionSpec, ProjectionType, Throughput,
};

use super::{Billing, Design, Index, KeyAttribute, Projection};

impl Design {
    /// The request that creates the design's table, under the table's own name.
    pub fn create_table(&self) -> CreateTableInput {
        let table = &self.table;
        let (billing_mode, throughput) = match table.billing {
            Billing::OnDemand => (BillingMode::PayPerRequest, None),
            Billing::Provisioned { read, write } => (BillingMode::Provisioned, Some(Throughput { read, write })),
        };
        let specs = |local: bool| {
            let specs: Vec<IndexSpec> =
                self.indexes.iter().filter(|index| index.local == local).map(|index| spec(index, throughput)).collect();
            (!specs.is_empty()).then_some(specs)
        };
        CreateTableInput {
            table_name: table.name.clone(),
            attribute_definitions: self.attribute_definitions(),
            key_schema: schema(std::slice::from_ref(&table.partition), table.sort.as_slice()),
            global_indexes: specs(false),
            local_indexes: specs(true),
            billing_mode: Some(billing_mode),
            throughput,
            on_demand: None,
            deletion_protection: table.deletion_protection,
            table_class: None,
            tags: table.tags.iter().cloned().collect(),
        }
    }

    /// Every key attribute once, the table's first.
    fn attribute_definitions(&self) -> Vec<AttributeDefinition> {
        let mut definitions: Vec<AttributeDefinition> = Vec::new();
        let table = std::iter::once(&self.table.partition).chain(&self.table.sort);
        for key in table.chain(self.indexes.iter().flat_map(Index::keys)) {
            if !definitions.iter().any(|known| known.name == key.name) {
                definitions.push(AttributeDefinition { name: key.name.clone(), key_type: key.key_type });
            }
        }
        definitions
    }
}

fn schema(partition: &[KeyAttribute], sort: &[KeyAttribute]) -> Vec<KeySchemaElement> {
    let element = |role| move |key: &KeyAttribute| KeySchemaElement { name: key.name.clone(), role };
    partition.iter().map(element(KeyRole::Hash)).chain(sort.iter().map(element(KeyRole::Range))).collect()
}

fn spec(index: &Index, throughput: Option<Throughput>) -> IndexSpec {
    let (projection_type, non_key_attributes) = match &index.projection {
        Projection::All => (ProjectionType::All, None),
        Projection::KeysOnly => (ProjectionType::KeysOnly, None),
        Projection::Include(names) => (ProjectionType::Include, Some(names.clone())),
    };
    IndexSpec {
        name: index.name.clone(),
        key_schema: schema(&index.partition, &index.sort),
        projection: ProjectionSpec { projection_type: Some(projection_type), non_key_attributes },
        throughput: throughput.filter(|_| !index.local),
        on_demand: None,
    }
}
