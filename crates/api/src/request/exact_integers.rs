//! Integers that every JSON reader keeps exactly.

use keyfold_design::model::{AttributeType, Declared, Entity, LARGEST_EXACT_INTEGER as LARGEST};
use keyfold_dynamo::{AttributeValue, Attributes};
use keyfold_runtime::{OperatorAction, Operators};

use crate::response::problem::{Problem, ProblemKind};

/// Rejects integers that JSON readers would round: the API accepts none, so that it need not return any.
pub(crate) fn require_exact_integers(entity: &Entity, attributes: &Attributes) -> Result<(), Problem> {
    for (name, value) in attributes {
        if is_inexact(value)
            && entity.attribute(name).is_some_and(|attribute| attribute.value_type == AttributeType::Integer)
        {
            return Err(out_of_range(name));
        }
    }
    Ok(())
}

/// The same for the values of operators.
pub(crate) fn require_exact_amounts(entity: &Entity, operators: &Operators) -> Result<(), Problem> {
    for operator in operators.iter() {
        let (OperatorAction::Set(value) | OperatorAction::Add(value) | OperatorAction::Subtract(value)) =
            &operator.action
        else {
            continue;
        };
        let is_integer = || {
            let path = entity.value_path(&operator.path).ok()?;
            let declared = entity.declared_along(&path).ok()?.last().copied();
            Some(declared.map(Declared::value_type) == Some(&AttributeType::Integer))
        };
        if is_inexact(value) && is_integer() == Some(true) {
            return Err(out_of_range(&operator.path));
        }
    }
    Ok(())
}

fn is_inexact(value: &AttributeValue) -> bool {
    let AttributeValue::N(number) = value else { return false };
    number.is_whole() && number.to_i64().is_none_or(|number| number.unsigned_abs() > LARGEST.unsigned_abs())
}

fn out_of_range(name: &str) -> Problem {
    let detail = format!("`{name}` must be between -{LARGEST} and {LARGEST}");
    Problem::for_field(ProblemKind::CONSTRAINT, name, detail)
}
