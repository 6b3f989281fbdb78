//! Unique attributes: an item of its own whose key can exist once.

use super::Layout;
use crate::span::Span;

/// A combination of attributes that no two items of an entity share: `unique: {email: [email]}`, or with the keys of
/// the lookup item: `unique: {email: {PK: LOOKUP#USER#EMAIL#<email:lower>, SK: LOOKUP}}`.
#[derive(Debug, Clone)]
pub struct Unique {
    /// What an error reports.
    pub name: String,
    /// Where the design file states it.
    pub span: Span,
    /// The entity's attributes that are unique together: those of the lookup item's key.
    pub attributes: Vec<String>,
    /// Where the lookup item lies. An item without one of the attributes has none.
    pub layout: Layout,
    /// The entity's attributes that the lookup item carries, enough to find the entity's item.
    pub carries: Vec<String>,
    /// Whether the keys were made by the short form `name: [attributes]`.
    pub generated: bool,
}
