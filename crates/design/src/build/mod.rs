//! Spanned syntax to the model: names are resolved, lines are parsed, and every fault is reported.

mod accept;
mod access;
mod attribute_line;
mod attributes;
mod budgets;
mod caller_items;
mod caller_lookup;
mod caller_requirements;
mod caller_source;
mod callers;
mod codes;
mod computed_attributes;
mod derivation;
mod entity;
mod entity_draft;
mod entity_keys;
mod entry_condition;
mod example_operators;
mod examples;
mod expression;
mod first_administrator;
mod grantee;
mod indexes;
mod item_filter;
mod kinds;
mod pattern;
mod reader;
mod reference_range;
mod references;
mod rules;
mod sentinels;
mod table;
mod templates;
mod tenant;
mod top;
mod uniques;
mod unknown_type;
mod value_text;

pub(crate) use codes::{BAD_ACCEPT, BAD_WORD, CODES};
pub use item_filter::item_filter;

use crate::diagnostic::Findings;
use crate::model::Design;
use crate::syntax::Node;

/// A design with what the checks have to know about how it was built.
pub(crate) struct Draft {
    pub design: Design,
    /// Whether a pattern was left out because of its faults: what no pattern uses is then not known.
    pub patterns_incomplete: bool,
    /// Whether an entity was left incomplete because of its faults.
    pub entities_incomplete: bool,
    /// Whether a rule was left out.
    pub rules_incomplete: bool,
    /// Whether something unknown was replaced by a guess: warnings about it would be guesses, too.
    pub has_stand_ins: bool,
}

/// Builds the model as far as it goes. `None` when there is nothing to check.
pub(crate) fn build(root: &Node, source: &str, findings: &mut Findings) -> Option<Draft> {
    top::build(root, &mut reader::Reader::new(source, findings))
}

/// The words of the language, for the schema.
pub(crate) mod words {
    pub(crate) use super::pattern::KEYS as PATTERN;
    #[cfg(test)]
    pub(crate) use super::{indexes::KEYS as INDEX, table::KEYS as TABLE, top::KEYS as TOP_LEVEL};
}

/// The text of a key whose template is faulty: it meets no other template, so that one fault gives rise to no second.
pub(crate) const BROKEN: &str = "\u{0}";
