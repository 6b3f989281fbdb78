//! How the item is read that a lookup item, or a row of an index, leads to.

use crate::model::Entity;

/// How an item is read from the table by its identity, consistently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FurtherRead {
    /// The identity gives the whole key: one `GetItem`.
    Key,
    /// The identity gives the partition, which is queried.
    PartitionSearch(PartitionSearch),
}

impl FurtherRead {
    /// How the items of an entity are read.
    pub fn of_entity(entity: &Entity) -> Self {
        PartitionSearch::of_entity(entity).map_or(Self::Key, Self::PartitionSearch)
    }
}

/// A search for an item in its partition: its identity does not give its sort key, which changes with the item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartitionSearch {
    /// What the sort keys of the entity's items have in common: other entities' items may share the partition, and be
    /// many. `None` where they have nothing in common, so that the whole partition is read.
    pub sort_prefix: Option<SortPrefix>,
    /// The attributes in which the item equals what is searched for.
    pub identity: Vec<String>,
}

/// The literal text with which sort keys begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortPrefix {
    /// The sort key of the table.
    pub attribute: String,
    /// Never empty.
    pub prefix: String,
}

impl PartitionSearch {
    /// How often a partition is searched for an item that is not found: the item may move during the query, and a query
    /// is not isolated from transactions.
    pub const ATTEMPTS: usize = 2;

    /// The search for the items of an entity; `None` where their identity gives the whole key.
    pub fn of_entity(entity: &Entity) -> Option<Self> {
        if entity.is_found_by_key() {
            return None;
        }
        let sort = entity.layout.sort.as_ref().filter(|sort| sort.template.otherwise.is_none());
        let sort_prefix = sort.map(|sort| SortPrefix {
            attribute: sort.key.name.clone(),
            prefix: sort.template.literal_prefix().to_owned(),
        });
        let sort_prefix = sort_prefix.filter(|sort| !sort.prefix.is_empty());
        Some(Self { sort_prefix, identity: entity.identity.clone() })
    }
}
