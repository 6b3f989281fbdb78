//! The table of stored responses and the audit log.

use keyfold_dynamo::operation::CreateTableInput;
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexSpec, KeyRole, KeySchemaElement, KeyType, ProjectionSpec, ProjectionType,
    TableDescription,
};
use keyfold_dynamo::{Backend, ServiceError};
use keyfold_runtime::{Clock, Error, ensure_table};

pub(super) const PARTITION: &str = "PK";
pub(super) const SORT: &str = "SK";
/// Begins the partitions of the audit log.
pub(super) const AUDIT_PREFIX: &str = "AUDIT#";
/// Begins the partitions of stored responses.
pub(super) const RESPONSE_PREFIX: &str = "ONCE#";
/// When an item expires, in seconds since the epoch.
pub(super) const EXPIRES: &str = "expiresAt";
pub(super) const ITEM: &str = "itemKey";
pub(super) const SUBJECT: &str = "subjectKey";
pub(super) const BY_ITEM: &str = "byItem";
pub(super) const BY_SUBJECT: &str = "bySubject";

/// Creates the table where it is absent, and waits until it can be used.
pub(super) async fn create(backend: &dyn Backend, name: &str, clock: &dyn Clock) -> Result<(), Error> {
    match backend.describe_table(name.to_owned()).await {
        Ok(table) => require_audit_table(&table)?,
        Err(ServiceError::ResourceNotFound(_)) => {}
        Err(error) => return Err(error.into()),
    }
    ensure_table(backend, description(name), Some(EXPIRES), clock).await.map(drop)
}

/// Rejects a table of something else.
pub(super) fn require_audit_table(table: &TableDescription) -> Result<(), Error> {
    let has = |index: &str| table.global_indexes.iter().any(|own| own.name == index);
    if has(BY_ITEM) && has(BY_SUBJECT) {
        return Ok(());
    }
    Err(Error::Invalid(format!("the table `{}` exists and is not an audit table: choose another name", table.name)))
}

fn description(name: &str) -> CreateTableInput {
    let schema = |partition: &str| {
        let element = |name: &str, role| KeySchemaElement { name: name.to_owned(), role };
        vec![element(partition, KeyRole::Hash), element(SORT, KeyRole::Range)]
    };
    let index = |name: &str, partition: &str| IndexSpec {
        name: name.to_owned(),
        key_schema: schema(partition),
        projection: ProjectionSpec { projection_type: Some(ProjectionType::All), non_key_attributes: None },
        throughput: None,
        on_demand: None,
    };
    let text = |name: &str| AttributeDefinition { name: name.to_owned(), key_type: KeyType::S };
    CreateTableInput {
        table_name: name.to_owned(),
        attribute_definitions: [PARTITION, SORT, ITEM, SUBJECT].map(text).to_vec(),
        key_schema: schema(PARTITION),
        global_indexes: Some(vec![index(BY_ITEM, ITEM), index(BY_SUBJECT, SUBJECT)]),
        billing_mode: Some(BillingMode::PayPerRequest),
        ..CreateTableInput::default()
    }
}
