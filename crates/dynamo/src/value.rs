//! Attribute values and items.

use std::collections::{BTreeMap, BTreeSet};

use crate::number::Number;

/// A set of named attributes: an item, a key, or a map within an item.
pub type Attributes = BTreeMap<String, AttributeValue>;

/// One DynamoDB value. Sets hold no duplicates and are compared without order, as DynamoDB does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AttributeValue {
    /// A string; its size is that of its UTF-8.
    S(String),
    /// A number of up to 38 digits.
    N(Number),
    /// Binary data.
    B(Vec<u8>),
    /// A boolean.
    Bool(bool),
    /// `NULL`: the attribute exists and has no value.
    Null,
    /// A map from names to values.
    M(Attributes),
    /// A list of values of any type.
    L(Vec<AttributeValue>),
    /// A set of strings; not empty in a stored item.
    Ss(BTreeSet<String>),
    /// A set of numbers; not empty in a stored item.
    Ns(BTreeSet<Number>),
    /// A set of binary values; not empty in a stored item.
    Bs(BTreeSet<Vec<u8>>),
}

/// The type of a value, spelt as `attribute_type` and error messages spell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ValueType {
    /// A string, `S`.
    S,
    /// A number, `N`.
    N,
    /// Binary data, `B`.
    B,
    /// A boolean, `BOOL`.
    Bool,
    /// No value, `NULL`.
    Null,
    /// A map, `M`.
    M,
    /// A list, `L`.
    L,
    /// A set of strings, `SS`.
    Ss,
    /// A set of numbers, `NS`.
    Ns,
    /// A set of binary values, `BS`.
    Bs,
}

impl ValueType {
    /// The label of the type in DynamoDB JSON, such as `S` or `BOOL`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::S => "S",
            Self::N => "N",
            Self::B => "B",
            Self::Bool => "BOOL",
            Self::Null => "NULL",
            Self::M => "M",
            Self::L => "L",
            Self::Ss => "SS",
            Self::Ns => "NS",
            Self::Bs => "BS",
        }
    }

    /// The type of a label; `None` for an unknown one.
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "S" => Self::S,
            "N" => Self::N,
            "B" => Self::B,
            "BOOL" => Self::Bool,
            "NULL" => Self::Null,
            "M" => Self::M,
            "L" => Self::L,
            "SS" => Self::Ss,
            "NS" => Self::Ns,
            "BS" => Self::Bs,
            _ => return None,
        })
    }
}

impl AttributeValue {
    /// The type of the value.
    pub fn value_type(&self) -> ValueType {
        match self {
            Self::S(_) => ValueType::S,
            Self::N(_) => ValueType::N,
            Self::B(_) => ValueType::B,
            Self::Bool(_) => ValueType::Bool,
            Self::Null => ValueType::Null,
            Self::M(_) => ValueType::M,
            Self::L(_) => ValueType::L,
            Self::Ss(_) => ValueType::Ss,
            Self::Ns(_) => ValueType::Ns,
            Self::Bs(_) => ValueType::Bs,
        }
    }

    /// The string, if the value is one.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::S(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if the value is one.
    pub fn as_number(&self) -> Option<&Number> {
        match self {
            Self::N(number) => Some(number),
            _ => None,
        }
    }

    /// How deep maps and lists are nested in the value: 0 for a scalar or a set, 1 for a flat map.
    pub fn depth(&self) -> usize {
        match self {
            Self::M(map) => 1 + map.values().map(Self::depth).max().unwrap_or(0),
            Self::L(list) => 1 + list.iter().map(Self::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// The size of the value in bytes, counted as AWS documents it.
    pub fn size(&self) -> usize {
        match self {
            Self::S(text) => text.len(),
            Self::N(number) => number.size(),
            Self::B(bytes) => bytes.len(),
            Self::Bool(_) | Self::Null => 1,
            Self::M(map) => 3 + map.iter().map(|(name, value)| 1 + name.len() + value.size()).sum::<usize>(),
            Self::L(list) => 3 + list.iter().map(|value| 1 + value.size()).sum::<usize>(),
            Self::Ss(set) => set.iter().map(String::len).sum(),
            Self::Ns(set) => set.iter().map(Number::size).sum(),
            Self::Bs(set) => set.iter().map(Vec::len).sum(),
        }
    }
}

/// The size of an item in bytes, as AWS counts it: the names and values of its attributes.
pub fn item_size(item: &Attributes) -> usize {
    item.iter().map(|(name, value)| name.len() + value.size()).sum()
}
