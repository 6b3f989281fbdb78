//! DynamoDB's rules for the definition of an index.

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::limits;
use keyfold_dynamo::table::{AttributeDefinition, BillingMode, IndexSpec, KeySchemaElement, ProjectionType};

use super::key_schema::{bracketed, check_shape, invalid, resolve};
use crate::catalog::{IndexDefinition, IndexKind, IndexProjection, IndexState, ThroughputSetting};
use crate::rows::key_schema::KeySchema;
use crate::rows::layout::RangeId;

/// Builds the definition of a checked index.
pub(super) fn index_definition(
    spec: &IndexSpec,
    kind: IndexKind,
    id: RangeId,
    definitions: &[AttributeDefinition],
    state: IndexState,
) -> Result<IndexDefinition, ServiceError> {
    let key = resolve(&spec.key_schema, definitions).ok_or_else(|| undefined_keys(&spec.key_schema, definitions))?;
    let throughput = spec.throughput.map_or(ThroughputSetting::default(), |throughput| ThroughputSetting {
        read: throughput.read,
        write: throughput.write,
        ..ThroughputSetting::default()
    });
    Ok(IndexDefinition {
        id,
        name: spec.name.clone(),
        kind,
        key,
        projection: projection(spec)?,
        state,
        throughput,
        on_demand: spec.on_demand,
    })
}

pub(super) fn undefined_keys(keys: &[KeySchemaElement], definitions: &[AttributeDefinition]) -> ServiceError {
    invalid(format!(
        "Some index key attributes are not defined in AttributeDefinitions. Keys: {}, AttributeDefinitions: {}",
        bracketed(keys.iter().map(|element| element.name.as_str())),
        bracketed(definitions.iter().map(|definition| definition.name.as_str())),
    ))
}

/// Rules that hold for each index by itself.
pub(super) fn check_index(spec: &IndexSpec, definitions: &[AttributeDefinition]) -> Result<(), ServiceError> {
    resolve(&spec.key_schema, definitions).ok_or_else(|| undefined_keys(&spec.key_schema, definitions))?;
    check_shape(&spec.key_schema)?;
    projection(spec).map(|_| ())
}

fn projection(spec: &IndexSpec) -> Result<IndexProjection, ServiceError> {
    let names = spec.projection.non_key_attributes.as_ref();
    match (&spec.projection.projection_type, names) {
        (None, _) => Err(invalid("Unknown ProjectionType: null")),
        (Some(ProjectionType::All), None) => Ok(IndexProjection::All),
        (Some(ProjectionType::KeysOnly), None) => Ok(IndexProjection::KeysOnly),
        (Some(ProjectionType::Include), Some(names)) => {
            let distinct: std::collections::BTreeSet<&String> = names.iter().collect();
            if distinct.len() < names.len() {
                return Err(ServiceError::validation("Cannot have two attributes with the same name"));
            }
            Ok(IndexProjection::Include(names.clone()))
        }
        (Some(ProjectionType::Include), None) => {
            Err(invalid("ProjectionType is INCLUDE, but NonKeyAttributes is not specified"))
        }
        (Some(other), Some(_)) => {
            Err(invalid(format!("ProjectionType is {}, but NonKeyAttributes is specified", other.as_str())))
        }
    }
}

/// A local index shares the table's partition key and has a sort key of its own.
pub(super) fn check_local(spec: &IndexSpec, table: &KeySchema) -> Result<(), ServiceError> {
    if table.sort.is_none() {
        return Err(invalid(
            "Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex",
        ));
    }
    let mut elements = spec.key_schema.iter();
    let (partition, sort) = (elements.next(), elements.next());
    if partition.is_none_or(|element| element.name != table.partition.name) {
        return Err(invalid(format!(
            "Index KeySchema does not have the same leading hash key as table KeySchema for index: {}. index hash key: {}, table hash key: {}",
            spec.name,
            partition.map_or("", |element| element.name.as_str()),
            table.partition.name
        )));
    }
    if sort.is_none() {
        return Err(invalid(format!("Index KeySchema does not have a range key for index: {}", spec.name)));
    }
    Ok(())
}

/// Throughput must match the billing mode.
pub(super) fn check_throughput(spec: &IndexSpec, billing_mode: BillingMode) -> Result<(), ServiceError> {
    match (billing_mode, spec.throughput) {
        (BillingMode::PayPerRequest, Some(_)) => Err(invalid(format!(
            "ProvisionedThroughput should not be specified for index: {} when BillingMode is PAY_PER_REQUEST",
            spec.name
        ))),
        (BillingMode::Provisioned, None) => {
            Err(invalid(format!("ProvisionedThroughput must be specified for index: {}", spec.name)))
        }
        _ => Ok(()),
    }
}

/// Rules on all indexes of a table together.
pub(super) fn check_index_set(local: &[IndexSpec], global: &[IndexSpec]) -> Result<(), ServiceError> {
    if local.len() > limits::LOCAL_INDEXES {
        return Err(invalid("Number of LocalSecondaryIndexes exceeds per-table limit of 5"));
    }
    if global.len() > limits::GLOBAL_INDEXES {
        return Err(invalid("GlobalSecondaryIndex count exceeds the per-table limit of 20"));
    }
    let mut names = std::collections::BTreeSet::new();
    for spec in local.iter().chain(global) {
        if !names.insert(&spec.name) {
            return Err(invalid(format!("Duplicate index name: {}", spec.name)));
        }
    }
    let projected: usize =
        local.iter().chain(global).filter_map(|spec| spec.projection.non_key_attributes.as_ref()).map(Vec::len).sum();
    if projected > limits::PROJECTED_ATTRIBUTES {
        return Err(invalid(format!(
            "NonKeyAttributes count across all indexes exceeds the limit of {}",
            limits::PROJECTED_ATTRIBUTES
        )));
    }
    Ok(())
}
