//! Numbers with more digits than floating point holds: compared as the decimals that they are.

use std::cmp::Ordering;

use cel::common::ast::{Expr, IdedExpr, operators};
use cel::objects::Opaque;
use cel::{Context, ExecutionError, Value};
use keyfold_dynamo::{AttributeValue, Number};

/// A decimal that no floating-point number stands for. The expression language compares such values for equality only;
/// all else it does with them is an error, never a rounded result.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ExactNumber(pub Number);

impl Opaque for ExactNumber {
    fn runtime_type_name(&self) -> &'static str {
        "keyfold.decimal"
    }
}

/// Whether a value contains a number that is not an integer and that floating point would round.
pub(super) fn contains_exact_number(value: &AttributeValue) -> bool {
    match value {
        AttributeValue::N(number) => number.to_i64().is_none() && number.to_f64().is_none(),
        AttributeValue::Ns(set) => set.iter().any(|number| number.to_i64().is_none() && number.to_f64().is_none()),
        AttributeValue::L(items) => items.iter().any(contains_exact_number),
        AttributeValue::M(map) => map.values().any(contains_exact_number),
        _ => false,
    }
}

/// Evaluates an expression whose orderings of numbers the expression language cannot decide. An error in one side of
/// `&&` or `||` is outweighed by the other side, as in the expression language.
pub(super) fn evaluate(part: &IdedExpr, context: &Context<'_, '_>) -> Result<Value, ExecutionError> {
    let Expr::Call(call) = &part.expr else { return Value::resolve(part, context) };
    let operator = call.func_name.as_str();
    match (operator, call.args.as_slice()) {
        (operators::LOGICAL_NOT, [inner]) => match evaluate(inner, context)? {
            Value::Bool(known) => Ok(Value::Bool(!known)),
            _ => Value::resolve(part, context),
        },
        (operators::LOGICAL_AND | operators::LOGICAL_OR, [left, right]) => {
            // The side that settles the whole: `false` of a conjunction, `true` of an alternative.
            let settling = Value::Bool(operator == operators::LOGICAL_OR);
            match (evaluate(left, context), evaluate(right, context)) {
                (Ok(side), _) | (_, Ok(side)) if side == settling => Ok(settling),
                (Err(error), _) | (_, Err(error)) => Err(error),
                (Ok(Value::Bool(_)), Ok(Value::Bool(right))) => Ok(Value::Bool(right)),
                _ => Value::resolve(part, context),
            }
        }
        (operators::CONDITIONAL, [condition, then, otherwise]) => match evaluate(condition, context)? {
            Value::Bool(true) => evaluate(then, context),
            Value::Bool(false) => evaluate(otherwise, context),
            _ => Value::resolve(part, context),
        },
        (_, [left, right]) => {
            let Some(holds) = ordering_test(operator) else { return Value::resolve(part, context) };
            match (number(Value::resolve(left, context)?), number(Value::resolve(right, context)?)) {
                (Some(left), Some(right)) => Ok(Value::Bool(holds(left.cmp(&right)))),
                _ => Value::resolve(part, context),
            }
        }
        _ => Value::resolve(part, context),
    }
}

/// What an operator asks of the order of its sides; `None` for operators that do not order.
fn ordering_test(operator: &str) -> Option<fn(Ordering) -> bool> {
    match operator {
        operators::LESS => Some(Ordering::is_lt),
        operators::LESS_EQUALS => Some(Ordering::is_le),
        operators::GREATER => Some(Ordering::is_gt),
        operators::GREATER_EQUALS => Some(Ordering::is_ge),
        _ => None,
    }
}

/// The decimal of a number; `None` for other values.
fn number(value: Value) -> Option<Number> {
    match value {
        Value::Int(whole) => Some(Number::from(whole)),
        Value::UInt(whole) => Some(Number::from(whole)),
        Value::Float(float) => Number::parse(&format!("{float:e}")).ok(),
        Value::Opaque(value) => value.downcast_ref::<ExactNumber>().map(|exact| exact.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Expression;

    fn holds(expression: &str, score: &str, limit: &str) -> bool {
        let number = |text: &str| AttributeValue::N(Number::parse(text).unwrap());
        let (score, limit) = (number(score), number(limit));
        let lookup = |name: &str| match name {
            "score" => Some(&score),
            "limit" => Some(&limit),
            _ => None,
        };
        Expression::compile(expression).unwrap().evaluate(lookup).unwrap_or(false)
    }

    #[test]
    fn decimals_are_compared_in_all_their_digits() {
        let below = "1.49999999999999999999999";
        assert!(!holds("score >= 1.5", below, "0"));
        assert!(holds("score < 1.5", below, "0"));
        assert!(holds("score < limit && score != limit", below, "1.499999999999999999999991"));
        assert!(!holds("score == 1.5", below, "0"));
        assert!(holds("score == limit", below, below));
        assert!(holds("absent != null && absent > 3 || score <= 1.5", below, "0"));
        assert!(holds("!(score >= 1.5)", below, "0"));
        assert!(holds("limit > 1 ? score < 1.5 : false", below, "2"));
        assert!(holds("score > 9223372036854775807", "9223372036854775808.5", "0"));
        // What floating point holds.
        assert!(holds("score >= 0.3", "0.3", "0"));
        assert!(!holds("score >= 0.3", "0.29999999999999", "0"));
    }

    #[test]
    fn arithmetic_that_would_round_does_not_hold() {
        assert!(!holds("score * 2.0 < 3.0", "1.49999999999999999999999", "0"));
        assert!(!holds("score * 2.0 >= 3.0", "1.49999999999999999999999", "0"));
    }
}
