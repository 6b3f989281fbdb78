//! The table of stored responses and the audit log.

use std::time::Duration;

use keyfold_dynamo::operation::{CreateTableInput, UpdateTimeToLiveInput};
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexSpec, KeyRole, KeySchemaElement, KeyType, ProjectionSpec, ProjectionType,
    TableStatus, TimeToLiveStatus,
};
use keyfold_dynamo::{Backend, ServiceError};
use keyfold_runtime::{Clock, Error};

pub(super) const PARTITION: &str = "PK";
pub(super) const SORT: &str = "SK";
/// When an item expires, in seconds since the epoch.
pub(super) const EXPIRES: &str = "expiresAt";
pub(super) const ITEM: &str = "itemKey";
pub(super) const SUBJECT: &str = "subjectKey";
pub(super) const BY_ITEM: &str = "byItem";
pub(super) const BY_SUBJECT: &str = "bySubject";

const POLL_INTERVAL: Duration = Duration::from_millis(250);
const POLLS: u32 = 1200;

/// Creates the table where it is absent, and waits until it can be used.
pub(super) async fn create(backend: &dyn Backend, name: &str, clock: &dyn Clock) -> Result<(), Error> {
    match backend.describe_table(name.to_owned()).await {
        Ok(table) => {
            let has = |index: &str| table.global_indexes.iter().any(|own| own.name == index);
            if !has(BY_ITEM) || !has(BY_SUBJECT) {
                let message = format!("the table `{name}` exists and is not an audit table: choose another name");
                return Err(Error::Invalid(message));
            }
            if table.status == TableStatus::Active {
                return Ok(());
            }
            return until_active(backend, name, clock).await;
        }
        Err(ServiceError::ResourceNotFound(_)) => {}
        Err(error) => return Err(error.into()),
    }
    match backend.create_table(description(name)).await {
        Ok(table) if table.status == TableStatus::Active => {}
        // Another process was faster.
        Ok(_) | Err(ServiceError::ResourceInUse(_)) => until_active(backend, name, clock).await?,
        Err(error) => return Err(error.into()),
    }
    let expiry =
        UpdateTimeToLiveInput { table_name: name.to_owned(), attribute_name: EXPIRES.to_owned(), enabled: true };
    match backend.update_time_to_live(expiry).await {
        Ok(_) => Ok(()),
        // Another process was faster: DynamoDB rejects a second request to enable it.
        Err(ServiceError::Validation(_)) if expires(backend, name).await? => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Whether the table removes expired items.
async fn expires(backend: &dyn Backend, name: &str) -> Result<bool, Error> {
    let expiry = backend.describe_time_to_live(name.to_owned()).await?;
    let is_on = matches!(expiry.status, TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling);
    Ok(is_on && expiry.attribute_name.as_deref() == Some(EXPIRES))
}

async fn until_active(backend: &dyn Backend, name: &str, clock: &dyn Clock) -> Result<(), Error> {
    for _ in 0..POLLS {
        match backend.describe_table(name.to_owned()).await {
            Ok(table) if table.status == TableStatus::Active => return Ok(()),
            Ok(_) | Err(ServiceError::ResourceNotFound(_)) => clock.sleep(POLL_INTERVAL).await,
            Err(error) => return Err(error.into()),
        }
    }
    Err(Error::Unavailable(format!("the table `{name}` is still being created")))
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
