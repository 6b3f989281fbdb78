//! Conversion of attribute values to and from the SDK's types.

use std::collections::HashMap;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue as SdkValue;
use keyfold_dynamo::{AttributeValue, Attributes, Item, Number, ServiceError};

/// An item, a key or a map in the SDK's types.
pub(crate) type SdkAttributes = HashMap<String, SdkValue>;

pub(crate) fn to_sdk(attributes: Attributes) -> SdkAttributes {
    attributes.into_iter().map(|(name, value)| (name, value_to_sdk(value))).collect()
}

pub(crate) fn value_to_sdk(value: AttributeValue) -> SdkValue {
    match value {
        AttributeValue::S(text) => SdkValue::S(text),
        AttributeValue::N(number) => SdkValue::N(number.to_string()),
        AttributeValue::B(bytes) => SdkValue::B(Blob::new(bytes)),
        AttributeValue::Bool(truth) => SdkValue::Bool(truth),
        AttributeValue::Null => SdkValue::Null(true),
        AttributeValue::M(map) => SdkValue::M(to_sdk(map)),
        AttributeValue::L(list) => SdkValue::L(list.into_iter().map(value_to_sdk).collect()),
        AttributeValue::Ss(texts) => SdkValue::Ss(texts.into_iter().collect()),
        AttributeValue::Ns(numbers) => SdkValue::Ns(numbers.iter().map(ToString::to_string).collect()),
        AttributeValue::Bs(blobs) => SdkValue::Bs(blobs.into_iter().map(Blob::new).collect()),
    }
}

pub(crate) fn from_sdk(attributes: SdkAttributes) -> Result<Attributes, ServiceError> {
    attributes.into_iter().map(|(name, value)| Ok((name, value_from_sdk(value)?))).collect()
}

pub(crate) fn item_from_sdk(attributes: SdkAttributes) -> Result<Item, ServiceError> {
    from_sdk(attributes).map(Item::from)
}

pub(crate) fn value_from_sdk(value: SdkValue) -> Result<AttributeValue, ServiceError> {
    Ok(match value {
        SdkValue::S(text) => AttributeValue::S(text),
        SdkValue::N(text) => AttributeValue::N(number(&text)?),
        SdkValue::B(blob) => AttributeValue::B(blob.into_inner()),
        SdkValue::Bool(truth) => AttributeValue::Bool(truth),
        SdkValue::Null(_) => AttributeValue::Null,
        SdkValue::M(map) => AttributeValue::M(from_sdk(map)?),
        SdkValue::L(list) => AttributeValue::L(list.into_iter().map(value_from_sdk).collect::<Result<_, _>>()?),
        SdkValue::Ss(texts) => AttributeValue::Ss(texts.into_iter().collect()),
        SdkValue::Ns(texts) => AttributeValue::Ns(texts.iter().map(|text| number(text)).collect::<Result<_, _>>()?),
        SdkValue::Bs(blobs) => AttributeValue::Bs(blobs.into_iter().map(Blob::into_inner).collect()),
        // The SDK's types are non-exhaustive.
        _ => return Err(ServiceError::Internal("the service returned a value of an unknown type".to_owned())),
    })
}

/// DynamoDB returns valid numbers; other services may not.
fn number(text: &str) -> Result<Number, ServiceError> {
    Number::parse(text).map_err(|_| ServiceError::Internal(format!("the service returned the invalid number `{text}`")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_round_trips() {
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
        assert_eq!(from_sdk(to_sdk(item.clone())), Ok(item));
    }

    #[test]
    fn numbers_are_sent_in_their_one_form() {
        let sent = value_to_sdk(AttributeValue::N(Number::parse("1.500").unwrap()));
        assert_eq!(sent, SdkValue::N("1.5".to_owned()));
    }

    #[test]
    fn an_invalid_number_is_an_error() {
        let refused = ServiceError::Internal("the service returned the invalid number `1E999`".to_owned());
        assert_eq!(value_from_sdk(SdkValue::N("1E999".to_owned())), Err(refused));
    }
}
