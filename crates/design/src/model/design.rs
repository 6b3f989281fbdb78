//! A whole design.

use super::access::AccessPlan;
use super::{Budget, Callers, Entity, EntityId, Example, Index, IndexId, Pattern, PatternId, Rule, Table, slug};
use crate::span::Span;

/// A design that can run.
#[derive(Debug, Clone)]
pub struct Design {
    pub name: String,
    pub description: Option<String>,
    pub table: Table,
    pub tenant: Option<Tenant>,
    pub targets: Vec<Target>,
    pub conventions: Vec<Convention>,
    pub indexes: Vec<Index>,
    pub entities: Vec<Entity>,
    pub patterns: Vec<Pattern>,
    pub budgets: Vec<Budget>,
    pub callers: Callers,
    pub rules: Vec<Rule>,
    pub accepted: Vec<Acceptance>,
    pub examples: Vec<Example>,
    /// Entities in the order in which recognition tries them.
    pub(crate) recognition: Vec<EntityId>,
    /// The plan of each pattern.
    pub(crate) access: Vec<AccessPlan>,
}

/// What isolates tenants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tenant {
    pub span: Span,
    /// The attribute with the tenant's id.
    pub attribute: String,
    /// The entity whose own id it is.
    pub entity: Option<EntityId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Embedded,
    DynamoDb,
    Alternator,
}

impl Target {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::DynamoDb => "dynamodb",
            Self::Alternator => "alternator",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// Indexes are `GSI<n>` with `GSI<n>PK` and `GSI<n>SK`.
    GsiN,
    /// `LOOKUP#` keys have upper-case scopes.
    UpperCaseLookups,
}

impl Convention {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::GsiN => "gsi-n",
            Self::UpperCaseLookups => "upper-case-lookups",
        }
    }
}

/// `KF031 ENTITY#USER: a few thousand users at most`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acceptance {
    pub span: Span,
    pub code: String,
    pub subject: String,
    pub reason: String,
}

impl Design {
    /// The entity of an id; `design[id]` where the id is known to be this design's.
    pub fn entity(&self, id: EntityId) -> Option<&Entity> {
        self.entities.get(id.index())
    }

    pub fn entity_named(&self, name: &str) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.name == name)
    }

    pub fn pattern(&self, id: PatternId) -> Option<&Pattern> {
        self.patterns.get(id.index())
    }

    /// The pattern of a name or slug.
    pub fn pattern_named(&self, name: &str) -> Option<&Pattern> {
        self.patterns
            .iter()
            .find(|pattern| pattern.name == name)
            .or_else(|| self.patterns.iter().find(|pattern| pattern.slug == slug(name)))
    }

    /// What a pattern of this design means.
    #[allow(clippy::indexing_slicing)]
    pub fn access_plan(&self, pattern: PatternId) -> &AccessPlan {
        // One for each pattern, see `by_id`.
        &self.access[pattern.index()]
    }

    /// Entities in the order in which recognition tries them.
    pub fn recognition_order(&self) -> impl Iterator<Item = &Entity> {
        self.recognition.iter().map(|id| &self[*id])
    }

    pub fn index(&self, id: IndexId) -> Option<&Index> {
        self.indexes.get(id.index())
    }

    pub fn index_named(&self, name: &str) -> Option<&Index> {
        self.indexes.iter().find(|index| index.name == name)
    }

    /// The entity that holds the counters of sequences.
    pub fn sequence_keeper(&self) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.keeps_sequences)
    }

    /// Whether the table's partition or sort key is an attribute.
    pub fn is_table_key(&self, name: &str) -> bool {
        self.table.partition.name == name || self.table.sort.as_ref().is_some_and(|sort| sort.name == name)
    }
}

/// Ids are positions that a design gave out itself, so that they are always there; an id of another design may not be.
macro_rules! by_id {
    ($id:ident, $list:ident, $thing:ident) => {
        impl std::ops::Index<$id> for Design {
            type Output = $thing;

            #[allow(clippy::indexing_slicing)]
            fn index(&self, id: $id) -> &$thing {
                &self.$list[id.index()]
            }
        }
    };
}

by_id!(EntityId, entities, Entity);
by_id!(IndexId, indexes, Index);
by_id!(PatternId, patterns, Pattern);
