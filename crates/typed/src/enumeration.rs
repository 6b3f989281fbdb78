//! Attributes with a few values.

use std::sync::Arc;

use keyfold_design::template::ValueKind;
use keyfold_dynamo::AttributeValue;

use crate::type_mismatch::TypeMismatch;
use crate::value::{FromValue, KeyValue, ToValue};

/// An enumeration of a design.
pub trait Enumeration: Copy + 'static {
    /// Every value, in the order of the design.
    const ALL: &'static [Self];

    /// As it is stored.
    fn as_str(self) -> &'static str;
}

impl<T: Enumeration> ToValue for T {
    fn to_value(&self) -> AttributeValue {
        AttributeValue::S(self.as_str().to_owned())
    }
}

impl<T: Enumeration> FromValue for T {
    fn from_value(value: &AttributeValue) -> Result<Self, TypeMismatch> {
        let text = value.as_str().ok_or_else(|| TypeMismatch::wrong_type("a string", value))?;
        let found = T::ALL.iter().copied().find(|known| known.as_str() == text);
        found.ok_or_else(|| TypeMismatch::new(format!("`{text}` is none of `{}`", texts::<T>().join("`, `"))))
    }
}

impl<T: Enumeration> KeyValue for T {
    fn kind() -> ValueKind {
        ValueKind::Enumeration(Arc::from(texts::<T>()))
    }
}

fn texts<T: Enumeration>() -> Vec<String> {
    T::ALL.iter().map(|value| value.as_str().to_owned()).collect()
}
