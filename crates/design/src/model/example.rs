//! Examples that are tests: given these items, this call gives that.

use std::collections::BTreeMap;

use keyfold_dynamo::{AttributeValue, Attributes};

use super::{EntityId, PatternId};
use crate::span::Span;

#[derive(Debug, Clone)]
pub struct Example {
    pub name: String,
    pub span: Span,
    pub given: Vec<ExampleItem>,
    pub caller: ExampleCaller,
    pub when: Step,
    pub then: Expectation,
}

#[derive(Debug, Clone)]
pub struct ExampleItem {
    pub entity: EntityId,
    pub attributes: Attributes,
}

/// Who makes the call; an operator where the example does not say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExampleCaller {
    pub operator: bool,
    pub tenant: Option<String>,
    pub subject: Option<String>,
    pub roles: Vec<String>,
    pub groups: Vec<String>,
    pub permissions: Vec<String>,
}

#[derive(Debug, Clone)]
pub enum Step {
    Query {
        pattern: PatternId,
        with: BTreeMap<String, AttributeValue>,
    },
    Get(ExampleItem),
    Create(ExampleItem),
    Put(ExampleItem),
    /// Identity and changed attributes together; a `null` removes.
    Update(ExampleItem),
    Delete(ExampleItem),
}

#[derive(Debug, Clone)]
pub enum Expectation {
    /// These items in this order, each compared by the attributes that the example gives.
    Items(Vec<ExampleItem>),
    /// As many.
    Count(u64),
    /// The call fails: a constraint, unique or kind of error by name.
    Fails(String),
}
