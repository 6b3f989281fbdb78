//! Sort conditions as ranges of keys.

use crate::model::access::KeyValue;
use crate::model::{SortCondition, SortRange};
use crate::template::{Part, Template};

/// The range that a pattern's sort condition covers.
pub(in crate::build) fn covered(condition: &SortCondition) -> SortRange<KeyValue> {
    let separator = condition.component;
    let leading_literal = |bound: &Template| (!condition.is_beyond_prefix).then(|| leading_literal(bound)).flatten();
    let above = |bound: &Template| match separator {
        Some(separator) => KeyValue::AboveComponent { component: bound.clone(), separator },
        None => KeyValue::Template(bound.clone()),
    };
    let at = |bound: &Template| KeyValue::Template(bound.clone());
    match &condition.range {
        SortRange::Equal(template) => SortRange::Equal(at(template)),
        SortRange::BeginsWith(template) => SortRange::BeginsWith(at(template)),
        SortRange::Between(low, high) => SortRange::Between(at(low), above(high)),
        SortRange::Less(bound) => match (leading_literal(bound), separator) {
            // No key equals the bound where keys continue behind it, so an inclusive range covers the same keys.
            (Some(prefix), Some(_)) => SortRange::Between(KeyValue::Prefix(prefix), at(bound)),
            _ => SortRange::Less(at(bound)),
        },
        SortRange::LessOrEqual(bound) => match (leading_literal(bound), separator) {
            (Some(prefix), _) => SortRange::Between(KeyValue::Prefix(prefix), above(bound)),
            (None, Some(_)) => SortRange::Less(above(bound)),
            (None, None) => SortRange::LessOrEqual(at(bound)),
        },
        SortRange::Greater(bound) => match (leading_literal(bound), separator) {
            (Some(prefix), Some(_)) => SortRange::Between(above(bound), KeyValue::EndOfPrefix(prefix)),
            (None, Some(_)) => SortRange::GreaterOrEqual(above(bound)),
            (_, None) => SortRange::Greater(at(bound)),
        },
        SortRange::GreaterOrEqual(bound) => match leading_literal(bound) {
            Some(prefix) => SortRange::Between(at(bound), KeyValue::EndOfPrefix(prefix)),
            None => SortRange::GreaterOrEqual(at(bound)),
        },
    }
}

/// The literal text before the placeholder of a one-sided range: keys without it are not in the range.
fn leading_literal(template: &Template) -> Option<String> {
    match template.parts.as_slice() {
        [Part::Literal(prefix), Part::Placeholder(_)] => Some(prefix.clone()),
        _ => None,
    }
}
