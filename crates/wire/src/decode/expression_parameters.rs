//! Parameters that many operations share: the names and values of expressions, and what to return.

use std::borrow::Cow;

use keyfold_dynamo::Attributes;
use keyfold_dynamo::operation::{Aliases, NameAliases, ReturnConsumedCapacity, ReturnValues};

use super::constraint::Constraints;
use super::shape;
use super::value::{self, Checked};
use crate::failure::Failure;
use crate::json::Reader;

pub(super) const RETURN_CONSUMED_CAPACITY: &[(&str, ReturnConsumedCapacity)] = &[
    ("INDEXES", ReturnConsumedCapacity::Indexes),
    ("TOTAL", ReturnConsumedCapacity::Total),
    ("NONE", ReturnConsumedCapacity::None),
];
pub(super) const RETURN_VALUES: &[(&str, ReturnValues)] = &[
    ("ALL_NEW", ReturnValues::AllNew),
    ("UPDATED_OLD", ReturnValues::UpdatedOld),
    ("ALL_OLD", ReturnValues::AllOld),
    ("NONE", ReturnValues::None),
    ("UPDATED_NEW", ReturnValues::UpdatedNew),
];
pub(super) const RETURN_ON_FAILURE: &[(&str, bool)] = &[("ALL_OLD", true), ("NONE", false)];
pub(super) const RETURN_COLLECTION_METRICS: &[(&str, bool)] = &[("SIZE", true), ("NONE", false)];

/// Texts that stay as they are until every member is read.
pub(super) type Text<'a> = Option<Cow<'a, str>>;

/// `ExpressionAttributeNames` and `ExpressionAttributeValues`.
#[derive(Default)]
pub(super) struct AliasMembers {
    names: Option<NameAliases>,
    values: Option<Checked<Attributes>>,
}

impl AliasMembers {
    pub(super) fn read_names(&mut self, reader: &mut Reader<'_>) -> Result<(), Failure> {
        self.names = shape::string_map(reader)?;
        Ok(())
    }

    pub(super) fn read_values(&mut self, reader: &mut Reader<'_>) -> Result<(), Failure> {
        self.values = value::aliased_values(reader)?;
        Ok(())
    }

    pub(super) fn accept(self) -> Result<Aliases, Failure> {
        Ok(Aliases { names: self.names, values: self.values.map(Checked::accept).transpose()? })
    }
}

/// `ReturnConsumedCapacity`.
pub(super) fn consumed_capacity(constraints: &mut Constraints, text: &Text<'_>) -> ReturnConsumedCapacity {
    constraints.one_of("returnConsumedCapacity", text.as_deref(), RETURN_CONSUMED_CAPACITY).unwrap_or_default()
}

/// `ReturnItemCollectionMetrics`.
pub(super) fn collection_metrics(constraints: &mut Constraints, text: &Text<'_>) -> bool {
    constraints.one_of("returnItemCollectionMetrics", text.as_deref(), RETURN_COLLECTION_METRICS).unwrap_or_default()
}
