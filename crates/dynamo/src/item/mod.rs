//! An item as a backend answers with it: its attributes, or the bytes a store keeps of them, decoded only when asked.
//!
//! Most items that are read are written out again at once. Building a map of each, with a name and a value on the heap
//! for every attribute, would take longer than finding the item.

pub mod codec;
#[cfg(test)]
mod tests;
mod visit;

pub use codec::Undecodable;
pub use visit::{Text, Visitor, visit_attributes, visit_value};

use std::fmt;
use std::sync::OnceLock;

use bytes::Bytes;

use crate::value::{Attributes, item_size};

/// An item of a table.
#[derive(Clone)]
pub struct Item {
    form: Form,
}

#[derive(Clone)]
enum Form {
    Attributes(Attributes),
    Encoded { bytes: Bytes, attributes: OnceLock<Attributes> },
}

impl Item {
    /// An item from what [`codec::encode`] made of it. Damaged bytes show when they are looked at.
    pub fn from_encoded(bytes: Bytes) -> Self {
        Self { form: Form::Encoded { bytes, attributes: OnceLock::new() } }
    }

    pub fn attributes(&self) -> Result<&Attributes, Undecodable> {
        match &self.form {
            Form::Attributes(attributes) => Ok(attributes),
            Form::Encoded { bytes, attributes } => match attributes.get() {
                Some(attributes) => Ok(attributes),
                None => {
                    let decoded = codec::decode(bytes)?;
                    Ok(attributes.get_or_init(|| decoded))
                }
            },
        }
    }

    pub fn into_attributes(self) -> Result<Attributes, Undecodable> {
        match self.form {
            Form::Attributes(attributes) => Ok(attributes),
            Form::Encoded { bytes, attributes } => attributes.into_inner().map_or_else(|| codec::decode(&bytes), Ok),
        }
    }

    /// The wanted attributes alone; the others are not even built. Names are asked for in their order.
    pub fn select(&self, mut wanted: impl FnMut(&str) -> bool) -> Result<Attributes, Undecodable> {
        let mut of_map = |attributes: &Attributes| {
            let wanted = attributes.iter().filter(|(name, _)| wanted(name));
            wanted.map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        match &self.form {
            Form::Attributes(attributes) => Ok(of_map(attributes)),
            Form::Encoded { bytes, attributes } => match attributes.get() {
                Some(attributes) => Ok(of_map(attributes)),
                None => codec::decode_only(bytes, wanted),
            },
        }
    }

    /// Shows the attributes in order, whether they are decoded or not.
    pub fn visit(&self, visitor: &mut impl Visitor) -> Result<(), Undecodable> {
        match &self.form {
            Form::Attributes(attributes) => {
                visit_attributes(attributes, visitor);
                Ok(())
            }
            Form::Encoded { bytes, .. } => codec::walk(bytes, visitor),
        }
    }

    /// The item's size as DynamoDB counts it.
    pub fn size(&self) -> Result<usize, Undecodable> {
        match &self.form {
            Form::Attributes(attributes) => Ok(item_size(attributes)),
            Form::Encoded { bytes, .. } => codec::stored_size(bytes),
        }
    }
}

impl From<Attributes> for Item {
    fn from(attributes: Attributes) -> Self {
        Self { form: Form::Attributes(attributes) }
    }
}

impl PartialEq for Item {
    fn eq(&self, other: &Self) -> bool {
        self.attributes() == other.attributes()
    }
}

impl PartialEq<Attributes> for Item {
    fn eq(&self, other: &Attributes) -> bool {
        self.attributes() == Ok(other)
    }
}

impl fmt::Debug for Item {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.attributes().fmt(formatter)
    }
}
