//! Key conditions: which partition, and which part of it.

use crate::error::ServiceError;
use crate::table::KeyType;
use crate::value::AttributeValue;

use super::condition::{Operand, Predicate};
use super::context::Context;
use super::fault::ExpressionKind;
use super::path::Path;
use super::syntax::Comparison;

/// A key condition for a table or an index: one partition, and a range of it.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyCondition {
    /// The name and value of the partition key.
    pub partition: (String, AttributeValue),
    /// The name of the sort key and what it must be.
    pub sort: Option<(String, SortCondition)>,
}

/// What a sort key must be.
#[derive(Debug, Clone, PartialEq)]
pub enum SortCondition {
    Equal(AttributeValue),
    Less(AttributeValue),
    LessOrEqual(AttributeValue),
    Greater(AttributeValue),
    GreaterOrEqual(AttributeValue),
    Between(AttributeValue, AttributeValue),
    BeginsWith(AttributeValue),
}

/// A key condition before the key schema is known.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyConditionTree {
    pub predicate: Predicate,
}

/// One condition on one attribute.
struct AttributeCondition<'p> {
    path: &'p Path,
    test: SortCondition,
}

impl KeyConditionTree {
    pub fn parse(text: &str, context: &mut Context<'_>) -> Result<Self, ServiceError> {
        let predicate =
            Predicate::parse(text, context).map_err(|fault| fault.in_expression(ExpressionKind::KeyCondition))?;
        Ok(Self { predicate })
    }

    /// The condition for the keys of a table or an index.
    pub fn resolve(
        &self,
        partition: (&str, KeyType),
        sort: Option<(&str, KeyType)>,
    ) -> Result<KeyCondition, ServiceError> {
        let mut conditions = Vec::new();
        collect(&self.predicate, &mut conditions)?;
        check_names(&conditions, partition.0, sort.map(|(name, _)| name))?;
        let mut found_partition = None;
        let mut found_sort = None;
        for condition in conditions {
            let name = condition.path.root.as_str();
            if name == partition.0 {
                check_types(&condition.test, partition.1)?;
                let SortCondition::Equal(value) = condition.test else {
                    return Err(invalid("Query key condition not supported"));
                };
                found_partition = Some((name.to_owned(), value));
            } else if let Some((sort_name, key_type)) = sort
                && name == sort_name
            {
                check_types(&condition.test, key_type)?;
                found_sort = Some((name.to_owned(), condition.test));
            }
        }
        let partition = found_partition.ok_or_else(|| missed(partition.0))?;
        Ok(KeyCondition { partition, sort: found_sort })
    }
}

fn invalid(text: impl Into<String>) -> ServiceError {
    ServiceError::validation(text)
}

fn missed(name: &str) -> ServiceError {
    invalid(format!("Query condition missed key schema element: {name}"))
}

/// The single conditions that AND joins.
fn collect<'p>(predicate: &'p Predicate, conditions: &mut Vec<AttributeCondition<'p>>) -> Result<(), ServiceError> {
    let unsupported =
        |operator: &str| Err(invalid(format!("Invalid operator used in KeyConditionExpression: {operator}")));
    match predicate {
        Predicate::And(terms) => return terms.iter().try_for_each(|term| collect(term, conditions)),
        Predicate::Compare { operator: Comparison::NotEqual, .. } => return unsupported("<>"),
        Predicate::Compare { left, operator, right } => conditions.push(comparison(left, *operator, right)?),
        Predicate::Between { operand, low, high } => {
            let (path, [low, high]) = key_first("BETWEEN", operand, [low, high])?;
            conditions.push(AttributeCondition { path, test: SortCondition::Between(low, high) });
        }
        Predicate::BeginsWith { operand, prefix } => {
            let (path, [prefix]) = key_first("begins_with", operand, [prefix])?;
            conditions.push(AttributeCondition { path, test: SortCondition::BeginsWith(prefix) });
        }
        Predicate::In { .. } => return unsupported("IN"),
        Predicate::AttributeExists(_) => return unsupported("attribute_exists"),
        Predicate::AttributeNotExists(_) => return unsupported("attribute_not_exists"),
        Predicate::AttributeType { .. } => return unsupported("attribute_type"),
        Predicate::Contains { .. } => return unsupported("contains"),
        Predicate::Not(_) => return unsupported("NOT"),
        Predicate::Or(_) => return unsupported("OR"),
    }
    Ok(())
}

fn comparison<'p>(
    left: &'p Operand,
    operator: Comparison,
    right: &'p Operand,
) -> Result<AttributeCondition<'p>, ServiceError> {
    let (path, operator, value) = match (left, right) {
        (Operand::Size(_), _) | (_, Operand::Size(_)) => return Err(nested_operation()),
        (Operand::Path(_), Operand::Path(_)) => return Err(several_names()),
        (Operand::Value(_), Operand::Value(_)) => return Err(no_name()),
        (Operand::Path(path), Operand::Value(value)) => (path, operator, value),
        (Operand::Value(value), Operand::Path(path)) => (path, mirrored(operator), value),
    };
    let value = value.clone();
    let test = match operator {
        Comparison::Equal | Comparison::NotEqual => SortCondition::Equal(value),
        Comparison::Less => SortCondition::Less(value),
        Comparison::LessOrEqual => SortCondition::LessOrEqual(value),
        Comparison::Greater => SortCondition::Greater(value),
        Comparison::GreaterOrEqual => SortCondition::GreaterOrEqual(value),
    };
    Ok(AttributeCondition { path, test })
}

/// `value < path` is `path > value`.
fn mirrored(operator: Comparison) -> Comparison {
    match operator {
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
        Comparison::Equal | Comparison::NotEqual => operator,
    }
}

/// The operands of an operator that takes the key attribute first and values after it.
fn key_first<'p, const COUNT: usize>(
    operator: &str,
    first: &'p Operand,
    rest: [&Operand; COUNT],
) -> Result<(&'p Path, [AttributeValue; COUNT]), ServiceError> {
    if matches!(first, Operand::Size(_)) || rest.iter().any(|operand| matches!(operand, Operand::Size(_))) {
        return Err(nested_operation());
    }
    let Operand::Path(path) = first else {
        return Err(if rest.iter().any(|operand| matches!(operand, Operand::Path(_))) {
            invalid(format!(
                "Invalid condition in KeyConditionExpression: {operator} operator must have the key attribute as its first operand"
            ))
        } else {
            no_name()
        });
    };
    let values: Option<Vec<AttributeValue>> = rest
        .iter()
        .map(|operand| match operand {
            Operand::Value(value) => Some(value.clone()),
            Operand::Path(_) | Operand::Size(_) => None,
        })
        .collect();
    let values = values.and_then(|values| values.try_into().ok()).ok_or_else(several_names)?;
    Ok((path, values))
}

fn nested_operation() -> ServiceError {
    invalid("KeyConditionExpressions cannot contain nested operations")
}

fn several_names() -> ServiceError {
    invalid("Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition")
}

fn no_name() -> ServiceError {
    invalid("Invalid condition in KeyConditionExpression: No key attribute specified")
}

/// One condition for each key attribute at most, and none for other attributes.
fn check_names(conditions: &[AttributeCondition<'_>], partition: &str, sort: Option<&str>) -> Result<(), ServiceError> {
    for (position, condition) in conditions.iter().enumerate() {
        let earlier = conditions.iter().take(position);
        if earlier.into_iter().any(|other| other.path.root == condition.path.root) {
            return Err(invalid("KeyConditionExpressions must only contain one condition per key"));
        }
    }
    for condition in conditions {
        if !condition.path.is_top_level() {
            return Err(invalid("KeyConditionExpressions cannot have conditions on nested attributes"));
        }
    }
    if conditions.len() > 2 {
        return Err(invalid("Conditions can be of length 1 or 2 only"));
    }
    let is_key = |name: &str| name == partition || Some(name) == sort;
    if !conditions.iter().any(|condition| condition.path.root == partition) {
        return Err(missed(partition));
    }
    if conditions.iter().any(|condition| !is_key(&condition.path.root)) {
        return Err(missed(sort.unwrap_or(partition)));
    }
    Ok(())
}

fn check_types(test: &SortCondition, key_type: KeyType) -> Result<(), ServiceError> {
    let admitted = match test {
        SortCondition::Equal(value)
        | SortCondition::Less(value)
        | SortCondition::LessOrEqual(value)
        | SortCondition::Greater(value)
        | SortCondition::GreaterOrEqual(value)
        | SortCondition::BeginsWith(value) => key_type.admits(value),
        SortCondition::Between(low, high) => key_type.admits(low) && key_type.admits(high),
    };
    if admitted {
        return Ok(());
    }
    Err(invalid("One or more parameter values were invalid: Condition parameter type does not match schema type"))
}
