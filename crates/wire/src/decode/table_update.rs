//! UpdateTable.

use keyfold_dynamo::operation::{IndexUpdate, UpdateTableInput};
use keyfold_dynamo::table::{OnDemandThroughput, Throughput};

use super::constraint::Constraints;
use super::expression_parameters::Text;
use super::shape::{self, Position};
use super::table_members::{self, IndexMembers, ThroughputMembers, structures};
use super::table_name;
use super::table_settings::TableSettings;
use crate::failure::Failure;
use crate::json::Reader;

pub(crate) fn update_table(reader: &mut Reader<'_>) -> Result<UpdateTableInput, Failure> {
    let mut settings = TableSettings::default();
    let mut index_updates = None;
    shape::input(reader, "UpdateTableInput", |name, reader| {
        match name {
            "GlobalSecondaryIndexUpdates" => index_updates = structures(reader, IndexUpdateMembers::read)?,
            _ => settings.read(name, reader)?,
        }
        Ok(())
    })?;
    check(settings, index_updates)
}

fn check(
    settings: TableSettings<'_>,
    index_updates: Option<Vec<IndexUpdateMembers<'_>>>,
) -> Result<UpdateTableInput, Failure> {
    let mut constraints = Constraints::new();
    let mut settings = settings.check(&mut constraints);
    let index_updates = index_updates.map(|updates| {
        let updates = updates.into_iter().enumerate();
        updates.map(|(position, update)| update.check(&mut constraints, position + 1)).collect()
    });
    let index_updates = table_members::all_or_none(index_updates);
    settings.check_class(&mut constraints);
    let (table, index_updates) = constraints.check_with(settings.table.take().zip(index_updates))?;
    let table_name = table_name::resolve(table)?;
    settings.refuse_unsupported()?;
    Ok(UpdateTableInput {
        table_name,
        attribute_definitions: settings.attribute_definitions,
        billing_mode: settings.billing_mode,
        throughput: settings.throughput,
        on_demand: settings.on_demand,
        index_updates: index_updates.map(|updates| updates.into_iter().collect()).transpose()?,
        deletion_protection: settings.deletion_protection,
        table_class: settings.table_class,
    })
}

/// `GlobalSecondaryIndexUpdate` as it was read.
#[derive(Default)]
struct IndexUpdateMembers<'a> {
    create: Option<IndexMembers<'a>>,
    update: Option<IndexChangeMembers<'a>>,
    delete: Option<IndexChangeMembers<'a>>,
}

/// What an index is changed to; of a deletion the name alone.
#[derive(Default)]
struct IndexChangeMembers<'a> {
    name: Text<'a>,
    throughput: Option<ThroughputMembers>,
    on_demand: Option<OnDemandThroughput>,
}

/// The same, checked.
struct IndexChange {
    name: String,
    throughput: Option<Throughput>,
    on_demand: Option<OnDemandThroughput>,
}

impl<'a> IndexUpdateMembers<'a> {
    fn read(reader: &mut Reader<'a>) -> Result<Self, Failure> {
        const CREATE: &str = "CreateGlobalSecondaryIndexAction";
        let mut update = Self::default();
        shape::structure(reader, "GlobalSecondaryIndexUpdate", Position::Element, |name, reader| {
            match name {
                "Create" => update.create = IndexMembers::read(reader, CREATE, Position::Member)?,
                "Update" => update.update = IndexChangeMembers::read(reader, "UpdateGlobalSecondaryIndexAction")?,
                "Delete" => update.delete = IndexChangeMembers::read(reader, "DeleteGlobalSecondaryIndexAction")?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(update)
    }

    /// The update, or an error where it is not exactly one, which is reported after the constraints; `None` if it
    /// breaks a constraint.
    fn check(self, constraints: &mut Constraints, position: usize) -> Option<Result<IndexUpdate, Failure>> {
        let at = format_args!("globalSecondaryIndexUpdates.{position}.member");
        let create = self.create.map(|index| index.check(constraints, format_args!("{at}.create")));
        let update = self.update.map(|change| change.check(constraints, &format!("{at}.update")));
        let delete = self.delete.map(|change| change.check(constraints, &format!("{at}.delete")));
        Some(match (create, update, delete) {
            (Some(index), None, None) => Ok(IndexUpdate::Create(index?)),
            (None, Some(change), None) => {
                let IndexChange { name, throughput, on_demand } = change?;
                Ok(IndexUpdate::Update { name, throughput, on_demand })
            }
            (None, None, Some(change)) => Ok(IndexUpdate::Delete { name: change?.name }),
            (None, None, None) => Err(Failure::validation("Update global secondary index action is null")),
            _ => Err(Failure::validation(
                "One or more parameter values were invalid: Only one global secondary index update per index is \
                 allowed simultaneously.",
            )),
        })
    }
}

impl<'a> IndexChangeMembers<'a> {
    fn read(reader: &mut Reader<'a>, class: &str) -> Result<Option<Self>, Failure> {
        let mut change = Self::default();
        let there = shape::structure(reader, class, Position::Member, |name, reader| {
            match name {
                "IndexName" => change.name = shape::string(reader)?,
                "ProvisionedThroughput" => change.throughput = ThroughputMembers::read(reader)?,
                "OnDemandThroughput" => change.on_demand = table_members::on_demand_throughput(reader)?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        Ok(there.then_some(change))
    }

    /// `None` if the name is missing.
    fn check(self, constraints: &mut Constraints, at: &str) -> Option<IndexChange> {
        constraints.required(format_args!("{at}.indexName"), &self.name);
        if let Some(name) = &self.name {
            constraints.name(format_args!("{at}.indexName"), name);
        }
        let throughput = self
            .throughput
            .and_then(|throughput| throughput.check(constraints, format_args!("{at}.provisionedThroughput")));
        Some(IndexChange { name: self.name?.into_owned(), throughput, on_demand: self.on_demand })
    }
}
