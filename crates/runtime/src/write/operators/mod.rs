//! Update operators of patches: changes that depend on the stored value, or are within it.

mod apply;
mod clauses;
mod resolved;

use keyfold_dynamo::AttributeValue;

pub(crate) use self::clauses::{BlindClauses, OperatorClauses};
pub(crate) use self::resolved::{Resolved, ResolvedOperator};

/// The update operators of a patch, besides the attributes that it gives. No two may change the same value.
///
/// ```
/// use keyfold_dynamo::{AttributeValue, Number};
/// use keyfold_runtime::Operators;
///
/// let operators = Operators::new()
///     .add("stock", AttributeValue::N(Number::from(-2_i64)))
///     .set("address.city", AttributeValue::S("Oslo".to_owned()))
///     .remove("lines[2]");
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Operators {
    list: Vec<Operator>,
    /// Whether integers must stay within what JSON readers keep exactly.
    exact_integers: bool,
}

/// A change of the value at a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Operator {
    /// An attribute, or a value within it: `address.city`, `lines[2].quantity`, `labels["a.b"]`.
    pub path: String,
    /// What changes.
    pub action: OperatorAction,
}

/// What an operator does to a value.
#[derive(Debug, Clone, PartialEq)]
pub enum OperatorAction {
    /// The value is replaced. What is around it must exist.
    Set(AttributeValue),
    /// The value is removed; later elements of a list move up.
    Remove,
    /// A number is added to a number, or members to a set. An absent number is 0, an absent set is empty.
    Add(AttributeValue),
    /// A number is subtracted from a number, or members are removed from a set. A set without members is removed.
    Subtract(AttributeValue),
    /// Elements are added at the end of a list. An absent list is empty.
    Append(Vec<AttributeValue>),
    /// Elements are added at the beginning of a list. An absent list is empty.
    Prepend(Vec<AttributeValue>),
}

impl OperatorAction {
    /// The word of requests.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Set(_) => "set",
            Self::Remove => "remove",
            Self::Add(_) => "add",
            Self::Subtract(_) => "subtract",
            Self::Append(_) => "append",
            Self::Prepend(_) => "prepend",
        }
    }
}

impl Operators {
    /// No operators.
    pub const fn new() -> Self {
        Self { list: Vec::new(), exact_integers: false }
    }

    /// Adds an operator.
    pub fn push(&mut self, operator: Operator) {
        self.list.push(operator);
    }

    /// Replaces the value at a path.
    #[must_use]
    pub fn set(self, path: impl Into<String>, value: AttributeValue) -> Self {
        self.with(path, OperatorAction::Set(value))
    }

    /// Removes the value at a path.
    #[must_use]
    pub fn remove(self, path: impl Into<String>) -> Self {
        self.with(path, OperatorAction::Remove)
    }

    /// Adds to a number or a set.
    #[must_use]
    pub fn add(self, path: impl Into<String>, value: AttributeValue) -> Self {
        self.with(path, OperatorAction::Add(value))
    }

    /// Subtracts from a number or a set.
    #[must_use]
    pub fn subtract(self, path: impl Into<String>, value: AttributeValue) -> Self {
        self.with(path, OperatorAction::Subtract(value))
    }

    /// Adds elements at the end of a list.
    #[must_use]
    pub fn append(self, path: impl Into<String>, elements: impl IntoIterator<Item = AttributeValue>) -> Self {
        self.with(path, OperatorAction::Append(elements.into_iter().collect()))
    }

    /// Adds elements at the beginning of a list.
    #[must_use]
    pub fn prepend(self, path: impl Into<String>, elements: impl IntoIterator<Item = AttributeValue>) -> Self {
        self.with(path, OperatorAction::Prepend(elements.into_iter().collect()))
    }

    /// Rejects sums that JSON readers would round: integers beyond 2^53.
    pub fn require_exact_integers(&mut self) {
        self.exact_integers = true;
    }

    fn with(mut self, path: impl Into<String>, action: OperatorAction) -> Self {
        self.push(Operator { path: path.into(), action });
        self
    }

    /// The operators in the order in which they were added, which does not matter.
    pub fn iter(&self) -> impl Iterator<Item = &Operator> {
        self.list.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}
