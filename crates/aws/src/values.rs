//! Attribute values, ours and the SDK's.

use std::collections::HashMap;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue as Sent;
use keyfold_dynamo::{AttributeValue, Attributes, Item, Number, ServiceError};

/// An item, a key or a map as the SDK has it.
pub type SentAttributes = HashMap<String, Sent>;

pub fn to_sent(attributes: Attributes) -> SentAttributes {
    attributes.into_iter().map(|(name, value)| (name, value_to_sent(value))).collect()
}

pub fn value_to_sent(value: AttributeValue) -> Sent {
    match value {
        AttributeValue::S(text) => Sent::S(text),
        AttributeValue::N(number) => Sent::N(number.to_string()),
        AttributeValue::B(bytes) => Sent::B(Blob::new(bytes)),
        AttributeValue::Bool(truth) => Sent::Bool(truth),
        AttributeValue::Null => Sent::Null(true),
        AttributeValue::M(map) => Sent::M(to_sent(map)),
        AttributeValue::L(list) => Sent::L(list.into_iter().map(value_to_sent).collect()),
        AttributeValue::Ss(texts) => Sent::Ss(texts.into_iter().collect()),
        AttributeValue::Ns(numbers) => Sent::Ns(numbers.iter().map(ToString::to_string).collect()),
        AttributeValue::Bs(blobs) => Sent::Bs(blobs.into_iter().map(Blob::new).collect()),
    }
}

pub fn from_sent(attributes: SentAttributes) -> Result<Attributes, ServiceError> {
    attributes.into_iter().map(|(name, value)| Ok((name, value_from_sent(value)?))).collect()
}

pub fn item_from_sent(attributes: SentAttributes) -> Result<Item, ServiceError> {
    from_sent(attributes).map(Item::from)
}

pub fn value_from_sent(value: Sent) -> Result<AttributeValue, ServiceError> {
    Ok(match value {
        Sent::S(text) => AttributeValue::S(text),
        Sent::N(text) => AttributeValue::N(number(&text)?),
        Sent::B(blob) => AttributeValue::B(blob.into_inner()),
        Sent::Bool(truth) => AttributeValue::Bool(truth),
        Sent::Null(_) => AttributeValue::Null,
        Sent::M(map) => AttributeValue::M(from_sent(map)?),
        Sent::L(list) => AttributeValue::L(list.into_iter().map(value_from_sent).collect::<Result<_, _>>()?),
        Sent::Ss(texts) => AttributeValue::Ss(texts.into_iter().collect()),
        Sent::Ns(texts) => AttributeValue::Ns(texts.iter().map(|text| number(text)).collect::<Result<_, _>>()?),
        Sent::Bs(blobs) => AttributeValue::Bs(blobs.into_iter().map(Blob::into_inner).collect()),
        // The SDK's types are open to values of later versions.
        _ => return Err(ServiceError::Internal("the service answered with a value of an unknown type".to_owned())),
    })
}

/// What the service answers with as a number is one, unless it is not DynamoDB.
fn number(text: &str) -> Result<Number, ServiceError> {
    Number::parse(text).map_err(|_| ServiceError::Internal(format!("the service answered with `{text}` as a number")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_comes_back_as_it_went() {
        let text = |text: &str| AttributeValue::S(text.to_owned());
        let number = |text: &str| Number::parse(text).unwrap();
        let item = Attributes::from([
            ("s".to_owned(), text("ä\u{0}")),
            ("n".to_owned(), AttributeValue::N(number("-1.2345678901234567890123456789012345678E-100"))),
            ("b".to_owned(), AttributeValue::B(vec![0, 255, 10])),
            ("bool".to_owned(), AttributeValue::Bool(false)),
            ("null".to_owned(), AttributeValue::Null),
            ("m".to_owned(), AttributeValue::M(Attributes::from([("l".to_owned(), AttributeValue::L(vec![]))]))),
            ("l".to_owned(), AttributeValue::L(vec![text(""), AttributeValue::M(Attributes::new())])),
            ("ss".to_owned(), AttributeValue::Ss(["a".to_owned(), "b".to_owned()].into())),
            ("ns".to_owned(), AttributeValue::Ns([number("1"), number("1E125")].into())),
            ("bs".to_owned(), AttributeValue::Bs([vec![], vec![1]].into())),
        ]);
        assert_eq!(from_sent(to_sent(item.clone())), Ok(item));
    }

    #[test]
    fn numbers_are_sent_in_their_one_form() {
        let sent = value_to_sent(AttributeValue::N(Number::parse("1.500").unwrap()));
        assert_eq!(sent, Sent::N("1.5".to_owned()));
    }

    #[test]
    fn what_is_no_number_is_told() {
        let refused = ServiceError::Internal("the service answered with `1E999` as a number".to_owned());
        assert_eq!(value_from_sent(Sent::N("1E999".to_owned())), Err(refused));
    }
}
