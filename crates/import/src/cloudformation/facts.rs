//! A table resource as an imported table: keys and indexes, settings, and notes on what is omitted.

use super::error::TemplateError;
use super::options;
use super::resource::Resource;
use crate::table::ImportedTable;

/// Properties that are read by [`Resource`] or by [`options`]; any other one is omitted with a note.
const READ: &[&str] = &[
    "TableName",
    "BillingMode",
    "ProvisionedThroughput",
    "AttributeDefinitions",
    "KeySchema",
    "GlobalSecondaryIndexes",
    "LocalSecondaryIndexes",
    "TimeToLiveSpecification",
    "StreamSpecification",
    "PointInTimeRecoverySpecification",
    "DeletionProtectionEnabled",
    "SSESpecification",
    "Tags",
    "Replicas",
    "WriteProvisionedThroughputSettings",
];

/// Reads the properties of a resource.
pub(super) fn facts(mut resource: Resource<'_>) -> Result<ImportedTable, TemplateError> {
    let types = resource.attribute_types()?;
    let schema = resource.required("KeySchema")?;
    let (mut partition, mut sort) = resource.keys(schema, &types)?;
    if partition.len() != 1 || sort.len() > 1 {
        let message = "the table's key has one partition key and at most one sort key";
        return Err(TemplateError::at(schema.position, message));
    }
    let mut facts = ImportedTable::new("", partition.remove(0), sort.pop());
    resource.name(&mut facts)?;
    facts.table.billing = resource.billing()?;
    for (property, local) in [("GlobalSecondaryIndexes", false), ("LocalSecondaryIndexes", true)] {
        for index in resource.list(property)? {
            let index = resource.index(facts.indexes.len(), index, &types, local)?;
            facts.indexes.push(index);
        }
    }
    options::read(&mut resource, &mut facts)?;
    for (property, _) in resource.properties.entries().iter().filter(|(name, _)| !READ.contains(&name.as_str())) {
        resource.notes.push(format!("`{property}` of the template is omitted: designs do not support it"));
    }
    for note in resource.notes {
        // A property that is read twice adds its note twice.
        if !facts.notes.contains(&note) {
            facts.notes.push(note);
        }
    }
    Ok(facts)
}
