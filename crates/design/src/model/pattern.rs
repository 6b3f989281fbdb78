//! Access patterns.

use super::{AttributeType, EntityId, Filter, IndexId, PatternId};
use crate::span::Span;
use crate::template::Template;

#[derive(Debug, Clone)]
pub struct Pattern {
    pub id: PatternId,
    pub name: String,
    /// The name for URLs and generated code: `licenses-by-enterprise`.
    pub slug: String,
    pub span: Span,
    /// The line as the design spells it.
    pub source: String,
    /// The key condition and the filter of the line, without options and results.
    pub condition: String,
    pub description: Option<String>,
    /// `None` is the table itself.
    pub index: Option<IndexId>,
    /// Equality on every attribute of the partition key; empty where a fan-out gives its values.
    pub partition: Vec<KeyCondition>,
    /// Equality on the leading attributes of a multi-attribute sort key.
    pub sort_equal: Vec<KeyCondition>,
    pub sort: Option<SortCondition>,
    pub returns: Vec<Returned>,
    /// The entities whose items, or lookups, the key range can hold besides those returned: they must be distinguished.
    pub others: Vec<EntityId>,
    pub filter: Option<Filter>,
    pub order: Order,
    pub tenant: TenantMode,
    /// Whether the design says how the pattern keeps to the tenant, where its keys do not.
    pub tenant_stated: bool,
    pub parameters: Vec<Parameter>,
    pub fan_out: Option<FanOut>,
    /// Only the number of results is asked for.
    pub count: bool,
    /// The results of a page where the caller does not say.
    pub limit: Option<u32>,
}

/// `GSI2PK = ENTERPRISE#<enterpriseId>`; the placeholders are parameters.
#[derive(Debug, Clone)]
pub struct KeyCondition {
    pub attribute: String,
    pub template: Template,
}

#[derive(Debug, Clone)]
pub struct SortCondition {
    pub attribute: String,
    pub operator: SortOperator,
    /// The character with which keys go on behind the bound, where the condition covers their leading components only.
    pub component: Option<char>,
}

#[derive(Debug, Clone)]
pub enum SortOperator {
    Equal(Template),
    BeginsWith(Template),
    Less(Template),
    LessOrEqual(Template),
    Greater(Template),
    GreaterOrEqual(Template),
    Between(Template, Template),
}

impl SortOperator {
    pub fn templates(&self) -> Vec<&Template> {
        match self {
            Self::Equal(template)
            | Self::BeginsWith(template)
            | Self::Less(template)
            | Self::LessOrEqual(template)
            | Self::Greater(template)
            | Self::GreaterOrEqual(template) => vec![template],
            Self::Between(low, high) => vec![low, high],
        }
    }

    pub(crate) fn templates_mut(&mut self) -> Vec<&mut Template> {
        match self {
            Self::Equal(template)
            | Self::BeginsWith(template)
            | Self::Less(template)
            | Self::LessOrEqual(template)
            | Self::Greater(template)
            | Self::GreaterOrEqual(template) => vec![template],
            Self::Between(low, high) => vec![low, high],
        }
    }

    /// Whether the condition covers a range rather than one key.
    pub fn is_range(&self) -> bool {
        !matches!(self, Self::Equal(_))
    }
}

/// What a pattern returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Returned {
    /// The items of the range that are of this entity.
    Entity(EntityId),
    /// The entities whose lookup items the range holds.
    ThroughUnique { entity: EntityId, unique: String },
}

impl Returned {
    pub fn entity(&self) -> EntityId {
        match self {
            Self::Entity(entity) | Self::ThroughUnique { entity, .. } => *entity,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Ascending,
    Descending,
}

/// How a pattern keeps to the caller's tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TenantMode {
    /// All entities are global.
    Global,
    /// The partition key holds the tenant: the parameter is bound to the caller's.
    Pinned { parameter: String },
    /// Items of other tenants are dropped for members; operators see all.
    Filtered,
    /// For operators only.
    AcrossTenants,
}

#[derive(Debug, Clone)]
pub struct Parameter {
    pub name: String,
    pub span: Span,
    pub value_type: AttributeType,
    /// A list of values, each of the type: `tag in <tags>`.
    pub many: bool,
    /// The fewest characters that the key needs, for a prefix cut from a value.
    pub at_least_characters: Option<usize>,
}

/// Several partitions read and merged.
#[derive(Debug, Clone)]
pub enum FanOut {
    /// Every shard of a write-sharded partition; the shard's number (from 0, an integer) goes in for this placeholder.
    Shards { placeholder: String, count: u32 },
    /// Every day from one parameter to another, inclusive; the partition key is a plain date.
    Range { attribute: String, from: Template, to: Template, at_most: u32, unit: FanOutUnit },
    /// Every value of a list parameter.
    Values { attribute: String, parameter: String, at_most: u32 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FanOutUnit {
    Days,
    Values,
}

impl Pattern {
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    pub fn entities(&self) -> impl Iterator<Item = EntityId> {
        self.returns.iter().map(Returned::entity)
    }
}

/// A name for URLs and generated code: lower case, words joined by hyphens.
pub fn slug(name: &str) -> String {
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
