//! The key of a table or an index.

use keyfold_dynamo::Attributes;
use keyfold_dynamo::table::{KeyRole, KeySchemaElement, KeyType};

/// The attributes that a table's or an index's rows are ordered by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeySchema {
    pub partition: KeyAttribute,
    /// `None` if every partition holds one item.
    pub sort: Option<KeyAttribute>,
}

/// One attribute of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeyAttribute {
    pub name: String,
    pub key_type: KeyType,
}

impl KeySchema {
    pub(crate) fn attributes(&self) -> impl Iterator<Item = &KeyAttribute> {
        std::iter::once(&self.partition).chain(&self.sort)
    }

    pub(crate) fn contains(&self, name: &str) -> bool {
        self.attributes().any(|attribute| attribute.name == name)
    }

    /// The key attributes of an item.
    pub(crate) fn key_of(&self, item: &Attributes) -> Attributes {
        self.attributes()
            .filter_map(|attribute| item.get_key_value(&attribute.name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    pub(crate) fn elements(&self) -> Vec<KeySchemaElement> {
        let mut elements = vec![KeySchemaElement { name: self.partition.name.clone(), role: KeyRole::Hash }];
        if let Some(sort) = &self.sort {
            elements.push(KeySchemaElement { name: sort.name.clone(), role: KeyRole::Range });
        }
        elements
    }
}
