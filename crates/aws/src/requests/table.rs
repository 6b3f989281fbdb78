//! The operations on tables.

use aws_sdk_dynamodb::operation::create_table::builders::CreateTableInputBuilder;
use aws_sdk_dynamodb::operation::list_tables::builders::ListTablesInputBuilder;
use aws_sdk_dynamodb::operation::tag_resource::builders::TagResourceInputBuilder;
use aws_sdk_dynamodb::operation::update_table::builders::UpdateTableInputBuilder;
use aws_sdk_dynamodb::operation::update_time_to_live::builders::UpdateTimeToLiveInputBuilder;
use aws_sdk_dynamodb::types;
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::operation::{
    CreateTableInput, IndexUpdate, ListTablesInput, UpdateTableInput, UpdateTimeToLiveInput,
};
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, IndexSpec, KeyRole, KeySchemaElement, KeyType, OnDemandThroughput,
    ProjectionSpec, ProjectionType, Tags, Throughput,
};

use super::{count, incomplete, only_if};

pub(crate) fn create_table(input: CreateTableInput) -> Result<CreateTableInputBuilder, ServiceError> {
    let global = input.global_indexes.map(|indexes| indexes.into_iter().map(global_index).collect()).transpose()?;
    let local = input.local_indexes.map(|indexes| indexes.into_iter().map(local_index).collect()).transpose()?;
    Ok(CreateTableInputBuilder::default()
        .table_name(input.table_name)
        .set_attribute_definitions(Some(attribute_definitions(input.attribute_definitions)?))
        .set_key_schema(Some(key_schema(input.key_schema)?))
        .set_global_secondary_indexes(global)
        .set_local_secondary_indexes(local)
        .set_billing_mode(input.billing_mode.map(billing_mode))
        .set_provisioned_throughput(input.throughput.map(throughput).transpose()?)
        .set_on_demand_throughput(input.on_demand.map(on_demand))
        .set_deletion_protection_enabled(only_if(input.deletion_protection))
        .set_table_class(input.table_class.as_deref().map(types::TableClass::from))
        .set_tags(if input.tags.is_empty() { None } else { Some(tags(input.tags)?) }))
}

pub(crate) fn update_table(input: UpdateTableInput) -> Result<UpdateTableInputBuilder, ServiceError> {
    let definitions = match input.attribute_definitions {
        none if none.is_empty() => None,
        some => Some(attribute_definitions(some)?),
    };
    let updates = input.index_updates.map(|updates| updates.into_iter().map(index_update).collect()).transpose()?;
    Ok(UpdateTableInputBuilder::default()
        .table_name(input.table_name)
        .set_attribute_definitions(definitions)
        .set_billing_mode(input.billing_mode.map(billing_mode))
        .set_provisioned_throughput(input.throughput.map(throughput).transpose()?)
        .set_on_demand_throughput(input.on_demand.map(on_demand))
        .set_global_secondary_index_updates(updates)
        .set_deletion_protection_enabled(input.deletion_protection)
        .set_table_class(input.table_class.as_deref().map(types::TableClass::from)))
}

pub(crate) fn list_tables(input: ListTablesInput) -> ListTablesInputBuilder {
    ListTablesInputBuilder::default()
        .set_exclusive_start_table_name(input.exclusive_start)
        .set_limit(count(input.limit))
}

pub(crate) fn update_time_to_live(input: UpdateTimeToLiveInput) -> Result<UpdateTimeToLiveInputBuilder, ServiceError> {
    let specification = types::TimeToLiveSpecification::builder()
        .enabled(input.enabled)
        .attribute_name(input.attribute_name)
        .build()
        .map_err(incomplete)?;
    Ok(UpdateTimeToLiveInputBuilder::default().table_name(input.table_name).time_to_live_specification(specification))
}

pub(crate) fn tag_resource(arn: String, given: Tags) -> Result<TagResourceInputBuilder, ServiceError> {
    Ok(TagResourceInputBuilder::default().resource_arn(arn).set_tags(Some(tags(given)?)))
}

fn tags(tags: Tags) -> Result<Vec<types::Tag>, ServiceError> {
    let tag = |(key, value)| types::Tag::builder().key(key).value(value).build().map_err(incomplete);
    tags.into_iter().map(tag).collect()
}

fn attribute_definitions(
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

fn key_schema(elements: Vec<KeySchemaElement>) -> Result<Vec<types::KeySchemaElement>, ServiceError> {
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

fn global_index(index: IndexSpec) -> Result<types::GlobalSecondaryIndex, ServiceError> {
    types::GlobalSecondaryIndex::builder()
        .index_name(index.name)
        .set_key_schema(Some(key_schema(index.key_schema)?))
        .projection(projection(index.projection))
        .set_provisioned_throughput(index.throughput.map(throughput).transpose()?)
        .set_on_demand_throughput(index.on_demand.map(on_demand))
        .build()
        .map_err(incomplete)
}

fn local_index(index: IndexSpec) -> Result<types::LocalSecondaryIndex, ServiceError> {
    types::LocalSecondaryIndex::builder()
        .index_name(index.name)
        .set_key_schema(Some(key_schema(index.key_schema)?))
        .projection(projection(index.projection))
        .build()
        .map_err(incomplete)
}

fn index_update(update: IndexUpdate) -> Result<types::GlobalSecondaryIndexUpdate, ServiceError> {
    let builder = types::GlobalSecondaryIndexUpdate::builder();
    let builder = match update {
        IndexUpdate::Create(index) => {
            let action = types::CreateGlobalSecondaryIndexAction::builder()
                .index_name(index.name)
                .set_key_schema(Some(key_schema(index.key_schema)?))
                .projection(projection(index.projection))
                .set_provisioned_throughput(index.throughput.map(throughput).transpose()?)
                .set_on_demand_throughput(index.on_demand.map(on_demand));
            builder.create(action.build().map_err(incomplete)?)
        }
        IndexUpdate::Update { name, throughput: provisioned, on_demand: bounds } => {
            let action = types::UpdateGlobalSecondaryIndexAction::builder()
                .index_name(name)
                .set_provisioned_throughput(provisioned.map(throughput).transpose()?)
                .set_on_demand_throughput(bounds.map(on_demand));
            builder.update(action.build().map_err(incomplete)?)
        }
        IndexUpdate::Delete { name } => {
            let action = types::DeleteGlobalSecondaryIndexAction::builder().index_name(name);
            builder.delete(action.build().map_err(incomplete)?)
        }
    };
    Ok(builder.build())
}

fn projection(projection: ProjectionSpec) -> types::Projection {
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

fn throughput(throughput: Throughput) -> Result<types::ProvisionedThroughput, ServiceError> {
    types::ProvisionedThroughput::builder()
        .read_capacity_units(throughput.read)
        .write_capacity_units(throughput.write)
        .build()
        .map_err(incomplete)
}

fn on_demand(bounds: OnDemandThroughput) -> types::OnDemandThroughput {
    types::OnDemandThroughput::builder()
        .set_max_read_request_units(bounds.max_read_request_units)
        .set_max_write_request_units(bounds.max_write_request_units)
        .build()
}

fn billing_mode(mode: BillingMode) -> types::BillingMode {
    match mode {
        BillingMode::Provisioned => types::BillingMode::Provisioned,
        BillingMode::PayPerRequest => types::BillingMode::PayPerRequest,
    }
}
