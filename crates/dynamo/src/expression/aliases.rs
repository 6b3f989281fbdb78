//! The names and values that stand for attributes and values in the expressions of a request.

use crate::error::ServiceError;

use super::condition::{Condition, ConditionKind};
use super::context::{Context, NameAliases, ValueAliases};
use super::key_condition::KeyCondition;
use super::projection::Projection;
use super::update::Update;

/// The names and values that the expressions of a request share. `None`: the request has no such parameter.
///
/// ```
/// use keyfold_dynamo::expression::Aliases;
/// use keyfold_dynamo::{AttributeValue, Attributes};
///
/// let values = Attributes::from([(":v".to_owned(), AttributeValue::S("x".to_owned()))]);
/// let aliases = Aliases { names: None, values: Some(values) };
/// let condition = aliases.condition("begins_with(title, :v)")?;
/// let item = Attributes::from([("title".to_owned(), AttributeValue::S("xyz".to_owned()))]);
/// assert!(condition.matches(&item));
/// # Ok::<(), keyfold_dynamo::ServiceError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Aliases {
    /// `ExpressionAttributeNames`; `None` if the request has none.
    pub names: Option<NameAliases>,
    /// `ExpressionAttributeValues`; `None` if the request has none.
    pub values: Option<ValueAliases>,
}

/// Each of these parses one expression of a request; that another one uses the rest of the aliases is assumed.
impl Aliases {
    /// Parses a `ConditionExpression`.
    pub fn condition(&self, text: &str) -> Result<Condition, ServiceError> {
        Condition::parse(ConditionKind::Condition, text, &mut self.context()?)
    }

    /// Parses a `FilterExpression`.
    pub fn filter(&self, text: &str) -> Result<Condition, ServiceError> {
        Condition::parse(ConditionKind::Filter, text, &mut self.context()?)
    }

    /// Parses a `KeyConditionExpression`.
    pub fn key_condition(&self, text: &str) -> Result<KeyCondition, ServiceError> {
        KeyCondition::parse(text, &mut self.context()?)
    }

    /// Parses a `ProjectionExpression`.
    pub fn projection(&self, text: &str) -> Result<Projection, ServiceError> {
        Projection::parse(text, &mut self.context()?)
    }

    /// Parses an `UpdateExpression`.
    pub fn update(&self, text: &str) -> Result<Update, ServiceError> {
        Update::parse(text, &mut self.context()?)
    }

    fn context(&self) -> Result<Context<'_>, ServiceError> {
        Context::new(self.names.as_ref(), self.values.as_ref(), true)
    }
}
