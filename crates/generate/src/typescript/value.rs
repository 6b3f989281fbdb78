//! Values of a design as TypeScript: what the document client sends for it is that very value.

use keyfold_dynamo::{AttributeValue, Number};

use super::property;
use crate::typescript_text::quoted;

/// The largest integer that the document client accepts as a `number`: `Number.MAX_SAFE_INTEGER`.
const LARGEST_INTEGER: u64 = (1 << 53) - 1;

/// The expression of a value.
pub(super) fn literal(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => quoted(text),
        AttributeValue::N(value) => number(value),
        AttributeValue::B(bytes) => binary(bytes),
        AttributeValue::Bool(flag) => flag.to_string(),
        AttributeValue::Null => "null".to_owned(),
        AttributeValue::Ss(texts) => set(texts.iter().map(|text| quoted(text))),
        AttributeValue::Ns(numbers) => set(numbers.iter().map(number)),
        AttributeValue::Bs(values) => set(values.iter().map(|bytes| binary(bytes))),
        AttributeValue::L(values) => format!("[{}]", joined(values.iter().map(literal))),
        AttributeValue::M(attributes) => {
            let members = attributes.iter().map(|(name, value)| format!("{}: {}", property(name), literal(value)));
            format!("{{ {} }}", joined(members))
        }
    }
}

/// A number that a `number` would round, or that the client refuses as one, keeps its digits.
fn number(value: &Number) -> String {
    let is_safe = match value.is_whole() {
        true => value.to_i64().is_some_and(|whole| whole.unsigned_abs() <= LARGEST_INTEGER),
        false => value.to_f64().is_some(),
    };
    if is_safe { value.to_string() } else { format!("support.exactNumber({})", quoted(&value.to_string())) }
}

fn binary(bytes: &[u8]) -> String {
    format!("Uint8Array.of({})", joined(bytes.iter().map(u8::to_string)))
}

fn set(elements: impl Iterator<Item = String>) -> String {
    format!("new Set([{}])", joined(elements))
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use keyfold_dynamo::Attributes;

    use super::*;

    fn parsed(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    #[test]
    fn numbers_keep_their_digits() {
        for (text, expected) in [
            ("0", "0"),
            ("-40", "-40"),
            ("21.50", "21.5"),
            ("1e-7", "0.0000001"),
            ("9007199254740991", "9007199254740991"),
            ("-9007199254740991", "-9007199254740991"),
            ("9007199254740992", "support.exactNumber('9007199254740992')"),
            ("21.50000000000000000001", "support.exactNumber('21.50000000000000000001')"),
            ("1e20", "support.exactNumber('100000000000000000000')"),
        ] {
            assert_eq!(literal(&AttributeValue::N(parsed(text))), expected, "{text}");
        }
    }

    #[test]
    fn every_type_has_a_literal() {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let map = Attributes::from([("a b".to_owned(), AttributeValue::Null), ("c".to_owned(), text("d"))]);
        for (value, expected) in [
            (text("it's"), "'it\\'s'"),
            (AttributeValue::B(vec![0, 255]), "Uint8Array.of(0, 255)"),
            (AttributeValue::Bool(true), "true"),
            (AttributeValue::Null, "null"),
            (AttributeValue::Ss(["b".to_owned(), "a".to_owned()].into()), "new Set(['a', 'b'])"),
            (AttributeValue::Ns([parsed("2"), parsed("1")].into()), "new Set([1, 2])"),
            (AttributeValue::Bs([vec![7]].into()), "new Set([Uint8Array.of(7)])"),
            (AttributeValue::L(vec![text("x"), AttributeValue::Bool(false)]), "['x', false]"),
            (AttributeValue::M(map), "{ 'a b': null, c: 'd' }"),
        ] {
            assert_eq!(literal(&value), expected);
        }
    }
}
