//! An item as a backend answers with it: its attributes, or the bytes a store keeps of them, decoded only when asked.
//!
//! Most items that are read are written out again at once. Building a map of each, with a name and a value on the heap
//! for every attribute, would take longer than finding the item.

pub mod codec;
#[cfg(test)]
mod tests;
mod visit;

pub use codec::Undecodable;
pub use visit::{Visitor, visit_attributes, visit_value};

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
    /// Checked when the item was made, so that reading it later cannot fail.
    Encoded {
        bytes: Bytes,
        attributes: OnceLock<Attributes>,
    },
}

impl Item {
    /// An item from what [`codec::encode`] made of it.
    pub fn from_encoded(bytes: Bytes) -> Result<Self, Undecodable> {
        codec::walk(&bytes, &mut visit::Blind)?;
        Ok(Self { form: Form::Encoded { bytes, attributes: OnceLock::new() } })
    }

    pub fn attributes(&self) -> &Attributes {
        match &self.form {
            Form::Attributes(attributes) => attributes,
            Form::Encoded { bytes, attributes } => attributes.get_or_init(|| decode_checked(bytes)),
        }
    }

    pub fn into_attributes(self) -> Attributes {
        match self.form {
            Form::Attributes(attributes) => attributes,
            Form::Encoded { bytes, attributes } => attributes.into_inner().unwrap_or_else(|| decode_checked(&bytes)),
        }
    }

    /// Shows the attributes in order, whether they are decoded or not.
    pub fn visit(&self, visitor: &mut impl Visitor) {
        match &self.form {
            Form::Attributes(attributes) => visit_attributes(attributes, visitor),
            Form::Encoded { bytes, .. } => {
                // The same walk succeeded when the item was made.
                let _ = codec::walk(bytes, visitor);
            }
        }
    }

    /// The item's size as DynamoDB counts it.
    pub fn size(&self) -> usize {
        match &self.form {
            Form::Attributes(attributes) => item_size(attributes),
            Form::Encoded { bytes, .. } => codec::stored_size(bytes).unwrap_or(0),
        }
    }
}

/// A walk over these bytes succeeded, and whatever can be walked can be decoded.
fn decode_checked(bytes: &[u8]) -> Attributes {
    codec::decode(bytes).unwrap_or_default()
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
        self.attributes() == other
    }
}

impl fmt::Debug for Item {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.attributes().fmt(formatter)
    }
}
