//! Rust's types and DynamoDB's values.

use std::collections::{BTreeMap, BTreeSet};

use keyfold_design::template::ValueKind;
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::attribute_change::AttributeChange;
use crate::type_mismatch::TypeMismatch;

/// A type whose values can be stored.
pub trait ToValue {
    /// The value as it is stored.
    fn to_value(&self) -> AttributeValue;
}

/// A type that stored values can be read as.
pub trait FromValue: Sized {
    /// The stored value as this type; fails where it has another type or form.
    fn from_value(value: &AttributeValue) -> Result<Self, TypeMismatch>;
}

/// A type whose values can be a part of a key.
pub trait KeyValue: ToValue {
    /// How its values look within a key.
    fn kind() -> ValueKind;
}

/// Sets an attribute.
pub fn set<T: ToValue + ?Sized>(item: &mut Attributes, name: &str, value: &T) {
    item.insert(name.to_owned(), value.to_value());
}

/// Sets an attribute that may be left out.
pub fn set_if<T: ToValue>(item: &mut Attributes, name: &str, value: &Option<T>) {
    if let Some(value) = value {
        set(item, name, value);
    }
}

/// Sets, takes away or leaves an attribute.
pub fn set_change<T: ToValue>(item: &mut Attributes, name: &str, change: &AttributeChange<T>) {
    match change {
        AttributeChange::Keep => {}
        AttributeChange::Set(value) => set(item, name, value),
        AttributeChange::Clear => drop(item.insert(name.to_owned(), AttributeValue::Null)),
    }
}

/// Sets an argument that is a list.
pub fn set_list<T: ToValue>(arguments: &mut Attributes, name: &str, values: &[T]) {
    let values = values.iter().map(ToValue::to_value).collect();
    arguments.insert(name.to_owned(), AttributeValue::L(values));
}

impl ToValue for str {
    fn to_value(&self) -> AttributeValue {
        AttributeValue::S(self.to_owned())
    }
}

impl KeyValue for str {
    fn kind() -> ValueKind {
        ValueKind::Text
    }
}

impl ToValue for String {
    fn to_value(&self) -> AttributeValue {
        AttributeValue::S(self.clone())
    }
}

impl KeyValue for String {
    fn kind() -> ValueKind {
        ValueKind::Text
    }
}

impl FromValue for String {
    fn from_value(value: &AttributeValue) -> Result<Self, TypeMismatch> {
        value.as_str().map(str::to_owned).ok_or_else(|| TypeMismatch::wrong_type("a string", value))
    }
}

impl ToValue for bool {
    fn to_value(&self) -> AttributeValue {
        AttributeValue::Bool(*self)
    }
}

impl FromValue for bool {
    fn from_value(value: &AttributeValue) -> Result<Self, TypeMismatch> {
        match value {
            AttributeValue::Bool(flag) => Ok(*flag),
            other => Err(TypeMismatch::wrong_type("a boolean", other)),
        }
    }
}

impl KeyValue for bool {
    fn kind() -> ValueKind {
        ValueKind::Boolean
    }
}

macro_rules! integer {
    ($type:ty, $convert:ident, $words:literal) => {
        impl ToValue for $type {
            fn to_value(&self) -> AttributeValue {
                AttributeValue::N((*self).into())
            }
        }

        impl FromValue for $type {
            fn from_value(value: &AttributeValue) -> Result<Self, TypeMismatch> {
                let number = value.as_number().ok_or_else(|| TypeMismatch::wrong_type("a number", value))?;
                number.$convert().ok_or_else(|| TypeMismatch::new(format!(concat!("`{}` is not a ", $words), number)))
            }
        }

        impl KeyValue for $type {
            fn kind() -> ValueKind {
                ValueKind::Integer
            }
        }
    };
}

integer!(i64, to_i64, "64-bit integer");
integer!(u64, to_u64, "non-negative 64-bit integer");

impl<T: ToValue> ToValue for Vec<T> {
    fn to_value(&self) -> AttributeValue {
        AttributeValue::L(self.iter().map(ToValue::to_value).collect())
    }
}

impl<T: FromValue> FromValue for Vec<T> {
    fn from_value(value: &AttributeValue) -> Result<Self, TypeMismatch> {
        match value {
            AttributeValue::L(items) => items.iter().map(T::from_value).collect(),
            other => Err(TypeMismatch::wrong_type("a list", other)),
        }
    }
}

impl ToValue for BTreeSet<String> {
    fn to_value(&self) -> AttributeValue {
        AttributeValue::Ss(self.clone())
    }
}

impl FromValue for BTreeSet<String> {
    fn from_value(value: &AttributeValue) -> Result<Self, TypeMismatch> {
        match value {
            AttributeValue::Ss(set) => Ok(set.clone()),
            other => Err(TypeMismatch::wrong_type("a set of strings", other)),
        }
    }
}

impl<T: ToValue> ToValue for BTreeMap<String, T> {
    fn to_value(&self) -> AttributeValue {
        AttributeValue::M(self.iter().map(|(name, value)| (name.clone(), value.to_value())).collect())
    }
}

impl<T: FromValue> FromValue for BTreeMap<String, T> {
    fn from_value(value: &AttributeValue) -> Result<Self, TypeMismatch> {
        match value {
            AttributeValue::M(map) => {
                map.iter().map(|(name, value)| Ok((name.clone(), T::from_value(value)?))).collect()
            }
            other => Err(TypeMismatch::wrong_type("a map", other)),
        }
    }
}

#[cfg(test)]
mod tests;
