//! The operations on tables: their descriptions, time to live, backups, limits and tags.

use aws_sdk_dynamodb::operation::create_table::builders::CreateTableInputBuilder;
use aws_sdk_dynamodb::operation::describe_kinesis_streaming_destination::DescribeKinesisStreamingDestinationOutput;
use aws_sdk_dynamodb::operation::describe_limits::DescribeLimitsOutput;
use aws_sdk_dynamodb::operation::list_tables;
use aws_sdk_dynamodb::operation::list_tables::builders::ListTablesInputBuilder;
use aws_sdk_dynamodb::operation::list_tags_of_resource::ListTagsOfResourceOutput;
use aws_sdk_dynamodb::operation::tag_resource::builders::TagResourceInputBuilder;
use aws_sdk_dynamodb::operation::update_table::builders::UpdateTableInputBuilder;
use aws_sdk_dynamodb::operation::update_time_to_live::builders::UpdateTimeToLiveInputBuilder;
use aws_sdk_dynamodb::primitives::DateTime;
use aws_sdk_dynamodb::types;
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::operation::{
    ContinuousBackupsDescription, CreateTableInput, IndexUpdate, KinesisDestination, KinesisDestinations,
    LimitsDescription, ListTablesInput, ListTablesOutput, TagsPage, TimeToLiveDescription, UpdateTableInput,
    UpdateTimeToLiveInput,
};
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexDescription, IndexSpec, KeyRole, KeySchemaElement, KeyType,
    OnDemandThroughput, ProjectionSpec, ProjectionType, TableDescription, TableStatus, Tags, Throughput,
    ThroughputDescription, TimeToLiveStatus,
};

use super::{count, incomplete, only_if, unexpected};

pub(crate) fn create_table_to_sdk(input: CreateTableInput) -> Result<CreateTableInputBuilder, ServiceError> {
    let global =
        input.global_indexes.map(|indexes| indexes.into_iter().map(global_index_to_sdk).collect()).transpose()?;
    let local = input.local_indexes.map(|indexes| indexes.into_iter().map(local_index_to_sdk).collect()).transpose()?;
    Ok(CreateTableInputBuilder::default()
        .table_name(input.table_name)
        .set_attribute_definitions(Some(attribute_definitions_to_sdk(input.attribute_definitions)?))
        .set_key_schema(Some(key_schema_to_sdk(input.key_schema)?))
        .set_global_secondary_indexes(global)
        .set_local_secondary_indexes(local)
        .set_billing_mode(input.billing_mode.map(billing_mode_to_sdk))
        .set_provisioned_throughput(input.throughput.map(throughput_to_sdk).transpose()?)
        .set_on_demand_throughput(input.on_demand.map(on_demand_to_sdk))
        .set_deletion_protection_enabled(only_if(input.deletion_protection))
        .set_table_class(input.table_class.as_deref().map(types::TableClass::from))
        .set_tags(if input.tags.is_empty() { None } else { Some(tags_to_sdk(input.tags)?) }))
}

pub(crate) fn update_table_to_sdk(input: UpdateTableInput) -> Result<UpdateTableInputBuilder, ServiceError> {
    let definitions = match input.attribute_definitions {
        none if none.is_empty() => None,
        some => Some(attribute_definitions_to_sdk(some)?),
    };
    let updates =
        input.index_updates.map(|updates| updates.into_iter().map(index_update_to_sdk).collect()).transpose()?;
    Ok(UpdateTableInputBuilder::default()
        .table_name(input.table_name)
        .set_attribute_definitions(definitions)
        .set_billing_mode(input.billing_mode.map(billing_mode_to_sdk))
        .set_provisioned_throughput(input.throughput.map(throughput_to_sdk).transpose()?)
        .set_on_demand_throughput(input.on_demand.map(on_demand_to_sdk))
        .set_global_secondary_index_updates(updates)
        .set_deletion_protection_enabled(input.deletion_protection)
        .set_table_class(input.table_class.as_deref().map(types::TableClass::from)))
}

pub(crate) fn list_tables_to_sdk(input: ListTablesInput) -> ListTablesInputBuilder {
    ListTablesInputBuilder::default()
        .set_exclusive_start_table_name(input.exclusive_start)
        .set_limit(count(input.limit))
}

pub(crate) fn update_time_to_live_to_sdk(
    input: UpdateTimeToLiveInput,
) -> Result<UpdateTimeToLiveInputBuilder, ServiceError> {
    let specification = types::TimeToLiveSpecification::builder()
        .enabled(input.enabled)
        .attribute_name(input.attribute_name)
        .build()
        .map_err(incomplete)?;
    Ok(UpdateTimeToLiveInputBuilder::default().table_name(input.table_name).time_to_live_specification(specification))
}

pub(crate) fn tag_resource_to_sdk(arn: String, given: Tags) -> Result<TagResourceInputBuilder, ServiceError> {
    Ok(TagResourceInputBuilder::default().resource_arn(arn).set_tags(Some(tags_to_sdk(given)?)))
}

fn tags_to_sdk(tags: Tags) -> Result<Vec<types::Tag>, ServiceError> {
    let tag = |(key, value)| types::Tag::builder().key(key).value(value).build().map_err(incomplete);
    tags.into_iter().map(tag).collect()
}

fn attribute_definitions_to_sdk(
    definitions: Vec<AttributeDefinition>,
) -> Result<Vec<types::AttributeDefinition>, ServiceError> {
    let definition = |definition: AttributeDefinition| {
        types::AttributeDefinition::builder()
            .attribute_name(definition.name)
            .attribute_type(match definition.key_type {
                KeyType::S => types::ScalarAttributeType::S,
                KeyType::N => types::ScalarAttributeType::N,
                KeyType::B => types::ScalarAttributeType::B,
            })
            .build()
            .map_err(incomplete)
    };
    definitions.into_iter().map(definition).collect()
}

fn key_schema_to_sdk(elements: Vec<KeySchemaElement>) -> Result<Vec<types::KeySchemaElement>, ServiceError> {
    let element = |element: KeySchemaElement| {
        types::KeySchemaElement::builder()
            .attribute_name(element.name)
            .key_type(match element.role {
                KeyRole::Hash => types::KeyType::Hash,
                KeyRole::Range => types::KeyType::Range,
            })
            .build()
            .map_err(incomplete)
    };
    elements.into_iter().map(element).collect()
}

fn global_index_to_sdk(index: IndexSpec) -> Result<types::GlobalSecondaryIndex, ServiceError> {
    types::GlobalSecondaryIndex::builder()
        .index_name(index.name)
        .set_key_schema(Some(key_schema_to_sdk(index.key_schema)?))
        .projection(projection_to_sdk(index.projection))
        .set_provisioned_throughput(index.throughput.map(throughput_to_sdk).transpose()?)
        .set_on_demand_throughput(index.on_demand.map(on_demand_to_sdk))
        .build()
        .map_err(incomplete)
}

fn local_index_to_sdk(index: IndexSpec) -> Result<types::LocalSecondaryIndex, ServiceError> {
    types::LocalSecondaryIndex::builder()
        .index_name(index.name)
        .set_key_schema(Some(key_schema_to_sdk(index.key_schema)?))
        .projection(projection_to_sdk(index.projection))
        .build()
        .map_err(incomplete)
}

fn index_update_to_sdk(update: IndexUpdate) -> Result<types::GlobalSecondaryIndexUpdate, ServiceError> {
    let builder = types::GlobalSecondaryIndexUpdate::builder();
    let builder = match update {
        IndexUpdate::Create(index) => {
            let action = types::CreateGlobalSecondaryIndexAction::builder()
                .index_name(index.name)
                .set_key_schema(Some(key_schema_to_sdk(index.key_schema)?))
                .projection(projection_to_sdk(index.projection))
                .set_provisioned_throughput(index.throughput.map(throughput_to_sdk).transpose()?)
                .set_on_demand_throughput(index.on_demand.map(on_demand_to_sdk));
            builder.create(action.build().map_err(incomplete)?)
        }
        IndexUpdate::Update { name, throughput: provisioned, on_demand: bounds } => {
            let action = types::UpdateGlobalSecondaryIndexAction::builder()
                .index_name(name)
                .set_provisioned_throughput(provisioned.map(throughput_to_sdk).transpose()?)
                .set_on_demand_throughput(bounds.map(on_demand_to_sdk));
            builder.update(action.build().map_err(incomplete)?)
        }
        IndexUpdate::Delete { name } => {
            let action = types::DeleteGlobalSecondaryIndexAction::builder().index_name(name);
            builder.delete(action.build().map_err(incomplete)?)
        }
    };
    Ok(builder.build())
}

fn projection_to_sdk(projection: ProjectionSpec) -> types::Projection {
    let projection_type = projection.projection_type.map(|kind| match kind {
        ProjectionType::All => types::ProjectionType::All,
        ProjectionType::KeysOnly => types::ProjectionType::KeysOnly,
        ProjectionType::Include => types::ProjectionType::Include,
    });
    types::Projection::builder()
        .set_projection_type(projection_type)
        .set_non_key_attributes(projection.non_key_attributes)
        .build()
}

fn throughput_to_sdk(throughput: Throughput) -> Result<types::ProvisionedThroughput, ServiceError> {
    types::ProvisionedThroughput::builder()
        .read_capacity_units(throughput.read)
        .write_capacity_units(throughput.write)
        .build()
        .map_err(incomplete)
}

fn on_demand_to_sdk(bounds: OnDemandThroughput) -> types::OnDemandThroughput {
    types::OnDemandThroughput::builder()
        .set_max_read_request_units(bounds.max_read_request_units)
        .set_max_write_request_units(bounds.max_write_request_units)
        .build()
}

fn billing_mode_to_sdk(mode: BillingMode) -> types::BillingMode {
    match mode {
        BillingMode::Provisioned => types::BillingMode::Provisioned,
        BillingMode::PayPerRequest => types::BillingMode::PayPerRequest,
    }
}

pub(crate) fn table_from_sdk(output: Option<types::TableDescription>) -> Result<TableDescription, ServiceError> {
    let output = output.ok_or_else(|| unexpected("no description of the table"))?;
    let status = output.table_status.as_ref().ok_or_else(|| unexpected("a table without a status"))?;
    let status = table_status_from_sdk(status)?;
    let key_schema = match output.key_schema {
        Some(elements) => key_schema_from_sdk(elements)?,
        // The response of DeleteTable may leave out keys and attributes.
        None if status == TableStatus::Deleting => Vec::new(),
        None => return Err(unexpected("a table without a key schema")),
    };
    let attribute_definitions = match output.attribute_definitions {
        Some(definitions) => attribute_definitions_from_sdk(definitions)?,
        None if status == TableStatus::Deleting => Vec::new(),
        None => return Err(unexpected("a table without attribute definitions")),
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
        attribute_definitions,
        key_schema,
        global_indexes: output
            .global_secondary_indexes
            .unwrap_or_default()
            .into_iter()
            .map(global_index_from_sdk)
            .collect::<Result<_, _>>()?,
        local_indexes: output
            .local_secondary_indexes
            .unwrap_or_default()
            .into_iter()
            .map(local_index_from_sdk)
            .collect::<Result<_, _>>()?,
        billing_mode: if on_demand { BillingMode::PayPerRequest } else { BillingMode::Provisioned },
        on_demand_since: billing
            .and_then(|summary| summary.last_update_to_pay_per_request_date_time.as_ref())
            .map(DateTime::as_secs_f64),
        throughput: output.provisioned_throughput.as_ref().map(throughput_from_sdk).unwrap_or_default(),
        on_demand: output.on_demand_throughput.as_ref().map(on_demand_from_sdk),
        size_bytes: size(output.table_size_bytes)?,
        item_count: size(output.item_count)?,
        deletion_protection: output.deletion_protection_enabled.unwrap_or_default(),
        table_class: output
            .table_class_summary
            .and_then(|summary| summary.table_class)
            .map(|class| class.as_str().to_owned()),
    })
}

fn table_status_from_sdk(output: &types::TableStatus) -> Result<TableStatus, ServiceError> {
    Ok(match output {
        types::TableStatus::Creating => TableStatus::Creating,
        types::TableStatus::Updating => TableStatus::Updating,
        types::TableStatus::Deleting => TableStatus::Deleting,
        types::TableStatus::Active => TableStatus::Active,
        other => return Err(unexpected(&format!("the unknown table status {}", other.as_str()))),
    })
}

fn attribute_definitions_from_sdk(
    output: Vec<types::AttributeDefinition>,
) -> Result<Vec<AttributeDefinition>, ServiceError> {
    let definition = |output: types::AttributeDefinition| {
        let key_type = KeyType::parse(output.attribute_type.as_str())
            .ok_or_else(|| unexpected(&format!("the unknown key type {}", output.attribute_type.as_str())))?;
        Ok(AttributeDefinition { name: output.attribute_name, key_type })
    };
    output.into_iter().map(definition).collect()
}

fn key_schema_from_sdk(output: Vec<types::KeySchemaElement>) -> Result<Vec<KeySchemaElement>, ServiceError> {
    let element = |output: types::KeySchemaElement| {
        let role = KeyRole::parse(output.key_type.as_str())
            .ok_or_else(|| unexpected(&format!("the unknown key role {}", output.key_type.as_str())))?;
        Ok(KeySchemaElement { name: output.attribute_name, role })
    };
    output.into_iter().map(element).collect()
}

fn global_index_from_sdk(output: types::GlobalSecondaryIndexDescription) -> Result<IndexDescription, ServiceError> {
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
        key_schema: key_schema_from_sdk(output.key_schema.ok_or_else(|| unexpected("an index without a key schema"))?)?,
        projection: projection_from_sdk(output.projection)?,
        status: status.transpose()?,
        backfilling: output.backfilling,
        throughput: output.provisioned_throughput.as_ref().map(throughput_from_sdk),
        on_demand: output.on_demand_throughput.as_ref().map(on_demand_from_sdk),
        size_bytes: size(output.index_size_bytes)?,
        item_count: size(output.item_count)?,
    })
}

fn local_index_from_sdk(output: types::LocalSecondaryIndexDescription) -> Result<IndexDescription, ServiceError> {
    Ok(IndexDescription {
        name: output.index_name.ok_or_else(|| unexpected("an index without a name"))?,
        arn: output.index_arn,
        key_schema: key_schema_from_sdk(output.key_schema.ok_or_else(|| unexpected("an index without a key schema"))?)?,
        projection: projection_from_sdk(output.projection)?,
        status: None,
        backfilling: None,
        throughput: None,
        on_demand: None,
        size_bytes: size(output.index_size_bytes)?,
        item_count: size(output.item_count)?,
    })
}

fn projection_from_sdk(output: Option<types::Projection>) -> Result<ProjectionSpec, ServiceError> {
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

fn throughput_from_sdk(output: &types::ProvisionedThroughputDescription) -> ThroughputDescription {
    ThroughputDescription {
        read: output.read_capacity_units.unwrap_or_default(),
        write: output.write_capacity_units.unwrap_or_default(),
        decreases_today: output.number_of_decreases_today.unwrap_or_default(),
        last_increase: output.last_increase_date_time.as_ref().map(DateTime::as_secs_f64),
        last_decrease: output.last_decrease_date_time.as_ref().map(DateTime::as_secs_f64),
    }
}

fn on_demand_from_sdk(output: &types::OnDemandThroughput) -> OnDemandThroughput {
    OnDemandThroughput {
        max_read_request_units: output.max_read_request_units,
        max_write_request_units: output.max_write_request_units,
    }
}

pub(crate) fn list_tables_from_sdk(output: list_tables::ListTablesOutput) -> Result<ListTablesOutput, ServiceError> {
    Ok(ListTablesOutput {
        table_names: output.table_names.ok_or_else(|| unexpected("no names of tables"))?,
        last_evaluated: output.last_evaluated_table_name,
    })
}

pub(crate) fn time_to_live_from_sdk(
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

pub(crate) fn continuous_backups_from_sdk(
    output: Option<types::ContinuousBackupsDescription>,
) -> Result<ContinuousBackupsDescription, ServiceError> {
    let output = output.ok_or_else(|| unexpected("no description of the backups"))?;
    let recovery = output.point_in_time_recovery_description.and_then(|output| output.point_in_time_recovery_status);
    Ok(ContinuousBackupsDescription {
        enabled: output.continuous_backups_status == types::ContinuousBackupsStatus::Enabled,
        point_in_time_recovery: recovery == Some(types::PointInTimeRecoveryStatus::Enabled),
    })
}

pub(crate) fn kinesis_destinations_from_sdk(
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

pub(crate) fn limits_from_sdk(output: &DescribeLimitsOutput) -> Result<LimitsDescription, ServiceError> {
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

pub(crate) fn tags_from_sdk(output: ListTagsOfResourceOutput) -> TagsPage {
    let tags = output.tags.unwrap_or_default();
    TagsPage { tags: tags.into_iter().map(|tag| (tag.key, tag.value)).collect(), next_token: output.next_token }
}

/// A size or a count; services leave out what is 0 or not known yet.
fn size(output: Option<i64>) -> Result<u64, ServiceError> {
    u64::try_from(output.unwrap_or(0)).map_err(|_| unexpected("a negative size or count"))
}
