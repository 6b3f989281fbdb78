//! The filter of a pattern as DynamoDB's expression.

use keyfold_design::model::{Filter, Operand};
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::expression::AliasWriter;

/// Writes a filter with its arguments; parameters that are not given were refused before.
pub fn write(filter: &Filter, arguments: &Attributes, aliases: &mut AliasWriter) -> String {
    let operand = |operand: &Operand, aliases: &mut AliasWriter| match operand {
        Operand::Value(value) => aliases.value(value),
        Operand::Parameter(name) => aliases.value(arguments.get(name).unwrap_or(&AttributeValue::Null)),
    };
    match filter {
        Filter::Compare { attribute, comparison, operand: right } => {
            format!("{} {} {}", aliases.name(attribute), comparison.as_str(), operand(right, aliases))
        }
        Filter::Between { attribute, low, high } => {
            let name = aliases.name(attribute);
            format!("{name} BETWEEN {} AND {}", operand(low, aliases), operand(high, aliases))
        }
        Filter::In { attribute, operands } => {
            let name = aliases.name(attribute);
            let operands: Vec<String> = operands.iter().map(|each| operand(each, aliases)).collect();
            format!("{name} IN ({})", operands.join(", "))
        }
        Filter::BeginsWith { attribute, operand: prefix } => {
            format!("begins_with({}, {})", aliases.name(attribute), operand(prefix, aliases))
        }
        Filter::Contains { attribute, operand: part } => {
            format!("contains({}, {})", aliases.name(attribute), operand(part, aliases))
        }
        Filter::Exists { attribute } => format!("attribute_exists({})", aliases.name(attribute)),
        Filter::NotExists { attribute } => format!("attribute_not_exists({})", aliases.name(attribute)),
        Filter::Not(inner) => format!("NOT ({})", write(inner, arguments, aliases)),
        Filter::And(parts) => joined(parts, " AND ", arguments, aliases),
        Filter::Or(parts) => joined(parts, " OR ", arguments, aliases),
    }
}

fn joined(parts: &[Filter], word: &str, arguments: &Attributes, aliases: &mut AliasWriter) -> String {
    let parts: Vec<String> = parts.iter().map(|part| format!("({})", write(part, arguments, aliases))).collect();
    parts.join(word)
}
