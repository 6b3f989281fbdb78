//! Attribute values, each wrapped in its type.

use keyfold_dynamo::item::{Text, Undecodable, Visitor, visit_attributes, visit_value};
use keyfold_dynamo::value::ValueType;
use keyfold_dynamo::{AttributeValue, Attributes, Item, Number};

use crate::json::Writer;

/// A key, or attributes of an item.
pub(crate) fn attributes(out: &mut Writer, attributes: &Attributes) {
    out.object(|out| visit_attributes(attributes, &mut TypedValues(out)));
}

/// A key, or attributes of an item, as DynamoDB's JSON: `{"pk":{"S":"a"}}`.
pub fn attributes_json(given: &Attributes) -> Vec<u8> {
    let mut out = Writer::with_capacity(64);
    attributes(&mut out, given);
    out.into_bytes()
}

pub(super) fn attribute_value(out: &mut Writer, value: &AttributeValue) {
    visit_value(value, &mut TypedValues(out));
}

/// An item, straight from its stored bytes where it is not decoded.
pub(super) fn item(out: &mut Writer, item: &Item) -> Result<(), Undecodable> {
    out.begin_object();
    item.visit(&mut TypedValues(out))?;
    out.end_object();
    Ok(())
}

pub(super) fn items<'i>(out: &mut Writer, items: impl IntoIterator<Item = &'i Item>) -> Result<(), Undecodable> {
    out.begin_array();
    items.into_iter().try_for_each(|each| item(out, each))?;
    out.end_array();
    Ok(())
}

/// About the length of an item's JSON: half as much again for the wrapping.
pub(super) fn expected_size(item: &Item) -> usize {
    64 + item.size().unwrap_or(0) * 3 / 2
}

/// Writes each value as an object with its type as the only member.
struct TypedValues<'w>(&'w mut Writer);

impl Visitor for TypedValues<'_> {
    fn name(&mut self, name: Text<'_>) {
        self.0.enclosed_text(b"\"", name, b"\":");
    }

    fn string(&mut self, text: Text<'_>) {
        self.0.enclosed_text(b"{\"S\":\"", text, b"\"}");
    }

    fn number(&mut self, number: &Number) {
        self.0.object(|out| out.key("N").number_text(number));
    }

    fn binary(&mut self, bytes: &[u8]) {
        self.0.object(|out| out.key("B").base64(bytes));
    }

    fn boolean(&mut self, value: bool) {
        self.0.object(|out| out.key("BOOL").boolean(value));
    }

    fn null(&mut self) {
        self.0.object(|out| out.key("NULL").boolean(true));
    }

    fn map_begins(&mut self) {
        self.0.begin_object();
        self.0.key("M").begin_object();
    }

    fn map_ends(&mut self) {
        self.0.end_object();
        self.0.end_object();
    }

    fn list_begins(&mut self) {
        self.0.begin_object();
        self.0.key("L").begin_array();
    }

    fn list_ends(&mut self) {
        self.0.end_array();
        self.0.end_object();
    }

    fn set_begins(&mut self, set_type: ValueType) {
        self.0.begin_object();
        self.0.key(set_type.as_str()).begin_array();
    }

    fn string_element(&mut self, text: Text<'_>) {
        self.0.enclosed_text(b"\"", text, b"\"");
    }

    fn number_element(&mut self, number: &Number) {
        self.0.number_text(number);
    }

    fn binary_element(&mut self, bytes: &[u8]) {
        self.0.base64(bytes);
    }

    fn set_ends(&mut self) {
        self.0.end_array();
        self.0.end_object();
    }
}
