//! CreateTable.

use std::collections::BTreeMap;

use keyfold_dynamo::operation::CreateTableInput;
use keyfold_dynamo::table::IndexSpec;

use super::constraint::Constraints;
use super::shape::{self, Position};
use super::table_members::{self, IndexMembers, NamedKind, structures};
use super::table_settings::TableSettings;
use super::{resource, table_name};
use crate::failure::Failure;
use crate::json::Reader;

#[derive(Default)]
struct CreateTableMembers<'a> {
    settings: TableSettings<'a>,
    key_schema: Option<Vec<NamedKind<'a>>>,
    global_indexes: Option<Vec<IndexMembers<'a>>>,
    local_indexes: Option<Vec<IndexMembers<'a>>>,
    tags: Option<Vec<resource::TagMembers<'a>>>,
}

pub(crate) fn create_table(reader: &mut Reader<'_>) -> Result<CreateTableInput, Failure> {
    let mut members = CreateTableMembers::default();
    shape::input(reader, "CreateTableInput", |name, reader| members.read(name, reader))?;
    members.check()
}

impl<'a> CreateTableMembers<'a> {
    fn read(&mut self, name: &str, reader: &mut Reader<'a>) -> Result<(), Failure> {
        match name {
            "KeySchema" => self.key_schema = structures(reader, NamedKind::read_key)?,
            "GlobalSecondaryIndexes" => self.global_indexes = indexes(reader, "GlobalSecondaryIndex")?,
            "LocalSecondaryIndexes" => self.local_indexes = indexes(reader, "LocalSecondaryIndex")?,
            "Tags" => self.tags = structures(reader, resource::TagMembers::read)?,
            _ => self.settings.read(name, reader)?,
        }
        Ok(())
    }

    fn check(self) -> Result<CreateTableInput, Failure> {
        let mut constraints = Constraints::new();
        let mut settings = self.settings.check(&mut constraints);
        // The backend rejects a missing key schema together with an unsuitable one.
        let key_schema = self
            .key_schema
            .map_or_else(Vec::new, |elements| table_members::key_schema(&mut constraints, "keySchema", elements));
        let local_indexes = check_indexes(&mut constraints, "localSecondaryIndexes", self.local_indexes);
        let global_indexes = check_indexes(&mut constraints, "globalSecondaryIndexes", self.global_indexes);
        settings.check_class(&mut constraints);
        let tags = self.tags.map_or_else(BTreeMap::new, |tags| resource::check_tags(&mut constraints, tags));
        let members = settings.table.take().zip(local_indexes).zip(global_indexes);
        let ((table, local_indexes), global_indexes) = constraints.check_with(members)?;
        let table_name = table_name::resolve(table)?;
        settings.refuse_unsupported()?;
        Ok(CreateTableInput {
            table_name,
            attribute_definitions: settings.attribute_definitions,
            key_schema,
            global_indexes,
            local_indexes,
            billing_mode: settings.billing_mode,
            throughput: settings.throughput,
            on_demand: settings.on_demand,
            deletion_protection: settings.deletion_protection.unwrap_or_default(),
            table_class: settings.table_class,
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
