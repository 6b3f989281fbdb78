//! Parameters that many operations share: the names and values of expressions, and what to return.

use std::borrow::Cow;

use keyfold_dynamo::Attributes;
use keyfold_dynamo::expression::{Aliases, Context, NameAliases};
use keyfold_dynamo::operation::{ReturnConsumedCapacity, ReturnValues};

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

/// Which expressions a request has.
pub(super) struct Expressions<'e> {
    /// Whether it has a projection, which holds names alone.
    pub(super) projection: bool,
    /// The parameters that may hold names and values, each with whether it is given.
    pub(super) with_values: &'e [(&'static str, bool)],
}

/// `ExpressionAttributeNames` and `ExpressionAttributeValues`.
#[derive(Default)]
pub(super) struct AliasMembers {
    names: Option<Checked<NameAliases>>,
    values: Option<Checked<Attributes>>,
}

impl AliasMembers {
    pub(super) fn read_names(&mut self, reader: &mut Reader<'_>) -> Result<(), Failure> {
        let mut names = NameAliases::new();
        let mut problem = None;
        let there = shape::map(reader, "java.lang.String", |alias, reader| {
            let name = shape::owned_string(reader)?.unwrap_or_else(|| {
                let text = format!("ExpressionAttributeNames contains invalid value: null for key {alias}");
                problem.get_or_insert(text);
                // Any name keeps the alias among the others, which are looked at first.
                "null".to_owned()
            });
            names.insert(alias.into_owned(), name);
            Ok(())
        })?;
        self.names = there.then_some(Checked::with_problem(names, problem));
        Ok(())
    }

    pub(super) fn read_values(&mut self, reader: &mut Reader<'_>) -> Result<(), Failure> {
        self.values = value::aliased_values(reader)?;
        Ok(())
    }

    /// The names and values. The service looks at what they are called, and whether there is an expression to use
    /// them, before it looks at the values.
    pub(super) fn accept(self, expressions: &Expressions<'_>) -> Result<Aliases, Failure> {
        let (names, names_problem) = self.names.map(Checked::into_parts).unzip();
        let (values, values_problem) = self.values.map(Checked::into_parts).unzip();
        if let Some(problem) = names_problem.flatten().or(values_problem.flatten()) {
            check(names.as_ref(), values.as_ref(), expressions)?;
            return Err(Failure::validation(problem));
        }
        Ok(Aliases { names, values })
    }

    /// Values of attributes that come with these aliases. Names and values without an expression are reported before
    /// faulty attributes.
    pub(super) fn accept_with<T>(&self, attributes: Checked<T>, expressions: &Expressions<'_>) -> Result<T, Failure> {
        let accepted = attributes.accept();
        let without_expressions = !expressions.projection && expressions.with_values.iter().all(|(_, given)| !given);
        if accepted.is_err() && without_expressions {
            check(self.names.as_ref().map(Checked::value), self.values.as_ref().map(Checked::value), expressions)?;
        }
        accepted
    }
}

fn check(
    names: Option<&NameAliases>,
    values: Option<&Attributes>,
    expressions: &Expressions<'_>,
) -> Result<(), Failure> {
    Context::for_request(names, values, expressions.projection, expressions.with_values)?;
    Ok(())
}

/// `ReturnConsumedCapacity`.
pub(super) fn consumed_capacity(constraints: &mut Constraints, text: &Text<'_>) -> ReturnConsumedCapacity {
    constraints.one_of("returnConsumedCapacity", text.as_deref(), RETURN_CONSUMED_CAPACITY).unwrap_or_default()
}

/// `ReturnItemCollectionMetrics`.
pub(super) fn collection_metrics(constraints: &mut Constraints, text: &Text<'_>) -> bool {
    constraints.one_of("returnItemCollectionMetrics", text.as_deref(), RETURN_COLLECTION_METRICS).unwrap_or_default()
}
