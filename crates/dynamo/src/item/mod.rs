//! An item as a backend returns it: its attributes, or their stored bytes, which are decoded on demand.
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
    /// An item from the output of [`codec::encode`]. Damage is detected when the item is read.
    pub fn from_encoded(bytes: Bytes) -> Self {
        Self { form: Form::Encoded { bytes, attributes: OnceLock::new() } }
    }

    /// The attributes; decoded at the first call if the item is stored bytes.
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

    /// The attributes, without a copy if they are decoded already.
    pub fn into_attributes(self) -> Result<Attributes, Undecodable> {
        match self.form {
            Form::Attributes(attributes) => Ok(attributes),
            Form::Encoded { bytes, attributes } => attributes.into_inner().map_or_else(|| codec::decode(&bytes), Ok),
        }
    }

    /// The attributes for which `wanted` returns `true`; the others are not decoded. It is called once for each name,
    /// in the order of names.
    pub fn select(&self, mut wanted: impl FnMut(&str) -> bool) -> Result<Attributes, Undecodable> {
        let mut select_from_map = |attributes: &Attributes| {
            let wanted = attributes.iter().filter(|(name, _)| wanted(name));
            wanted.map(|(name, value)| (name.clone(), value.clone())).collect()
        };
        match &self.form {
            Form::Attributes(attributes) => Ok(select_from_map(attributes)),
            Form::Encoded { bytes, attributes } => match attributes.get() {
                Some(attributes) => Ok(select_from_map(attributes)),
                None => codec::decode_only(bytes, wanted),
            },
        }
    }

    /// Calls a visitor for each attribute in the order of names, without decoding the item.
    pub fn visit(&self, visitor: &mut impl Visitor) -> Result<(), Undecodable> {
        match &self.form {
            Form::Attributes(attributes) => {
                visit_attributes(attributes, visitor);
                Ok(())
            }
            Form::Encoded { bytes, .. } => codec::walk(bytes, visitor),
        }
    }

    /// The size of the item in bytes, as DynamoDB counts it.
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
