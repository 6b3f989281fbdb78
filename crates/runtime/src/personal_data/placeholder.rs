//! Values in place of personal ones that an item cannot lack.

use keyfold_design::model::Attribute;
use keyfold_dynamo::{AttributeValue, Number};

/// A value that says nothing of a person, and that the attribute admits. `tag` distinguishes the values of unique
/// attributes.
pub(super) fn placeholder(attribute: &Attribute, tag: &str) -> Option<AttributeValue> {
    let texts = [
        format!("erased-{tag}"),
        "erased".to_owned(),
        format!("{tag}@erased.invalid"),
        format!("https://erased.invalid/{tag}"),
        "1900-01-01".to_owned(),
        "1900-01-01T00:00:00.000Z".to_owned(),
        "-".to_owned(),
        "0".to_owned(),
        String::new(),
    ];
    let numbers = [0_i64, 1].map(|number| AttributeValue::N(Number::from(number)));
    let others = [
        AttributeValue::Bool(false),
        AttributeValue::B(Vec::new()),
        AttributeValue::L(Vec::new()),
        AttributeValue::M(Default::default()),
    ];
    let candidates = texts.into_iter().map(AttributeValue::S).chain(numbers).chain(others);
    candidates.into_iter().find(|value| attribute.check(value).is_ok())
}
