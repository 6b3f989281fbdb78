//! Access patterns.

use super::access::{KeyEquality, PartitionSet};
use super::{AttributeType, EntityId, Filter, IndexId, Order, PatternId, SortRange, TenantMode};
use crate::span::Span;
use crate::template::Template;

/// An access pattern: `licenses by status: GSI3PK = LICENSE#STATUS#<status>, newest first`. Its
/// [`AccessPlan`](super::access::AccessPlan) says what it asks the table for.
#[derive(Debug, Clone)]
pub struct Pattern {
    /// The position in [`Design::patterns`](super::Design::patterns).
    pub id: PatternId,
    /// As the design spells it, blanks included.
    pub name: String,
    /// The name for URLs and generated code: `licenses-by-enterprise`.
    pub slug: String,
    /// Where the design file states it.
    pub span: Span,
    /// The line as the design spells it.
    pub source: String,
    /// The key condition and the filter of the line, without options and results.
    pub condition: String,
    /// Prose for generated documents; `None` if the design has none.
    pub description: Option<String>,
    /// `None` is the table itself.
    pub(crate) index: Option<IndexId>,
    /// Equality on every attribute of the partition key, then on the leading attributes of a multi-attribute sort key.
    pub(crate) equal: Vec<KeyEquality>,
    /// The condition on the sort key as the design states it; the plan holds the range that it covers.
    pub(crate) sort: Option<SortCondition>,
    /// At least one.
    pub returns: Vec<Returned>,
    /// What the items found also satisfy.
    pub(crate) filter: Option<Filter>,
    /// Of the sort key; ascending by default.
    pub order: Order,
    /// Whose items callers get.
    pub tenant: TenantMode,
    /// Whether the design says how the pattern keeps to the tenant, where its keys do not.
    pub(crate) tenant_stated: bool,
    /// The placeholders of the conditions, each once.
    pub(crate) parameters: Vec<Parameter>,
    /// Where several partitions are read.
    pub(crate) partitions: Option<PartitionSet>,
    /// Only the number of results is asked for.
    pub(crate) count: bool,
    /// Results have only what the index holds of an item.
    pub(crate) projected_only: bool,
    /// The results of a page where the caller does not say.
    pub(crate) limit: Option<u32>,
}

/// A condition on the sort key.
#[derive(Debug, Clone)]
pub(crate) struct SortCondition {
    pub attribute: String,
    pub range: SortRange<Template>,
    /// The character with which keys go on behind the bound, where the condition covers their leading components only.
    pub component: Option<char>,
    /// Whether the range also covers keys that do not begin with the literal text before the bound's placeholder: those
    /// of a result are like that.
    pub is_beyond_prefix: bool,
}

/// What a pattern returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Returned {
    /// The items of the range that are of this entity.
    Entity(EntityId),
    /// The entities whose lookup items the range holds.
    ThroughUnique {
        /// The entity that the caller gets.
        entity: EntityId,
        /// Its unique whose lookup items are in the range.
        unique: String,
    },
    /// What the items of the range refer to, or are derived from.
    Referenced {
        /// The entity that the caller gets.
        entity: EntityId,
        /// The entity of the items in the range.
        from: EntityId,
        /// Which attribute of these items gives which identifying attribute of the result: `(its, theirs)`.
        mapping: Vec<(String, String)>,
    },
}

impl Returned {
    /// The entity that the caller gets.
    pub fn entity(&self) -> EntityId {
        match self {
            Self::Entity(entity) | Self::ThroughUnique { entity, .. } | Self::Referenced { entity, .. } => *entity,
        }
    }
}

/// A placeholder that the caller of a pattern fills.
#[derive(Debug, Clone)]
pub(crate) struct Parameter {
    /// As the design spells it.
    pub name: String,
    /// The type of the attribute that it meets.
    pub value_type: AttributeType,
    /// A list of values, each of the type: `tag in <tags>`.
    pub many: bool,
    /// The fewest characters that the key needs, for a prefix cut from a value.
    pub at_least_characters: Option<usize>,
}

impl Pattern {
    /// The parameter of a name.
    pub(crate) fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// The entities of the items of the range that results are, or are found through.
    pub fn found_entities(&self) -> impl Iterator<Item = EntityId> {
        self.returns.iter().map(|returned| match returned {
            Returned::Referenced { from, .. } => *from,
            other => other.entity(),
        })
    }

    /// The entities of the results, in the order of the design.
    pub fn entities(&self) -> impl Iterator<Item = EntityId> {
        self.returns.iter().map(Returned::entity)
    }
}

/// A name for URLs and generated code: lower case, words joined by hyphens.
pub(crate) fn slug(name: &str) -> String {
    let mut slug = String::with_capacity(name.len());
    for character in name.chars().flat_map(char::to_lowercase) {
        if character.is_alphanumeric() {
            slug.push(character);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}
