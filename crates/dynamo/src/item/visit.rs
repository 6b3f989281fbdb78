//! Visits values one after the other: code that writes an item somewhere needs no tree of it.

use crate::number::Number;
use crate::value::{AttributeValue, Attributes, ValueType};

/// A name or a string.
#[derive(Debug, Clone, Copy)]
pub enum Text<'a> {
    /// Printable ASCII without quotes and backslashes, which stands for itself in about every notation.
    Plain(&'a [u8]),
    /// Any text, which may need escapes.
    Any(&'a str),
}

impl Text<'_> {
    pub(super) fn is_plain(text: &str) -> bool {
        // Without an early end, so that many bytes are looked at in one step.
        text.bytes().fold(true, |plain, byte| plain & matches!(byte, 0x20..=0x7E) & (byte != b'"') & (byte != b'\\'))
    }
}

/// Receives the attributes of an item in order. The item itself has no begin and end; maps within it do.
pub trait Visitor {
    /// The name of an attribute or of a member of a map; its value follows.
    fn name(&mut self, name: Text<'_>);
    /// A string value.
    fn string(&mut self, text: Text<'_>);
    /// A number value.
    fn number(&mut self, number: &Number);
    /// A binary value.
    fn binary(&mut self, bytes: &[u8]);
    /// A boolean value.
    fn boolean(&mut self, value: bool);
    /// A null value.
    fn null(&mut self);
    /// Members follow, each a name and a value, up to `map_ends`.
    fn map_begins(&mut self);
    /// The innermost open map is complete.
    fn map_ends(&mut self);
    /// Values follow, up to `list_ends`.
    fn list_begins(&mut self);
    /// The innermost open list is complete.
    fn list_ends(&mut self);
    /// Elements follow, up to `set_ends`; `set_type` is one of the three set types.
    fn set_begins(&mut self, set_type: ValueType);
    /// An element of a string set.
    fn string_element(&mut self, text: Text<'_>);
    /// An element of a number set.
    fn number_element(&mut self, number: &Number);
    /// An element of a binary set.
    fn binary_element(&mut self, bytes: &[u8]);
    /// The open set is complete.
    fn set_ends(&mut self);
}

/// Shows the members of an item, a key or a map.
pub fn visit_attributes(attributes: &Attributes, visitor: &mut impl Visitor) {
    for (name, value) in attributes {
        visitor.name(Text::Any(name));
        visit_value(value, visitor);
    }
}

/// Shows one value.
pub fn visit_value(value: &AttributeValue, visitor: &mut impl Visitor) {
    match value {
        AttributeValue::S(text) => visitor.string(Text::Any(text)),
        AttributeValue::N(number) => visitor.number(number),
        AttributeValue::B(bytes) => visitor.binary(bytes),
        AttributeValue::Bool(value) => visitor.boolean(*value),
        AttributeValue::Null => visitor.null(),
        AttributeValue::M(members) => {
            visitor.map_begins();
            visit_attributes(members, visitor);
            visitor.map_ends();
        }
        AttributeValue::L(elements) => {
            visitor.list_begins();
            elements.iter().for_each(|element| visit_value(element, visitor));
            visitor.list_ends();
        }
        AttributeValue::Ss(set) => {
            visitor.set_begins(ValueType::Ss);
            set.iter().for_each(|text| visitor.string_element(Text::Any(text)));
            visitor.set_ends();
        }
        AttributeValue::Ns(set) => {
            visitor.set_begins(ValueType::Ns);
            set.iter().for_each(|number| visitor.number_element(number));
            visitor.set_ends();
        }
        AttributeValue::Bs(set) => {
            visitor.set_begins(ValueType::Bs);
            set.iter().for_each(|bytes| visitor.binary_element(bytes));
            visitor.set_ends();
        }
    }
}
