//! Our inputs as the SDK's: pure, one file for each family of operations.

mod batch;
mod item;
mod page;
mod table;
mod transact;

pub use batch::*;
pub use item::*;
pub use page::*;
pub use table::*;
pub use transact::*;

use std::collections::HashMap;

use aws_sdk_dynamodb::error::BuildError;
use aws_sdk_dynamodb::types;
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::expression::{NameAliases, ValueAliases};
use keyfold_dynamo::operation::ReturnConsumedCapacity;

use crate::values::{SentAttributes, to_sent};

fn names(names: Option<NameAliases>) -> Option<HashMap<String, String>> {
    names.map(|names| names.into_iter().collect())
}

fn values(values: Option<ValueAliases>) -> Option<SentAttributes> {
    values.map(to_sent)
}

/// Nothing is asked for by leaving it out: not every service that speaks the protocol knows every option.
fn capacity(asked: ReturnConsumedCapacity) -> Option<types::ReturnConsumedCapacity> {
    match asked {
        ReturnConsumedCapacity::None => None,
        ReturnConsumedCapacity::Total => Some(types::ReturnConsumedCapacity::Total),
        ReturnConsumedCapacity::Indexes => Some(types::ReturnConsumedCapacity::Indexes),
    }
}

fn collection_metrics(asked: bool) -> Option<types::ReturnItemCollectionMetrics> {
    asked.then_some(types::ReturnItemCollectionMetrics::Size)
}

fn old_on_failure(asked: bool) -> Option<types::ReturnValuesOnConditionCheckFailure> {
    asked.then_some(types::ReturnValuesOnConditionCheckFailure::AllOld)
}

/// `false` is what leaving it out means.
fn only_if(asked: bool) -> Option<bool> {
    asked.then_some(true)
}

/// The SDK counts in 32 bits; what does not fit is out of the service's range as well.
fn count(number: Option<i64>) -> Option<i32> {
    number.map(|number| i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX }))
}

/// The SDK's builders ask for parts that our inputs always have.
fn incomplete(error: BuildError) -> ServiceError {
    ServiceError::Internal(format!("a request could not be built: {error}"))
}
