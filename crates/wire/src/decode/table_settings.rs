//! The members that CreateTable and UpdateTable have in common.

use std::borrow::Cow;

use keyfold_dynamo::table::{AttributeDefinition, BillingMode, OnDemandThroughput, Throughput};

use super::constraint::Constraints;
use super::expression_parameters::Text;
use super::shape;
use super::table_members::{self, NamedKind, ThroughputMembers, structures};
use super::table_name;
use super::unsupported::Unsupported;
use crate::failure::Failure;
use crate::json::Reader;

const BILLING_MODES: &[(&str, BillingMode)] =
    &[("PROVISIONED", BillingMode::Provisioned), ("PAY_PER_REQUEST", BillingMode::PayPerRequest)];
const TABLE_CLASSES: &[(&str, ())] = &[("STANDARD", ()), ("STANDARD_INFREQUENT_ACCESS", ())];

/// The name and the settings of a table as they were read.
#[derive(Default)]
pub(super) struct TableSettings<'a> {
    table: Text<'a>,
    attribute_definitions: Option<Vec<NamedKind<'a>>>,
    billing_mode: Text<'a>,
    throughput: Option<ThroughputMembers>,
    on_demand: Option<OnDemandThroughput>,
    deletion_protection: Option<bool>,
    table_class: Option<String>,
    unsupported: Unsupported,
}

/// The same, without what breaks a constraint.
pub(super) struct CheckedSettings<'a> {
    pub table: Option<Cow<'a, str>>,
    pub attribute_definitions: Vec<AttributeDefinition>,
    pub billing_mode: Option<BillingMode>,
    pub throughput: Option<Throughput>,
    pub on_demand: Option<OnDemandThroughput>,
    pub deletion_protection: Option<bool>,
    pub table_class: Option<String>,
    unsupported: Unsupported,
}

impl<'a> TableSettings<'a> {
    /// Reads a member that the operation has in common with the other one, or none that it knows.
    pub(super) fn read(&mut self, name: &str, reader: &mut Reader<'a>) -> Result<(), Failure> {
        match name {
            "TableName" => self.table = shape::string(reader)?,
            "AttributeDefinitions" => self.attribute_definitions = structures(reader, NamedKind::read_definition)?,
            "BillingMode" => self.billing_mode = shape::string(reader)?,
            "ProvisionedThroughput" => self.throughput = ThroughputMembers::read(reader)?,
            "OnDemandThroughput" => self.on_demand = table_members::on_demand_throughput(reader)?,
            "DeletionProtectionEnabled" => self.deletion_protection = shape::boolean(reader)?,
            "TableClass" => self.table_class = shape::owned_string(reader)?,
            _ => self.unsupported.skip(name, reader)?,
        }
        Ok(())
    }

    /// Checks the constraints that come before those of keys and indexes, in DynamoDB's order.
    pub(super) fn check(self, constraints: &mut Constraints) -> CheckedSettings<'a> {
        let attribute_definitions = table_members::attribute_definitions(constraints, self.attribute_definitions);
        table_name::constrain(constraints, "tableName", self.table.as_deref());
        let billing_mode = constraints.one_of("billingMode", self.billing_mode.as_deref(), BILLING_MODES);
        let throughput = self.throughput.and_then(|throughput| throughput.check(constraints, "provisionedThroughput"));
        CheckedSettings {
            table: self.table,
            attribute_definitions,
            billing_mode,
            throughput,
            on_demand: self.on_demand,
            deletion_protection: self.deletion_protection,
            table_class: self.table_class,
            unsupported: self.unsupported,
        }
    }
}

impl CheckedSettings<'_> {
    /// Checks the constraint that comes after those of indexes.
    pub(super) fn check_class(&self, constraints: &mut Constraints) {
        constraints.one_of("tableClass", self.table_class.as_deref(), TABLE_CLASSES);
    }

    /// An error if the request asks for what tables of this server do not have.
    pub(super) fn refuse_unsupported(&self) -> Result<(), Failure> {
        self.unsupported.refuse()
    }
}
