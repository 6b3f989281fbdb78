//! Descriptions of tables, of time to live, of backups, limits and tags.

use aws_sdk_dynamodb::operation::describe_kinesis_streaming_destination::DescribeKinesisStreamingDestinationOutput;
use aws_sdk_dynamodb::operation::describe_limits::DescribeLimitsOutput;
use aws_sdk_dynamodb::operation::list_tables;
use aws_sdk_dynamodb::operation::list_tags_of_resource::ListTagsOfResourceOutput;
use aws_sdk_dynamodb::primitives::DateTime;
use aws_sdk_dynamodb::types;
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::operation::{
    ContinuousBackupsDescription, KinesisDestination, KinesisDestinations, LimitsDescription, ListTablesOutput,
    TagsPage, TimeToLiveDescription,
};
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexDescription, KeyRole, KeySchemaElement, KeyType, OnDemandThroughput,
    ProjectionSpec, ProjectionType, TableDescription, TableStatus, ThroughputDescription, TimeToLiveStatus,
};

pub(crate) fn table(output: Option<types::TableDescription>) -> Result<TableDescription, ServiceError> {
    let output = output.ok_or_else(|| unexpected("no description of the table"))?;
    let status = output.table_status.as_ref().ok_or_else(|| unexpected("a table without a status"))?;
    let status = table_status(status)?;
    let key_schema = match output.key_schema {
        Some(elements) => key_schema(elements)?,
        // The response of DeleteTable may leave out the keys.
        None if status == TableStatus::Deleting => Vec::new(),
        None => return Err(unexpected("a table without a key schema")),
    };
    let billing = output.billing_mode_summary.as_ref();
    let on_demand =
        billing.and_then(|summary| summary.billing_mode.as_ref()) == Some(&types::BillingMode::PayPerRequest);
    Ok(TableDescription {
        name: output.table_name.ok_or_else(|| unexpected("a table without a name"))?,
        id: output.table_id,
        arn: output.table_arn,
        status,
        created_at: output.creation_date_time.as_ref().map(DateTime::as_secs_f64),
        attribute_definitions: attribute_definitions(output.attribute_definitions.unwrap_or_default())?,
        key_schema,
        global_indexes: output
            .global_secondary_indexes
            .unwrap_or_default()
            .into_iter()
            .map(global_index)
            .collect::<Result<_, _>>()?,
        local_indexes: output
            .local_secondary_indexes
            .unwrap_or_default()
            .into_iter()
            .map(local_index)
            .collect::<Result<_, _>>()?,
        billing_mode: if on_demand { BillingMode::PayPerRequest } else { BillingMode::Provisioned },
        on_demand_since: billing
            .and_then(|summary| summary.last_update_to_pay_per_request_date_time.as_ref())
            .map(DateTime::as_secs_f64),
        throughput: output.provisioned_throughput.as_ref().map(throughput).unwrap_or_default(),
        on_demand: output.on_demand_throughput.as_ref().map(on_demand_limits),
        size_bytes: size(output.table_size_bytes)?,
        item_count: size(output.item_count)?,
        deletion_protection: output.deletion_protection_enabled.unwrap_or_default(),
        table_class: output
            .table_class_summary
            .and_then(|summary| summary.table_class)
            .map(|class| class.as_str().to_owned()),
    })
}

fn table_status(output: &types::TableStatus) -> Result<TableStatus, ServiceError> {
    Ok(match output {
        types::TableStatus::Creating => TableStatus::Creating,
        types::TableStatus::Updating => TableStatus::Updating,
        types::TableStatus::Deleting => TableStatus::Deleting,
        types::TableStatus::Active => TableStatus::Active,
        other => return Err(unexpected(&format!("the unknown table status {}", other.as_str()))),
    })
}

fn attribute_definitions(output: Vec<types::AttributeDefinition>) -> Result<Vec<AttributeDefinition>, ServiceError> {
    let definition = |output: types::AttributeDefinition| {
        let key_type = KeyType::parse(output.attribute_type.as_str())
            .ok_or_else(|| unexpected(&format!("the unknown key type {}", output.attribute_type.as_str())))?;
        Ok(AttributeDefinition { name: output.attribute_name, key_type })
    };
    output.into_iter().map(definition).collect()
}

fn key_schema(output: Vec<types::KeySchemaElement>) -> Result<Vec<KeySchemaElement>, ServiceError> {
    let element = |output: types::KeySchemaElement| {
        let role = KeyRole::parse(output.key_type.as_str())
            .ok_or_else(|| unexpected(&format!("the unknown key role {}", output.key_type.as_str())))?;
        Ok(KeySchemaElement { name: output.attribute_name, role })
    };
    output.into_iter().map(element).collect()
}

fn global_index(output: types::GlobalSecondaryIndexDescription) -> Result<IndexDescription, ServiceError> {
    let status = output.index_status.map(|status| {
        Ok(match status {
            types::IndexStatus::Creating => TableStatus::Creating,
            types::IndexStatus::Updating => TableStatus::Updating,
            types::IndexStatus::Deleting => TableStatus::Deleting,
            types::IndexStatus::Active => TableStatus::Active,
            other => return Err(unexpected(&format!("the unknown index status {}", other.as_str()))),
        })
    });
    Ok(IndexDescription {
        name: output.index_name.ok_or_else(|| unexpected("an index without a name"))?,
        arn: output.index_arn,
        key_schema: key_schema(output.key_schema.ok_or_else(|| unexpected("an index without a key schema"))?)?,
        projection: projection(output.projection)?,
        status: status.transpose()?,
        backfilling: output.backfilling,
        throughput: output.provisioned_throughput.as_ref().map(throughput),
        on_demand: output.on_demand_throughput.as_ref().map(on_demand_limits),
        size_bytes: size(output.index_size_bytes)?,
        item_count: size(output.item_count)?,
    })
}

fn local_index(output: types::LocalSecondaryIndexDescription) -> Result<IndexDescription, ServiceError> {
    Ok(IndexDescription {
        name: output.index_name.ok_or_else(|| unexpected("an index without a name"))?,
        arn: output.index_arn,
        key_schema: key_schema(output.key_schema.ok_or_else(|| unexpected("an index without a key schema"))?)?,
        projection: projection(output.projection)?,
        status: None,
        backfilling: None,
        throughput: None,
        on_demand: None,
        size_bytes: size(output.index_size_bytes)?,
        item_count: size(output.item_count)?,
    })
}

fn projection(output: Option<types::Projection>) -> Result<ProjectionSpec, ServiceError> {
    let Some(output) = output else { return Ok(ProjectionSpec::default()) };
    let kind = |output: types::ProjectionType| {
        ProjectionType::parse(output.as_str())
            .ok_or_else(|| unexpected(&format!("the unknown projection type {}", output.as_str())))
    };
    Ok(ProjectionSpec {
        projection_type: output.projection_type.map(kind).transpose()?,
        non_key_attributes: output.non_key_attributes,
    })
}

fn throughput(output: &types::ProvisionedThroughputDescription) -> ThroughputDescription {
    ThroughputDescription {
        read: output.read_capacity_units.unwrap_or_default(),
        write: output.write_capacity_units.unwrap_or_default(),
        decreases_today: output.number_of_decreases_today.unwrap_or_default(),
        last_increase: output.last_increase_date_time.as_ref().map(DateTime::as_secs_f64),
        last_decrease: output.last_decrease_date_time.as_ref().map(DateTime::as_secs_f64),
    }
}

fn on_demand_limits(output: &types::OnDemandThroughput) -> OnDemandThroughput {
    OnDemandThroughput {
        max_read_request_units: output.max_read_request_units,
        max_write_request_units: output.max_write_request_units,
    }
}

pub(crate) fn list_tables(output: list_tables::ListTablesOutput) -> ListTablesOutput {
    ListTablesOutput {
        table_names: output.table_names.unwrap_or_default(),
        last_evaluated: output.last_evaluated_table_name,
    }
}

pub(crate) fn time_to_live(
    output: Option<types::TimeToLiveDescription>,
) -> Result<TimeToLiveDescription, ServiceError> {
    let output = output.ok_or_else(|| unexpected("no description of the time to live"))?;
    let status = match output.time_to_live_status {
        Some(types::TimeToLiveStatus::Enabling) => TimeToLiveStatus::Enabling,
        Some(types::TimeToLiveStatus::Disabling) => TimeToLiveStatus::Disabling,
        Some(types::TimeToLiveStatus::Enabled) => TimeToLiveStatus::Enabled,
        Some(types::TimeToLiveStatus::Disabled) => TimeToLiveStatus::Disabled,
        None => return Err(unexpected("a time to live without a status")),
        Some(other) => return Err(unexpected(&format!("the unknown time-to-live status {}", other.as_str()))),
    };
    Ok(TimeToLiveDescription { status, attribute_name: output.attribute_name })
}

pub(crate) fn continuous_backups(
    output: Option<types::ContinuousBackupsDescription>,
) -> Result<ContinuousBackupsDescription, ServiceError> {
    let output = output.ok_or_else(|| unexpected("no description of the backups"))?;
    let recovery = output.point_in_time_recovery_description.and_then(|output| output.point_in_time_recovery_status);
    Ok(ContinuousBackupsDescription {
        enabled: output.continuous_backups_status == types::ContinuousBackupsStatus::Enabled,
        point_in_time_recovery: recovery == Some(types::PointInTimeRecoveryStatus::Enabled),
    })
}

pub(crate) fn kinesis_destinations(
    output: DescribeKinesisStreamingDestinationOutput,
) -> Result<KinesisDestinations, ServiceError> {
    let table_name = output.table_name.ok_or_else(|| unexpected("no name of the table"))?;
    let destinations = output.kinesis_data_stream_destinations.into_iter().flatten();
    let destination = |output: types::KinesisDataStreamDestination| KinesisDestination {
        stream_arn: output.stream_arn,
        status: output.destination_status.map(|status| status.as_str().to_owned()),
        status_description: output.destination_status_description,
        precision: output.approximate_creation_date_time_precision.map(|precision| precision.as_str().to_owned()),
    };
    Ok(KinesisDestinations { table_name, destinations: destinations.map(destination).collect() })
}

pub(crate) fn limits(output: &DescribeLimitsOutput) -> Result<LimitsDescription, ServiceError> {
    Ok(LimitsDescription {
        account_max_read: limit(output.account_max_read_capacity_units)?,
        account_max_write: limit(output.account_max_write_capacity_units)?,
        table_max_read: limit(output.table_max_read_capacity_units)?,
        table_max_write: limit(output.table_max_write_capacity_units)?,
    })
}

fn limit(output: Option<i64>) -> Result<u64, ServiceError> {
    let limit = output.ok_or_else(|| unexpected("limits without a value"))?;
    u64::try_from(limit).map_err(|_| unexpected("a negative limit"))
}

pub(crate) fn tags(output: ListTagsOfResourceOutput) -> TagsPage {
    let tags = output.tags.unwrap_or_default();
    TagsPage { tags: tags.into_iter().map(|tag| (tag.key, tag.value)).collect(), next_token: output.next_token }
}

/// A size or a count; services leave out what is 0 or not known yet.
fn size(output: Option<i64>) -> Result<u64, ServiceError> {
    u64::try_from(output.unwrap_or(0)).map_err(|_| unexpected("a negative size or count"))
}

/// A response that this version does not understand.
fn unexpected(what: &str) -> ServiceError {
    ServiceError::Internal(format!("the service returned {what}"))
}
