//! Condition and filter expressions: the typed tree.

use crate::error::ServiceError;
use crate::value::{AttributeValue, Attributes, ValueType};

use super::context::Context;
use super::fault::{ExpressionKind, Fault};
use super::function::Function;
use super::path::Path;
use super::resolve;
use super::syntax::{Comparison, Grammar, Parser};
use super::{check_size, operators, words};

/// Which of the two expressions with the grammar of conditions is parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionKind {
    Condition,
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

/// A condition or filter expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    pub predicate: Predicate,
}

/// What an item is asked. The terms of `And` and `Or` are two or more.
#[derive(Debug, Clone, PartialEq)]
pub enum Predicate {
    Compare { left: Operand, operator: Comparison, right: Operand },
    Between { operand: Operand, low: Operand, high: Operand },
    In { operand: Operand, candidates: Vec<Operand> },
    AttributeExists(Path),
    AttributeNotExists(Path),
    AttributeType { operand: Operand, value_type: ValueType },
    BeginsWith { operand: Operand, prefix: Operand },
    Contains { operand: Operand, element: Operand },
    Not(Box<Predicate>),
    And(Vec<Predicate>),
    Or(Vec<Predicate>),
}

/// What a condition compares.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    Path(Path),
    Value(AttributeValue),
    /// `size(…)` of a path or a value.
    Size(Box<Operand>),
}

impl Condition {
    pub fn parse(kind: ConditionKind, text: &str, context: &mut Context<'_>) -> Result<Self, ServiceError> {
        let kind = ExpressionKind::from(kind);
        let predicate = Predicate::parse(text, context).map_err(|fault| fault.in_expression(kind))?;
        Ok(Self { predicate })
    }

    /// Whether an item passes; an absent item is an empty one.
    pub fn matches(&self, item: &Attributes) -> bool {
        self.predicate.matches(item)
    }

    /// The paths it mentions, from left to right.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.predicate.paths()
    }
}

impl Predicate {
    pub(super) fn parse(text: &str, context: &mut Context<'_>) -> Result<Self, Fault> {
        check_size(text)?;
        let mut parser = Parser::new(text);
        let node = parser.expression(Grammar::Condition)?;
        parser.expect(super::lexer::TokenKind::End)?;
        words::check_condition(&node)?;
        if parser.is_too_deep() {
            return Err(operators::too_many());
        }
        let predicate = resolve::predicate(&node, context)?;
        operators::check_count([&node])?;
        Ok(predicate)
    }

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
            Self::Compare { left, right, .. } => {
                paths.extend(left.path());
                paths.extend(right.path());
            }
            Self::Between { operand, low, high } => {
                paths.extend([operand, low, high].into_iter().filter_map(Operand::path));
            }
            Self::In { operand, candidates } => {
                paths.extend(operand.path());
                paths.extend(candidates.iter().filter_map(Operand::path));
            }
            Self::AttributeExists(path) | Self::AttributeNotExists(path) => paths.push(path),
            Self::AttributeType { operand, .. } => paths.extend(operand.path()),
            Self::BeginsWith { operand, prefix: second } | Self::Contains { operand, element: second } => {
                paths.extend(operand.path());
                paths.extend(second.path());
            }
            Self::Not(inner) => inner.collect_paths(paths),
            Self::And(terms) | Self::Or(terms) => terms.iter().for_each(|term| term.collect_paths(paths)),
        }
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
