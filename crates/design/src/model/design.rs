//! A whole design.

use super::access::{AccessPlan, AccessResult, ItemSource};
use super::{
    Budget, Callers, Entity, EntityId, Example, Index, IndexId, Layout, Pattern, PatternId, Reference, Rule, Table,
    slug,
};
use crate::span::Span;

/// A design that can run.
#[derive(Debug, Clone)]
pub struct Design {
    /// Lower case with hyphens; the first segment of REST paths.
    pub name: String,
    /// Prose for generated documents; `None` if the design has none.
    pub description: Option<String>,
    /// The one table that holds all items.
    pub table: Table,
    /// `None` for a design without tenants.
    pub tenant: Option<Tenant>,
    /// The backends that the design has to run on. By default the embedded engine and DynamoDB, or DynamoDB alone where
    /// the engine lacks what the design needs.
    pub targets: Vec<BackendKind>,
    /// Naming conventions that the checks enforce; none by default.
    pub conventions: Vec<Convention>,
    /// Secondary indexes of the table, in the order of the design. An [`IndexId`] is a position in it.
    pub indexes: Vec<Index>,
    /// In the order of the design. An [`EntityId`] is a position in it.
    pub entities: Vec<Entity>,
    /// In the order of the design. A [`PatternId`] is a position in it.
    pub patterns: Vec<Pattern>,
    /// Limits of cost that `keyfold test` measures.
    pub budgets: Vec<Budget>,
    /// Where the rights of callers come from.
    pub callers: Callers,
    /// The lines of `allow`. Without any, every call is denied.
    pub rules: Vec<Rule>,
    /// Warnings that the design accepts, each with a reason.
    pub accepted: Vec<Acceptance>,
    /// Examples that `keyfold test` runs.
    pub examples: Vec<Example>,
    /// Entities in the order in which recognition tries them.
    pub(crate) recognition: Vec<EntityId>,
    /// The attributes that tell entities with the same keys apart, each once.
    pub(crate) kind_attributes: Vec<String>,
    /// The plan of each pattern.
    pub(crate) access: Vec<AccessPlan>,
}

/// What isolates tenants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tenant {
    /// Where the design file states it.
    pub span: Span,
    /// The attribute with the tenant's id.
    pub attribute: String,
    /// The entity whose own id it is; `None` if the design names no such entity.
    pub entity: Option<EntityId>,
}

/// A kind of backend that a design can be for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackendKind {
    /// Keyfold's own engine.
    Embedded,
    /// Amazon DynamoDB, or DynamoDB Local.
    DynamoDb,
    /// ScyllaDB's Alternator, which lacks some features.
    Alternator,
}

impl BackendKind {
    /// As the design spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::DynamoDb => "dynamodb",
            Self::Alternator => "alternator",
        }
    }
}

/// A naming convention that a check enforces where the design states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// Indexes are `GSI<n>` with `GSI<n>PK` and `GSI<n>SK`.
    GsiN,
    /// `LOOKUP#` keys have upper-case scopes.
    UpperCaseLookups,
}

impl Convention {
    /// As the design spells it.
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
    /// Where the design file states it.
    pub span: Span,
    /// The code of the accepted warning.
    pub code: String,
    /// What the warning is about, as the warning names it.
    pub subject: String,
    /// Why the warning does not matter here.
    pub reason: String,
}

impl Design {
    /// The entity of a name; names are case-sensitive.
    pub fn entity_named(&self, name: &str) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.name == name)
    }

    /// The pattern of a name or slug.
    pub fn pattern_named(&self, name: &str) -> Option<&Pattern> {
        self.patterns
            .iter()
            .find(|pattern| pattern.name == name)
            .or_else(|| self.patterns.iter().find(|pattern| pattern.slug == slug(name)))
    }

    /// What a pattern of this design means.
    #[expect(clippy::indexing_slicing, reason = "there is one for each pattern, see `by_id`")]
    pub fn access_plan(&self, pattern: PatternId) -> &AccessPlan {
        &self.access[pattern.index()]
    }

    /// The keys by which a query finds a result: the entity's own, or those of the lookup item that leads to it.
    pub fn layout_of(&self, result: &AccessResult) -> &Layout {
        let entity = &self[result.entity];
        match &result.source {
            ItemSource::Query | ItemSource::Table { .. } | ItemSource::Projected { .. } => &entity.layout,
            ItemSource::Reference { from, .. } => &self[*from].layout,
            // The plan names a unique of the entity itself, see `build::access`.
            ItemSource::Lookup { unique, .. } => entity.unique(unique).map_or(&entity.layout, |unique| &unique.layout),
        }
    }

    /// Sentences for documentation that say of which entities a pattern finds some items only, each with a space before
    /// it; empty if it finds all.
    pub fn only_when(&self, plan: &AccessPlan) -> String {
        let conditions = plan.results.iter().flat_map(|result| {
            let name = &self[result.entity].name;
            result.entry_conditions.iter().map(move |condition| format!(" Finds {name} only when `{condition}`."))
        });
        conditions.collect()
    }

    /// The references that lead to an entity, each with the entity that has it.
    #[expect(clippy::indexing_slicing, reason = "the builder notes the position of a reference as it adds it")]
    pub fn references_to<'d>(&'d self, entity: &'d Entity) -> impl Iterator<Item = (&'d Entity, &'d Reference)> {
        entity.referenced_by.iter().map(|incoming| {
            let child = &self[incoming.child];
            (child, &child.references[incoming.reference])
        })
    }

    /// Entities in the order in which recognition tries them.
    pub fn recognition_order(&self) -> impl Iterator<Item = &Entity> {
        self.recognition.iter().map(|id| &self[*id])
    }

    /// The secondary index of a name.
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

// Only the builder of a design makes ids, each for a thing that it adds to the design and never removes: indexing by an
// id of the same design cannot fail.
macro_rules! by_id {
    ($id:ident, $list:ident, $thing:ident) => {
        impl std::ops::Index<$id> for Design {
            type Output = $thing;

            #[expect(clippy::indexing_slicing, reason = "an id of the same design is within its list")]
            fn index(&self, id: $id) -> &$thing {
                &self.$list[id.index()]
            }
        }
    };
}

by_id!(EntityId, entities, Entity);
by_id!(IndexId, indexes, Index);
by_id!(PatternId, patterns, Pattern);
