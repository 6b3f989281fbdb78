//! Attribute values, each wrapped in its type.

use keyfold_dynamo::{AttributeValue, Attributes};

use crate::json::Writer;

/// An item, a key or a map.
pub(crate) fn attributes(out: &mut Writer, attributes: &Attributes) {
    out.object(|out| {
        for (name, value) in attributes {
            attribute_value(out.name(name), value);
        }
    });
}

pub(super) fn attribute_value(out: &mut Writer, value: &AttributeValue) {
    out.object(|out| match value {
        AttributeValue::S(text) => out.key("S").string(text),
        AttributeValue::N(number) => out.key("N").number_text(number),
        AttributeValue::B(bytes) => out.key("B").base64(bytes),
        AttributeValue::Bool(value) => out.key("BOOL").boolean(*value),
        AttributeValue::Null => out.key("NULL").boolean(true),
        AttributeValue::M(members) => attributes(out.key("M"), members),
        AttributeValue::L(elements) => out.key("L").array(elements, attribute_value),
        AttributeValue::Ss(set) => out.key("SS").array(set, |out, text| out.string(text)),
        AttributeValue::Ns(set) => out.key("NS").array(set, |out, number| out.number_text(number)),
        AttributeValue::Bs(set) => out.key("BS").array(set, |out, bytes| out.base64(bytes)),
    });
}
