//! Condition and filter expressions: the typed tree.

use crate::value::{AttributeValue, ValueType};

use super::fault::ExpressionKind;
use super::function::Function;
use super::path::Path;
use super::syntax::Comparison;

/// The two expressions with the grammar of conditions; the kind appears in error texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionKind {
    /// `ConditionExpression`.
    Condition,
    /// `FilterExpression`.
    Filter,
}

impl From<ConditionKind> for ExpressionKind {
    fn from(kind: ConditionKind) -> Self {
        match kind {
            ConditionKind::Condition => Self::Condition,
            ConditionKind::Filter => Self::Filter,
        }
    }
}

/// A condition or filter expression. The terms of `And` and `Or` are two or more.
///
/// Conditions on top-level attributes are built with the functions below:
///
/// ```
/// use keyfold_dynamo::expression::Condition;
/// use keyfold_dynamo::{AttributeValue, Attributes};
///
/// let open = Condition::equals("status", AttributeValue::S("open".to_owned()));
/// let condition = Condition::all([Condition::attribute_exists("PK"), open]).ok_or("no condition")?;
/// assert!(!condition.matches(&Attributes::new()));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Condition {
    /// `left operator right`; values of different types are not equal, and have no order.
    Compare {
        /// The operand before the operator.
        left: Operand,
        /// How the operands must compare.
        operator: Comparison,
        /// The operand after the operator.
        right: Operand,
    },
    /// `operand BETWEEN low AND high`, both bounds included.
    Between {
        /// What lies between the bounds.
        operand: Operand,
        /// The lower bound.
        low: Operand,
        /// The upper bound.
        high: Operand,
    },
    /// `operand IN (candidates)`.
    In {
        /// What equals a candidate.
        operand: Operand,
        /// One to 100 operands.
        candidates: Vec<Operand>,
    },
    /// `attribute_exists(path)`.
    AttributeExists(Path),
    /// `attribute_not_exists(path)`.
    AttributeNotExists(Path),
    /// `attribute_type(operand, type)`.
    AttributeType {
        /// What has the type.
        operand: Operand,
        /// The type it has.
        value_type: ValueType,
    },
    /// `begins_with(operand, prefix)`, of strings or binary values.
    BeginsWith {
        /// What has the prefix.
        operand: Operand,
        /// The prefix.
        prefix: Operand,
    },
    /// `contains(operand, element)`.
    Contains {
        /// A string, a set or a list.
        operand: Operand,
        /// A part of the string, or an element of the set or list.
        element: Operand,
    },
    /// `NOT condition`.
    Not(Box<Condition>),
    /// All terms hold.
    And(Vec<Condition>),
    /// At least one term holds.
    Or(Vec<Condition>),
}

/// What a condition compares.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Operand {
    /// The value of the item at a path; absent if the item has none there.
    Path(Path),
    /// A value of the request.
    Value(AttributeValue),
    /// `size(…)` of a path or a value.
    Size(Box<Operand>),
}

impl Condition {
    /// The paths it mentions, from left to right.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let mut paths = Vec::new();
        self.collect_paths(&mut paths);
        paths.into_iter()
    }

    /// The operator or function at its root, as expressions spell it.
    pub fn operator(&self) -> &'static str {
        match self {
            Self::Compare { operator, .. } => operator.as_str(),
            Self::Between { .. } => "BETWEEN",
            Self::In { .. } => "IN",
            Self::AttributeExists(_) => Function::AttributeExists.as_str(),
            Self::AttributeNotExists(_) => Function::AttributeNotExists.as_str(),
            Self::AttributeType { .. } => Function::AttributeType.as_str(),
            Self::BeginsWith { .. } => Function::BeginsWith.as_str(),
            Self::Contains { .. } => Function::Contains.as_str(),
            Self::Not(_) => "NOT",
            Self::And(_) => "AND",
            Self::Or(_) => "OR",
        }
    }

    fn collect_paths<'p>(&'p self, paths: &mut Vec<&'p Path>) {
        match self {
            Self::AttributeExists(path) | Self::AttributeNotExists(path) => paths.push(path),
            Self::Not(inner) => inner.collect_paths(paths),
            Self::And(terms) | Self::Or(terms) => terms.iter().for_each(|term| term.collect_paths(paths)),
            _ => paths.extend(self.operands().filter_map(Operand::path)),
        }
    }

    /// The operands of the operator or function at the root; none of the boolean operators.
    pub(super) fn operands(&self) -> impl Iterator<Item = &Operand> {
        let (first, rest): ([Option<&Operand>; 3], &[Operand]) = match self {
            Self::Compare { left, right, .. } => ([Some(left), Some(right), None], &[]),
            Self::Between { operand, low, high } => ([Some(operand), Some(low), Some(high)], &[]),
            Self::In { operand, candidates } => ([Some(operand), None, None], candidates),
            Self::AttributeType { operand, .. } => ([Some(operand), None, None], &[]),
            Self::BeginsWith { operand, prefix: second } | Self::Contains { operand, element: second } => {
                ([Some(operand), Some(second), None], &[])
            }
            Self::AttributeExists(_) | Self::AttributeNotExists(_) | Self::Not(_) | Self::And(_) | Self::Or(_) => {
                ([None; 3], &[])
            }
        };
        first.into_iter().flatten().chain(rest)
    }
}

impl Operand {
    /// The path in it, if there is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Path(path) => Some(path),
            Self::Value(_) => None,
            Self::Size(inner) => inner.path(),
        }
    }

    /// The type it has whatever the item is.
    pub fn known_type(&self) -> Option<ValueType> {
        match self {
            Self::Path(_) => None,
            Self::Value(value) => Some(value.value_type()),
            Self::Size(_) => Some(ValueType::N),
        }
    }
}
