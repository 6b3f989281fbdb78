//! Attribute values and items.

use std::collections::{BTreeMap, BTreeSet};

use crate::number::Number;

/// A set of named attributes: an item, a key, or a map within an item.
pub type Attributes = BTreeMap<String, AttributeValue>;

/// One DynamoDB value. Sets hold no duplicates and are compared without order, as DynamoDB does.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AttributeValue {
    S(String),
    N(Number),
    B(Vec<u8>),
    Bool(bool),
    Null,
    M(Attributes),
    L(Vec<AttributeValue>),
    Ss(BTreeSet<String>),
    Ns(BTreeSet<Number>),
    Bs(BTreeSet<Vec<u8>>),
}

/// The type of a value, spelt as `attribute_type` and error messages spell it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ValueType {
    S,
    N,
    B,
    Bool,
    Null,
    M,
    L,
    Ss,
    Ns,
    Bs,
}

impl ValueType {
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

    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::S(text) => Some(text),
            _ => None,
        }
    }

    pub fn as_number(&self) -> Option<&Number> {
        match self {
            Self::N(number) => Some(number),
            _ => None,
        }
    }

    /// How many maps and lists are within each other at the deepest; a scalar or a set is none deep.
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

/// The size of an item: the names and values of its attributes.
pub fn item_size(item: &Attributes) -> usize {
    item.iter().map(|(name, value)| name.len() + value.size()).sum()
}
