//! Conversion of inputs to the SDK's requests and of its outputs to ours, without I/O: one file for each family of
//! operations.

mod batch;
mod capacity;
mod item;
mod page;
mod table;
#[cfg(test)]
mod tests;
mod transact;

pub(crate) use batch::*;
pub(crate) use item::*;
pub(crate) use page::*;
pub(crate) use table::*;
pub(crate) use transact::*;

use std::collections::HashMap;

use aws_sdk_dynamodb::error::BuildError;
use aws_sdk_dynamodb::types;
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::expression::{NameAliases, ValueAliases};
use keyfold_dynamo::operation::ReturnConsumedCapacity;

use crate::values::{SdkAttributes, to_sdk};

fn names(names: Option<NameAliases>) -> Option<HashMap<String, String>> {
    names.map(|names| names.into_iter().collect())
}

fn values(values: Option<ValueAliases>) -> Option<SdkAttributes> {
    values.map(to_sdk)
}

/// The default is sent by omitting the option: not every compatible service supports every option.
fn capacity(requested: ReturnConsumedCapacity) -> Option<types::ReturnConsumedCapacity> {
    match requested {
        ReturnConsumedCapacity::None => None,
        ReturnConsumedCapacity::Total => Some(types::ReturnConsumedCapacity::Total),
        ReturnConsumedCapacity::Indexes => Some(types::ReturnConsumedCapacity::Indexes),
    }
}

fn collection_metrics(requested: bool) -> Option<types::ReturnItemCollectionMetrics> {
    requested.then_some(types::ReturnItemCollectionMetrics::Size)
}

fn old_on_failure(requested: bool) -> Option<types::ReturnValuesOnConditionCheckFailure> {
    requested.then_some(types::ReturnValuesOnConditionCheckFailure::AllOld)
}

/// `false` is the default, and is omitted.
fn only_if(requested: bool) -> Option<bool> {
    requested.then_some(true)
}

/// The SDK uses 32 bits; a number that does not fit is outside the service's range as well, and is rejected there.
fn count(number: Option<i64>) -> Option<i32> {
    number.map(|number| i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX }))
}

/// The SDK's builders require parts that our inputs always have.
fn incomplete(error: BuildError) -> ServiceError {
    ServiceError::Internal(format!("a request could not be built: {error}"))
}

/// A response that this version does not understand.
fn unexpected(what: &str) -> ServiceError {
    ServiceError::Internal(format!("the service returned {what}"))
}
