//! Key conditions: which partition, and which part of it.

use crate::error::ServiceError;
use crate::table::KeyType;
use crate::value::AttributeValue;

use super::condition::{Condition, Operand};
use super::context::Context;
use super::fault::ExpressionKind;
use super::path::Path;
use super::syntax::Comparison;

/// What a key condition selects of a table or an index: one partition, and a range of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartitionRange {
    /// The name and value of the partition key.
    pub partition: (String, AttributeValue),
    /// The name of the sort key and its condition; absent: the whole partition.
    pub sort: Option<(String, SortCondition)>,
}

/// The condition of a sort key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SortCondition {
    /// Equal to the value.
    Equal(AttributeValue),
    /// Less than the value.
    Less(AttributeValue),
    /// Less than the value, or equal to it.
    LessOrEqual(AttributeValue),
    /// Greater than the value.
    Greater(AttributeValue),
    /// Greater than the value, or equal to it.
    GreaterOrEqual(AttributeValue),
    /// Between the two values, both included.
    Between(AttributeValue, AttributeValue),
    /// A string or binary value with this prefix.
    BeginsWith(AttributeValue),
}

/// `KeyConditionExpression`. Only [`KeyCondition::resolve_in`] knows whether it suits the keys of a table or an index.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeyCondition {
    /// The expression as a condition.
    pub condition: Condition,
}

/// One condition on one attribute.
struct AttributeCondition<'p> {
    name: &'p str,
    test: SortCondition,
}

impl KeyCondition {
    /// Parses an expression with the checks and the error texts of the service.
    pub fn parse(text: &str, context: &mut Context<'_>) -> Result<Self, ServiceError> {
        let condition =
            Condition::parse_text(text, context).map_err(|fault| fault.in_expression(ExpressionKind::KeyCondition))?;
        Ok(Self { condition })
    }

    /// All items of a partition.
    pub fn partition(name: impl Into<String>, value: AttributeValue) -> Self {
        Self { condition: Condition::equals(name, value) }
    }

    /// This condition and another.
    pub fn and(self, other: Condition) -> Self {
        let condition = match self.condition {
            Condition::And(mut terms) => {
                terms.push(other);
                Condition::And(terms)
            }
            one => Condition::And(vec![one, other]),
        };
        Self { condition }
    }

    /// All of the conditions; `None` without conditions.
    pub fn all(conditions: impl IntoIterator<Item = Condition>) -> Option<Self> {
        Condition::all(conditions).map(|condition| Self { condition })
    }

    /// As [`Condition::check`].
    pub fn check(&self) -> Result<(), ServiceError> {
        self.condition.check_tree().map_err(|fault| fault.in_expression(ExpressionKind::KeyCondition))
    }

    /// The paths it mentions, from left to right.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.condition.paths()
    }

    /// The condition for the keys of a table.
    pub fn resolve(
        &self,
        partition: (&str, KeyType),
        sort: Option<(&str, KeyType)>,
    ) -> Result<PartitionRange, ServiceError> {
        self.resolve_in(None, partition, sort)
    }

    /// The condition for the keys of a table, or of the index that is named.
    pub fn resolve_in(
        &self,
        index: Option<&str>,
        partition: (&str, KeyType),
        sort: Option<(&str, KeyType)>,
    ) -> Result<PartitionRange, ServiceError> {
        let keys: Vec<&str> = [Some(partition.0), sort.map(|(name, _)| name)].into_iter().flatten().collect();
        match index {
            None => refuse_paths_into_keys(self.paths(), &keys, &[])?,
            Some(_) => refuse_paths_into_keys(self.paths(), &[], &keys)?,
        }
        let mut conditions = Vec::new();
        collect(&self.condition, &mut conditions)?;
        if conditions.len() > 2 {
            return Err(invalid("Conditions can be of length 1 or 2 only"));
        }
        let position = conditions.iter().position(|condition| condition.name == partition.0);
        let on_partition = conditions.remove(position.ok_or_else(|| missing_key(partition.0))?);
        check_types(&on_partition, partition.1)?;
        let on_sort = conditions.pop();
        let SortCondition::Equal(value) = &on_partition.test else { return Err(unsupported()) };
        let found_sort = match (on_sort, sort) {
            (None, _) => None,
            (Some(_), None) => return Err(unsupported()),
            (Some(condition), Some((name, _))) if condition.name != name => return Err(missing_key(name)),
            (Some(condition), Some((_, key_type))) => {
                check_types(&condition, key_type)?;
                Some(condition)
            }
        };
        check_empty(&on_partition, index)?;
        if let Some(condition) = &found_sort {
            check_empty(condition, index)?;
        }
        Ok(PartitionRange {
            partition: (partition.0.to_owned(), value.clone()),
            sort: found_sort.map(|condition| (condition.name.to_owned(), condition.test)),
        })
    }
}

impl From<PartitionRange> for KeyCondition {
    fn from(range: PartitionRange) -> Self {
        let (name, value) = range.partition;
        let partition = Self::partition(name, value);
        let Some((name, sort)) = range.sort else { return partition };
        partition.and(match sort {
            SortCondition::Equal(value) => Condition::equals(name, value),
            SortCondition::Less(value) => Condition::compare(name, Comparison::Less, value),
            SortCondition::LessOrEqual(value) => Condition::compare(name, Comparison::LessOrEqual, value),
            SortCondition::Greater(value) => Condition::compare(name, Comparison::Greater, value),
            SortCondition::GreaterOrEqual(value) => Condition::compare(name, Comparison::GreaterOrEqual, value),
            SortCondition::Between(low, high) => Condition::between(name, low, high),
            SortCondition::BeginsWith(prefix) => Condition::begins_with(name, prefix),
        })
    }
}

/// No path may lead into a key attribute, since keys are scalars. `index_keys` are those of the table's indexes.
pub fn refuse_paths_into_keys<'p>(
    paths: impl IntoIterator<Item = &'p Path>,
    table_keys: &[&str],
    index_keys: &[&str],
) -> Result<(), ServiceError> {
    let nested: Vec<&str> =
        paths.into_iter().filter(|path| !path.is_top_level()).map(|path| path.root.as_str()).collect();
    let keys = table_keys.iter().map(|name| ("Key", name)).chain(index_keys.iter().map(|name| ("IndexKey", name)));
    match keys.into_iter().find(|(_, name)| nested.contains(name)) {
        None => Ok(()),
        Some((role, name)) => Err(invalid(format!(
            "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: {role}: {name}"
        ))),
    }
}

fn invalid(text: impl Into<String>) -> ServiceError {
    ServiceError::validation(text)
}

fn unsupported() -> ServiceError {
    invalid("Query key condition not supported")
}

fn missing_key(name: &str) -> ServiceError {
    invalid(format!("Query condition missed key schema element: {name}"))
}

/// The single conditions that AND joins, at most one for each attribute.
fn collect<'p>(condition: &'p Condition, conditions: &mut Vec<AttributeCondition<'p>>) -> Result<(), ServiceError> {
    let (path, test) = match condition {
        Condition::And(terms) => return terms.iter().try_for_each(|term| collect(term, conditions)),
        Condition::Compare { left, operator, right } if *operator != Comparison::NotEqual => {
            comparison(left, *operator, right)?
        }
        Condition::Between { operand, low, high } => {
            let (path, [low, high]) = key_first("BETWEEN", operand, [low, high])?;
            (path, SortCondition::Between(low, high))
        }
        Condition::BeginsWith { operand, prefix } => {
            let (path, [prefix]) = key_first("begins_with", operand, [prefix])?;
            (path, SortCondition::BeginsWith(prefix))
        }
        other => {
            let operator = other.operator();
            return Err(invalid(format!("Invalid operator used in KeyConditionExpression: {operator}")));
        }
    };
    if !path.is_top_level() {
        return Err(nested_attribute());
    }
    let name = path.root.as_str();
    if conditions.iter().any(|earlier| earlier.name == name) {
        return Err(invalid("KeyConditionExpressions must only contain one condition per key"));
    }
    conditions.push(AttributeCondition { name, test });
    Ok(())
}

fn comparison<'p>(
    left: &'p Operand,
    operator: Comparison,
    right: &'p Operand,
) -> Result<(&'p Path, SortCondition), ServiceError> {
    let (path, operator, value) = match (left, right) {
        (Operand::Size(_), _) => return Err(nested_operation()),
        (Operand::Path(path), _) if !path.is_top_level() => return Err(nested_attribute()),
        (_, Operand::Size(_)) => return Err(nested_operation()),
        (Operand::Path(_), Operand::Path(_)) => return Err(several_names()),
        (Operand::Value(_), Operand::Value(_)) => {
            return Err(invalid("Invalid condition in KeyConditionExpression: No key attribute specified"));
        }
        (Operand::Path(path), Operand::Value(value)) => (path, operator, value),
        (Operand::Value(value), Operand::Path(path)) => (path, mirror(operator), value),
    };
    let value = value.clone();
    let test = match operator {
        Comparison::Equal | Comparison::NotEqual => SortCondition::Equal(value),
        Comparison::Less => SortCondition::Less(value),
        Comparison::LessOrEqual => SortCondition::LessOrEqual(value),
        Comparison::Greater => SortCondition::Greater(value),
        Comparison::GreaterOrEqual => SortCondition::GreaterOrEqual(value),
    };
    Ok((path, test))
}

/// `value < path` is `path > value`.
fn mirror(operator: Comparison) -> Comparison {
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
    let path = match first {
        Operand::Path(path) if path.is_top_level() => path,
        Operand::Path(_) => return Err(nested_attribute()),
        Operand::Size(_) => return Err(nested_operation()),
        Operand::Value(_) => {
            return Err(invalid(format!(
                "Invalid condition in KeyConditionExpression: {operator} operator must have the key attribute as its first operand"
            )));
        }
    };
    let mut values = [const { AttributeValue::Null }; COUNT];
    for (value, operand) in values.iter_mut().zip(rest) {
        *value = match operand {
            Operand::Value(value) => value.clone(),
            Operand::Path(_) => return Err(several_names()),
            Operand::Size(_) => return Err(nested_operation()),
        };
    }
    Ok((path, values))
}

fn nested_operation() -> ServiceError {
    invalid("KeyConditionExpressions cannot contain nested operations")
}

fn nested_attribute() -> ServiceError {
    invalid("KeyConditionExpressions cannot have conditions on nested attributes")
}

fn several_names() -> ServiceError {
    invalid("Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition")
}

impl SortCondition {
    /// The values it compares with.
    pub fn values(&self) -> impl Iterator<Item = &AttributeValue> {
        let (first, second) = match self {
            Self::Equal(value)
            | Self::Less(value)
            | Self::LessOrEqual(value)
            | Self::Greater(value)
            | Self::GreaterOrEqual(value)
            | Self::BeginsWith(value) => (value, None),
            Self::Between(low, high) => (low, Some(high)),
        };
        std::iter::once(first).chain(second)
    }
}

fn check_types(condition: &AttributeCondition<'_>, key_type: KeyType) -> Result<(), ServiceError> {
    if condition.test.values().all(|value| key_type.admits(value)) {
        return Ok(());
    }
    Err(invalid("One or more parameter values were invalid: Condition parameter type does not match schema type"))
}

/// No key attribute is ever empty.
fn check_empty(condition: &AttributeCondition<'_>, index: Option<&str>) -> Result<(), ServiceError> {
    let name = condition.name;
    for value in condition.test.values() {
        let kind = match value {
            AttributeValue::S(text) if text.is_empty() => "string",
            AttributeValue::B(bytes) if bytes.is_empty() => "binary",
            _ => continue,
        };
        let fault = format!("The AttributeValue for a key attribute cannot contain an empty {kind} value.");
        return Err(invalid(match index {
            None => format!("One or more parameter values are not valid. {fault} Key: {name}"),
            Some(index) => format!(
                "One or more parameter values are not valid. A value specified for a secondary index key is not supported. {fault} IndexName: {index}, IndexKey: {name}"
            ),
        }));
    }
    Ok(())
}
