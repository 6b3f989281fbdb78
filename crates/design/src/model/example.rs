//! Examples that are tests: given these items, this call gives that.

use std::collections::BTreeMap;

use keyfold_dynamo::{AttributeValue, Attributes};

use super::{EntityId, PatternId};
use crate::span::Span;

/// An entry of `examples:`.
#[derive(Debug, Clone)]
pub struct Example {
    /// What a failed run reports.
    pub name: String,
    /// Where the design file states it.
    pub span: Span,
    /// The items in the table before the call.
    pub given: Vec<ExampleItem>,
    /// Who makes the call.
    pub caller: ExampleCaller,
    /// The call.
    pub when: Step,
    /// The expected outcome.
    pub then: Expectation,
}

/// An item, or the part of one that a call or an expectation states.
#[derive(Debug, Clone)]
pub struct ExampleItem {
    /// The entity of the item.
    pub entity: EntityId,
    /// The attributes that the example states.
    pub attributes: Attributes,
}

/// Who makes the call; a superuser where the example does not say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExampleCaller {
    /// Whether the caller acts on the whole platform, and no rule applies to them; then the other fields are usually
    /// empty.
    pub superuser: bool,
    /// `None` for a caller without a tenant.
    pub tenant: Option<String>,
    /// `None` for a caller who is not signed in.
    pub subject: Option<String>,
    /// Roles that the token states.
    pub roles: Vec<String>,
    /// Groups that the token states.
    pub groups: Vec<String>,
    /// Permissions that the token states.
    pub permissions: Vec<String>,
}

/// The call of an example.
#[derive(Debug, Clone)]
pub enum Step {
    /// A read through a pattern.
    Query {
        /// The pattern to read.
        pattern: PatternId,
        /// The arguments, by parameter.
        with: BTreeMap<String, AttributeValue>,
    },
    /// A read by identity.
    Get(ExampleItem),
    /// A create, which fails if the item exists.
    Create(ExampleItem),
    /// A create, or the replacement of the item that exists.
    Put(ExampleItem),
    /// Identity and changed attributes together; a `null` removes. Operators change more.
    Update(ExampleItem, ExampleOperators),
    /// A delete by identity.
    Delete(ExampleItem),
}

/// The operators and the condition of an update.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ExampleOperators {
    /// An operator, a path and an operand each: `add`, `stock`, `-1`.
    pub values: Vec<(String, String, AttributeValue)>,
    /// The paths that are removed.
    pub remove: Vec<String>,
    /// What the stored item has to meet; `None` for any item.
    pub condition: Option<String>,
    /// The arguments of the condition, by parameter.
    pub with: BTreeMap<String, AttributeValue>,
}

/// What a call has to result in.
#[derive(Debug, Clone)]
pub enum Expectation {
    /// These items in this order, each compared by the attributes that the example gives.
    Items(Vec<ExampleItem>),
    /// As many.
    Count(u64),
    /// The call fails: a constraint, unique or kind of error by name.
    Fails(String),
}
