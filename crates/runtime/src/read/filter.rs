//! The filter of a pattern as DynamoDB's filter expression.

use keyfold_design::model::{Filter, Operand};
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::{AttributeValue, Attributes};

/// A filter with its arguments; parameters that are not given were refused before.
pub(super) fn condition(filter: &Filter, arguments: &Attributes) -> Condition {
    let value = |operand: &Operand| match operand {
        Operand::Value(value) => value.clone(),
        Operand::Parameter(name) => arguments.get(name).cloned().unwrap_or(AttributeValue::Null),
    };
    let conditions = |parts: &[Filter]| parts.iter().map(|part| condition(part, arguments)).collect();
    match filter {
        Filter::Compare { attribute, comparison, operand } => {
            Condition::compare(attribute, *comparison, value(operand))
        }
        Filter::Between { attribute, low, high } => Condition::between(attribute, value(low), value(high)),
        Filter::In { attribute, operands } => Condition::is_in(attribute, operands.iter().map(value)),
        Filter::BeginsWith { attribute, operand } => Condition::begins_with(attribute, value(operand)),
        Filter::Contains { attribute, operand } => Condition::contains(attribute, value(operand)),
        Filter::Exists { attribute } => Condition::attribute_exists(attribute),
        Filter::NotExists { attribute } => Condition::attribute_not_exists(attribute),
        Filter::Not(inner) => Condition::Not(Box::new(condition(inner, arguments))),
        Filter::And(parts) => Condition::And(conditions(parts)),
        Filter::Or(parts) => Condition::Or(conditions(parts)),
    }
}
