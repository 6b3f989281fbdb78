//! Integers that every JSON reader keeps exactly.

use keyfold_design::model::{AttributeType, Entity, LARGEST_EXACT_INTEGER as LARGEST};
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::response::problem::{Problem, ProblemKind};

/// Rejects integers that JSON readers would round: the API accepts none, so that it need not return any.
pub(crate) fn require_exact_integers(entity: &Entity, attributes: &Attributes) -> Result<(), Problem> {
    for (name, value) in attributes {
        if let AttributeValue::N(number) = value
            && number.is_whole()
            && number.to_i64().is_none_or(|number| number.abs() > LARGEST)
            && entity.attribute(name).is_some_and(|attribute| attribute.value_type == AttributeType::Integer)
        {
            let detail = format!("`{name}` must be between -{LARGEST} and {LARGEST}");
            return Err(Problem::for_field(ProblemKind::CONSTRAINT, name, detail));
        }
    }
    Ok(())
}
