//! `… when unread`: which items have an entry in an index, or a lookup item.

use keyfold_dynamo::AttributeValue;

use crate::constraint::Expression;
use crate::span::Span;

/// A condition over the attributes of an item: its entry in an index, or its lookup item, exists only while it holds.
#[derive(Debug, Clone)]
pub struct EntryCondition {
    /// Where the design file states it.
    pub span: Span,
    /// Reads attributes of the item and nothing else.
    pub expression: Expression,
}

impl EntryCondition {
    /// Whether an item with these attributes has the entry. An absent attribute counts as false, see
    /// [`Expression::is_true_of`].
    pub fn holds<'v>(&self, lookup: impl Fn(&str) -> Option<&'v AttributeValue>) -> bool {
        self.expression.is_true_of(lookup)
    }

    /// The attributes that decide.
    pub fn attributes(&self) -> impl Iterator<Item = &str> {
        self.expression.variables().iter().map(String::as_str)
    }

    /// As the design spells it.
    pub fn source(&self) -> &str {
        self.expression.source()
    }
}
