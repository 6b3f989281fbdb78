//! Whole numbers that every JSON reader keeps.

use keyfold_design::model::{AttributeType, Entity, LARGEST_EXACT_INTEGER as LARGEST};
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::problem::{Kind, Problem};

/// Refuses whole numbers of which JSON readers would lose digits: what this API does not take, it need not give.
pub fn refuse_large(entity: &Entity, attributes: &Attributes) -> Result<(), Problem> {
    for (name, value) in attributes {
        if let AttributeValue::N(number) = value
            && number.is_whole()
            && number.to_i64().is_none_or(|number| number.abs() > LARGEST)
            && entity.attribute(name).is_some_and(|attribute| attribute.value_type == AttributeType::Integer)
        {
            let detail = format!("`{name}` must be between -{LARGEST} and {LARGEST}");
            return Err(Problem::of_field(Kind::CONSTRAINT, name, detail));
        }
    }
    Ok(())
}
