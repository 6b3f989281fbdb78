//! What is known of the table as a whole, and the types of attributes in the items of a group.

use std::collections::BTreeSet;

use keyfold_dynamo::{AttributeValue, Attributes};

use crate::table::ImportedTable;
use crate::types::{self, AttributeContext, Guess};

/// What is known of the table as a whole.
pub(super) struct EntityContext<'g> {
    pub facts: &'g ImportedTable,
    pub discriminator: Option<&'g str>,
    /// Keys of indexes that are composed, rather than attributes.
    pub composed: &'g BTreeSet<String>,
    pub delimiter: char,
}

/// The type of an attribute, from its values in the items.
pub(super) fn guess(facts: &ImportedTable, items: &[&Attributes], name: &str) -> Guess {
    let values: Vec<&AttributeValue> = items.iter().filter_map(|item| item.get(name)).collect();
    let is_ttl = facts.table.ttl.as_deref() == Some(name);
    types::guess(AttributeContext { name, is_ttl, of: items.len() }, &values)
}
