//! Descriptions of tables and indexes in words.

use keyfold_dynamo::operation::CreateTableInput;
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexSpec, KeyRole, KeySchemaElement, ProjectionSpec, ProjectionType, Throughput,
};

pub(super) fn creation(create: &CreateTableInput) -> String {
    let mut text = format!(
        "create table `{}`: {}, {}",
        create.table_name,
        keys(&create.key_schema, &create.attribute_definitions),
        billing(create.billing_mode.unwrap_or(BillingMode::Provisioned), create.throughput)
    );
    for (kind, indexes) in [("index", &create.global_indexes), ("local index", &create.local_indexes)] {
        for index in indexes.iter().flatten() {
            text.push_str(&format!("\n  with {kind} {}", self::index(index, &create.attribute_definitions)));
        }
    }
    text
}

/// `GSI1` with its keys and what it projects.
pub(super) fn index(index: &IndexSpec, definitions: &[AttributeDefinition]) -> String {
    format!("`{}`: {}, {}", index.name, keys(&index.key_schema, definitions), projection(&index.projection))
}

/// `partition PK (S), sort SK (S)`.
pub(crate) fn keys(schema: &[KeySchemaElement], definitions: &[AttributeDefinition]) -> String {
    let side = |role: KeyRole, word: &str| {
        let names: Vec<String> = schema
            .iter()
            .filter(|element| element.role == role)
            .map(|element| attribute(&element.name, definitions))
            .collect();
        (!names.is_empty()).then(|| format!("{word} {}", names.join(" and ")))
    };
    let sides = [side(KeyRole::Hash, "partition"), side(KeyRole::Range, "sort")];
    sides.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn attribute(name: &str, definitions: &[AttributeDefinition]) -> String {
    match definitions.iter().find(|definition| definition.name == name) {
        Some(definition) => format!("{name} ({})", definition.key_type.as_str()),
        None => name.to_owned(),
    }
}

pub(super) fn projection(projection: &ProjectionSpec) -> String {
    match &projection.projection_type {
        None | Some(ProjectionType::All) => "all attributes".to_owned(),
        Some(ProjectionType::KeysOnly) => "keys only".to_owned(),
        Some(ProjectionType::Include) => {
            let names: Vec<String> =
                projection.non_key_attributes.iter().flatten().map(|name| format!("`{name}`")).collect();
            format!("keys and {}", names.join(", "))
        }
    }
}

pub(super) fn billing(mode: BillingMode, given: Option<Throughput>) -> String {
    match (mode, given) {
        (BillingMode::PayPerRequest, _) => "on demand".to_owned(),
        (BillingMode::Provisioned, Some(given)) => throughput(given),
        (BillingMode::Provisioned, None) => "provisioned".to_owned(),
    }
}

pub(super) fn throughput(throughput: Throughput) -> String {
    format!("{} read and {} write units", throughput.read, throughput.write)
}
