//! The filter of a pattern as DynamoDB's filter expression.

use keyfold_design::model::{Filter, Operand};
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::{AttributeValue, Attributes};

/// A filter with its arguments; `None` if an argument is missing.
pub(crate) fn condition(filter: &Filter, arguments: &Attributes) -> Option<Condition> {
    let value = |operand: &Operand| operand.value(arguments);
    let conditions = |parts: &[Filter]| parts.iter().map(|part| condition(part, arguments)).collect::<Option<_>>();
    Some(match filter {
        Filter::Compare { attribute, comparison, operand } => {
            Condition::compare(attribute, *comparison, value(operand)?)
        }
        Filter::Between { attribute, low, high } => Condition::between(attribute, value(low)?, value(high)?),
        Filter::In { attribute, operands } => {
            let values: Vec<AttributeValue> = operands.iter().map(value).collect::<Option<_>>()?;
            Condition::is_in(attribute, values)
        }
        Filter::BeginsWith { attribute, operand } => Condition::begins_with(attribute, value(operand)?),
        Filter::Contains { attribute, operand } => Condition::contains(attribute, value(operand)?),
        Filter::Exists { attribute } => Condition::attribute_exists(attribute),
        Filter::NotExists { attribute } => Condition::attribute_not_exists(attribute),
        Filter::Not(inner) => Condition::Not(Box::new(condition(inner, arguments)?)),
        Filter::And(parts) => Condition::And(conditions(parts)?),
        Filter::Or(parts) => Condition::Or(conditions(parts)?),
    })
}

#[cfg(test)]
mod tests {
    use keyfold_dynamo::expression::Comparison;

    use super::*;

    #[test]
    fn a_missing_argument_is_not_compared_as_null() {
        let attribute = || "status".to_owned();
        let operand = || Operand::Parameter("status".to_owned());
        let open = Operand::Value(AttributeValue::S("open".to_owned()));
        let equal = |operand| Filter::Compare { attribute: attribute(), comparison: Comparison::Equal, operand };
        let filters = [
            equal(operand()),
            Filter::Between { attribute: attribute(), low: open.clone(), high: operand() },
            Filter::In { attribute: attribute(), operands: vec![open.clone(), operand()] },
            Filter::Not(Box::new(equal(operand()))),
            Filter::Or(vec![equal(open), equal(operand())]),
        ];
        for filter in filters {
            assert_eq!(condition(&filter, &Attributes::new()), None, "{filter:?}");
            let given = Attributes::from([("status".to_owned(), AttributeValue::S("closed".to_owned()))]);
            assert!(condition(&filter, &given).is_some(), "{filter:?}");
        }
    }
}
