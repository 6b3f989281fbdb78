//! Descriptions of tables, of time to live, of backups, limits and tags.

use aws_sdk_dynamodb::operation::describe_limits::DescribeLimitsOutput;
use aws_sdk_dynamodb::operation::list_tables;
use aws_sdk_dynamodb::operation::list_tags_of_resource::ListTagsOfResourceOutput;
use aws_sdk_dynamodb::primitives::DateTime;
use aws_sdk_dynamodb::types;
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::operation::{
    ContinuousBackupsDescription, LimitsDescription, ListTablesOutput, TagsPage, TimeToLiveDescription,
};
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexDescription, KeyRole, KeySchemaElement, KeyType, OnDemandThroughput,
    ProjectionSpec, ProjectionType, TableDescription, TableStatus, ThroughputDescription, TimeToLiveStatus,
};

pub fn table(told: Option<types::TableDescription>) -> Result<TableDescription, ServiceError> {
    let told = told.ok_or_else(|| odd("no description of the table"))?;
    let billing = told.billing_mode_summary.as_ref();
    let on_demand =
        billing.and_then(|summary| summary.billing_mode.as_ref()) == Some(&types::BillingMode::PayPerRequest);
    Ok(TableDescription {
        name: told.table_name.unwrap_or_default(),
        id: told.table_id.unwrap_or_default(),
        arn: told.table_arn.unwrap_or_default(),
        status: told.table_status.as_ref().map_or(Ok(TableStatus::Active), table_status)?,
        created_at: told.creation_date_time.as_ref().map(DateTime::as_secs_f64).unwrap_or_default(),
        attribute_definitions: attribute_definitions(told.attribute_definitions.unwrap_or_default())?,
        key_schema: key_schema(told.key_schema.unwrap_or_default())?,
        global_indexes: told
            .global_secondary_indexes
            .unwrap_or_default()
            .into_iter()
            .map(global_index)
            .collect::<Result<_, _>>()?,
        local_indexes: told
            .local_secondary_indexes
            .unwrap_or_default()
            .into_iter()
            .map(local_index)
            .collect::<Result<_, _>>()?,
        billing_mode: if on_demand { BillingMode::PayPerRequest } else { BillingMode::Provisioned },
        on_demand_since: billing
            .and_then(|summary| summary.last_update_to_pay_per_request_date_time.as_ref())
            .map(DateTime::as_secs_f64),
        throughput: told.provisioned_throughput.as_ref().map(throughput).unwrap_or_default(),
        on_demand: told.on_demand_throughput.as_ref().map(bounds),
        size_bytes: size(told.table_size_bytes),
        item_count: size(told.item_count),
        deletion_protection: told.deletion_protection_enabled.unwrap_or_default(),
        table_class: told
            .table_class_summary
            .and_then(|summary| summary.table_class)
            .map(|class| class.as_str().to_owned()),
    })
}

fn table_status(told: &types::TableStatus) -> Result<TableStatus, ServiceError> {
    Ok(match told {
        types::TableStatus::Creating => TableStatus::Creating,
        types::TableStatus::Updating => TableStatus::Updating,
        types::TableStatus::Deleting => TableStatus::Deleting,
        types::TableStatus::Active => TableStatus::Active,
        other => return Err(odd(&format!("a table that is {}", other.as_str()))),
    })
}

fn attribute_definitions(told: Vec<types::AttributeDefinition>) -> Result<Vec<AttributeDefinition>, ServiceError> {
    let definition = |told: types::AttributeDefinition| {
        let key_type = KeyType::parse(told.attribute_type.as_str())
            .ok_or_else(|| odd(&format!("a key of type {}", told.attribute_type.as_str())))?;
        Ok(AttributeDefinition { name: told.attribute_name, key_type })
    };
    told.into_iter().map(definition).collect()
}

fn key_schema(told: Vec<types::KeySchemaElement>) -> Result<Vec<KeySchemaElement>, ServiceError> {
    let element = |told: types::KeySchemaElement| {
        let role = KeyRole::parse(told.key_type.as_str())
            .ok_or_else(|| odd(&format!("a key that is a {}", told.key_type.as_str())))?;
        Ok(KeySchemaElement { name: told.attribute_name, role })
    };
    told.into_iter().map(element).collect()
}

fn global_index(told: types::GlobalSecondaryIndexDescription) -> Result<IndexDescription, ServiceError> {
    let status = told.index_status.map(|status| {
        Ok(match status {
            types::IndexStatus::Creating => TableStatus::Creating,
            types::IndexStatus::Updating => TableStatus::Updating,
            types::IndexStatus::Deleting => TableStatus::Deleting,
            types::IndexStatus::Active => TableStatus::Active,
            other => return Err(odd(&format!("an index that is {}", other.as_str()))),
        })
    });
    Ok(IndexDescription {
        name: told.index_name.unwrap_or_default(),
        arn: told.index_arn.unwrap_or_default(),
        key_schema: key_schema(told.key_schema.unwrap_or_default())?,
        projection: projection(told.projection)?,
        status: status.transpose()?,
        backfilling: told.backfilling,
        throughput: told.provisioned_throughput.as_ref().map(throughput),
        on_demand: told.on_demand_throughput.as_ref().map(bounds),
        size_bytes: size(told.index_size_bytes),
        item_count: size(told.item_count),
    })
}

fn local_index(told: types::LocalSecondaryIndexDescription) -> Result<IndexDescription, ServiceError> {
    Ok(IndexDescription {
        name: told.index_name.unwrap_or_default(),
        arn: told.index_arn.unwrap_or_default(),
        key_schema: key_schema(told.key_schema.unwrap_or_default())?,
        projection: projection(told.projection)?,
        status: None,
        backfilling: None,
        throughput: None,
        on_demand: None,
        size_bytes: size(told.index_size_bytes),
        item_count: size(told.item_count),
    })
}

fn projection(told: Option<types::Projection>) -> Result<ProjectionSpec, ServiceError> {
    let Some(told) = told else { return Ok(ProjectionSpec::default()) };
    let kind = |told: types::ProjectionType| {
        ProjectionType::parse(told.as_str()).ok_or_else(|| odd(&format!("a projection of {}", told.as_str())))
    };
    Ok(ProjectionSpec {
        projection_type: told.projection_type.map(kind).transpose()?,
        non_key_attributes: told.non_key_attributes,
    })
}

fn throughput(told: &types::ProvisionedThroughputDescription) -> ThroughputDescription {
    ThroughputDescription {
        read: told.read_capacity_units.unwrap_or_default(),
        write: told.write_capacity_units.unwrap_or_default(),
        decreases_today: told.number_of_decreases_today.unwrap_or_default(),
        last_increase: told.last_increase_date_time.as_ref().map(DateTime::as_secs_f64),
        last_decrease: told.last_decrease_date_time.as_ref().map(DateTime::as_secs_f64),
    }
}

fn bounds(told: &types::OnDemandThroughput) -> OnDemandThroughput {
    OnDemandThroughput {
        max_read_request_units: told.max_read_request_units,
        max_write_request_units: told.max_write_request_units,
    }
}

pub fn list_tables(told: list_tables::ListTablesOutput) -> ListTablesOutput {
    ListTablesOutput {
        table_names: told.table_names.unwrap_or_default(),
        last_evaluated: told.last_evaluated_table_name,
    }
}

pub fn time_to_live(told: Option<types::TimeToLiveDescription>) -> Result<TimeToLiveDescription, ServiceError> {
    let told = told.ok_or_else(|| odd("no description of the time to live"))?;
    let status = match told.time_to_live_status {
        Some(types::TimeToLiveStatus::Enabling) => TimeToLiveStatus::Enabling,
        Some(types::TimeToLiveStatus::Disabling) => TimeToLiveStatus::Disabling,
        Some(types::TimeToLiveStatus::Enabled) => TimeToLiveStatus::Enabled,
        Some(types::TimeToLiveStatus::Disabled) | None => TimeToLiveStatus::Disabled,
        Some(other) => return Err(odd(&format!("a time to live that is {}", other.as_str()))),
    };
    Ok(TimeToLiveDescription { status, attribute_name: told.attribute_name })
}

pub fn continuous_backups(told: Option<types::ContinuousBackupsDescription>) -> ContinuousBackupsDescription {
    let Some(told) = told else { return ContinuousBackupsDescription::default() };
    let recovery = told.point_in_time_recovery_description.and_then(|told| told.point_in_time_recovery_status);
    ContinuousBackupsDescription {
        enabled: told.continuous_backups_status == types::ContinuousBackupsStatus::Enabled,
        point_in_time_recovery: recovery == Some(types::PointInTimeRecoveryStatus::Enabled),
    }
}

pub fn limits(told: &DescribeLimitsOutput) -> LimitsDescription {
    LimitsDescription {
        account_max_read: size(told.account_max_read_capacity_units),
        account_max_write: size(told.account_max_write_capacity_units),
        table_max_read: size(told.table_max_read_capacity_units),
        table_max_write: size(told.table_max_write_capacity_units),
    }
}

pub fn tags(told: ListTagsOfResourceOutput) -> TagsPage {
    let tags = told.tags.unwrap_or_default();
    TagsPage { tags: tags.into_iter().map(|tag| (tag.key, tag.value)).collect(), next_token: told.next_token }
}

fn size(told: Option<i64>) -> u64 {
    told.and_then(|told| u64::try_from(told).ok()).unwrap_or_default()
}

/// An answer that this version does not understand.
fn odd(what: &str) -> ServiceError {
    ServiceError::Internal(format!("the service answered with {what}"))
}
