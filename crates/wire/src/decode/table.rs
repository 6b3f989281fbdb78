//! CreateTable.

use std::collections::BTreeMap;

use keyfold_dynamo::operation::CreateTableInput;
use keyfold_dynamo::table::{IndexSpec, OnDemandThroughput};

use super::constraint::Constraints;
use super::expression_parameters::Text;
use super::shape::{self, Position};
use super::table_members::{self, IndexMembers, NamedKind, ThroughputMembers, structures};
use super::unsupported::Unsupported;
use super::{resource, table_name};
use crate::failure::Failure;
use crate::json::Reader;

#[derive(Default)]
struct CreateTableMembers<'a> {
    table: Text<'a>,
    attribute_definitions: Option<Vec<NamedKind<'a>>>,
    key_schema: Option<Vec<NamedKind<'a>>>,
    global_indexes: Option<Vec<IndexMembers<'a>>>,
    local_indexes: Option<Vec<IndexMembers<'a>>>,
    billing_mode: Text<'a>,
    throughput: Option<ThroughputMembers>,
    on_demand: Option<OnDemandThroughput>,
    deletion_protection: Option<bool>,
    table_class: Option<String>,
    tags: Option<Vec<resource::TagMembers<'a>>>,
    unsupported: Unsupported,
}

pub(crate) fn create_table(reader: &mut Reader<'_>) -> Result<CreateTableInput, Failure> {
    let mut members = CreateTableMembers::default();
    shape::input(reader, "CreateTableInput", |name, reader| members.read(name, reader))?;
    members.check()
}

impl<'a> CreateTableMembers<'a> {
    fn read(&mut self, name: &str, reader: &mut Reader<'a>) -> Result<(), Failure> {
        match name {
            "TableName" => self.table = shape::string(reader)?,
            "AttributeDefinitions" => self.attribute_definitions = structures(reader, NamedKind::read_definition)?,
            "KeySchema" => self.key_schema = structures(reader, NamedKind::read_key)?,
            "GlobalSecondaryIndexes" => self.global_indexes = indexes(reader, "GlobalSecondaryIndex")?,
            "LocalSecondaryIndexes" => self.local_indexes = indexes(reader, "LocalSecondaryIndex")?,
            "BillingMode" => self.billing_mode = shape::string(reader)?,
            "ProvisionedThroughput" => self.throughput = ThroughputMembers::read(reader)?,
            "OnDemandThroughput" => self.on_demand = table_members::on_demand_throughput(reader)?,
            "DeletionProtectionEnabled" => self.deletion_protection = shape::boolean(reader)?,
            "TableClass" => self.table_class = shape::owned_string(reader)?,
            "Tags" => self.tags = structures(reader, resource::TagMembers::read)?,
            _ => self.unsupported.skip(name, reader)?,
        }
        Ok(())
    }

    fn check(self) -> Result<CreateTableInput, Failure> {
        let mut constraints = Constraints::new();
        let attribute_definitions = table_members::attribute_definitions(&mut constraints, self.attribute_definitions);
        table_name::constrain(&mut constraints, "tableName", self.table.as_deref());
        let billing_mode =
            constraints.one_of("billingMode", self.billing_mode.as_deref(), table_members::BILLING_MODES);
        let throughput =
            self.throughput.and_then(|throughput| throughput.check(&mut constraints, "provisionedThroughput"));
        // The backend rejects a missing key schema together with an unsuitable one.
        let key_schema = self
            .key_schema
            .map_or_else(Vec::new, |elements| table_members::key_schema(&mut constraints, "keySchema", elements));
        let local_indexes = check_indexes(&mut constraints, "localSecondaryIndexes", self.local_indexes);
        let global_indexes = check_indexes(&mut constraints, "globalSecondaryIndexes", self.global_indexes);
        constraints.one_of("tableClass", self.table_class.as_deref(), table_members::TABLE_CLASSES);
        let tags = self.tags.map_or_else(BTreeMap::new, |tags| resource::check_tags(&mut constraints, tags));
        let members = self.table.zip(local_indexes).zip(global_indexes);
        let ((table, local_indexes), global_indexes) = constraints.check_with(members)?;
        let table_name = table_name::resolve(table)?;
        self.unsupported.refuse()?;
        Ok(CreateTableInput {
            table_name,
            attribute_definitions,
            key_schema,
            global_indexes,
            local_indexes,
            billing_mode,
            throughput,
            on_demand: self.on_demand,
            deletion_protection: self.deletion_protection.unwrap_or_default(),
            table_class: self.table_class,
            tags,
        })
    }
}

fn indexes<'a>(reader: &mut Reader<'a>, class: &str) -> Result<Option<Vec<IndexMembers<'a>>>, Failure> {
    structures(reader, |reader| Ok(IndexMembers::read(reader, class, Position::Element)?.unwrap_or_default()))
}

fn check_indexes(
    constraints: &mut Constraints,
    path: &str,
    indexes: Option<Vec<IndexMembers<'_>>>,
) -> Option<Option<Vec<IndexSpec>>> {
    table_members::all_or_none(indexes.map(|indexes| {
        let indexes = indexes.into_iter().enumerate();
        indexes
            .map(|(position, index)| index.check(constraints, format_args!("{path}.{}.member", position + 1)))
            .collect()
    }))
}
