//! The definition of a table and its indexes, checked.

use keyfold_dynamo::expression::{Path, refuse_paths_into_keys};
use keyfold_dynamo::table::{
    AttributeDefinition, BillingMode, OnDemandThroughput, ProjectionSpec, ProjectionType, Tags,
};
use keyfold_dynamo::{AttributeValue, Attributes, ServiceError};

use crate::rows::key_schema::KeySchema;
use crate::rows::layout::RangeId;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TableDefinition {
    pub id: RangeId,
    pub name: String,
    /// The table's id in DescribeTable.
    pub uuid: String,
    pub created_ms: u64,
    pub key: KeySchema,
    /// In the order of the requests.
    pub attribute_definitions: Vec<AttributeDefinition>,
    pub indexes: Vec<IndexDefinition>,
    pub billing_mode: BillingMode,
    pub on_demand_since_ms: Option<u64>,
    pub throughput: ThroughputSetting,
    pub on_demand: Option<OnDemandThroughput>,
    pub deletion_protection: bool,
    pub table_class: Option<String>,
    pub tags: Tags,
    pub time_to_live: Option<TimeToLive>,
}

/// Provisioned throughput and the history that DescribeTable reports of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ThroughputSetting {
    pub read: i64,
    pub write: i64,
    pub decreases_today: i64,
    pub last_increase_ms: Option<u64>,
    pub last_decrease_ms: Option<u64>,
}

impl ThroughputSetting {
    /// How often the throughput was lowered on the current day (UTC); a count from another day is ignored.
    pub(crate) fn decreases_on_day_of(&self, now_ms: u64) -> i64 {
        let day = |ms: u64| ms / (24 * 60 * 60 * 1000);
        if self.last_decrease_ms.is_some_and(|last| day(last) == day(now_ms)) { self.decreases_today } else { 0 }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct IndexDefinition {
    pub id: RangeId,
    pub name: String,
    pub kind: IndexKind,
    pub key: KeySchema,
    pub projection: IndexProjection,
    pub state: IndexState,
    pub throughput: ThroughputSetting,
    pub on_demand: Option<OnDemandThroughput>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexKind {
    Global,
    Local,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum IndexProjection {
    All,
    KeysOnly,
    Include(Vec<String>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IndexState {
    Active,
    /// Every write maintains the index, and older items are being added to it.
    Backfilling,
}

/// The attribute that holds an item's time of expiry, and the list of expiries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TimeToLive {
    pub id: RangeId,
    pub attribute: String,
    /// Whether older items are still being added to the list.
    pub backfilling: bool,
}

impl IndexProjection {
    pub(crate) fn spec(&self) -> ProjectionSpec {
        let (projection_type, non_key_attributes) = match self {
            Self::All => (ProjectionType::All, None),
            Self::KeysOnly => (ProjectionType::KeysOnly, None),
            Self::Include(names) => (ProjectionType::Include, Some(names.clone())),
        };
        ProjectionSpec { projection_type: Some(projection_type), non_key_attributes }
    }
}

impl TableDefinition {
    pub(crate) fn index(&self, name: &str) -> Option<&IndexDefinition> {
        self.indexes.iter().find(|index| index.name == name)
    }

    pub(crate) fn has_local_indexes(&self) -> bool {
        self.indexes.iter().any(|index| index.kind == IndexKind::Local)
    }

    /// Keys are scalars: an expression must not contain a path into one.
    pub(crate) fn refuse_paths_into_keys<'p>(&self, paths: impl Iterator<Item = &'p Path>) -> Result<(), ServiceError> {
        let mut nested = paths.filter(|path| !path.is_top_level()).peekable();
        if nested.peek().is_none() {
            return Ok(());
        }
        let table_keys: Vec<&str> = self.key.attributes().map(|key| key.name.as_str()).collect();
        let index_keys: Vec<&str> =
            self.indexes.iter().flat_map(|index| index.key.attributes()).map(|key| key.name.as_str()).collect();
        refuse_paths_into_keys(nested, &table_keys, &index_keys)
    }

    /// Whether an index holds a copy of an attribute.
    pub(crate) fn projects(&self, index: &IndexDefinition, attribute: &str) -> bool {
        match &index.projection {
            IndexProjection::All => true,
            IndexProjection::KeysOnly => self.key.contains(attribute) || index.key.contains(attribute),
            IndexProjection::Include(names) => {
                self.key.contains(attribute)
                    || index.key.contains(attribute)
                    || names.iter().any(|name| name == attribute)
            }
        }
    }

    /// The part of an item that an index holds.
    pub(crate) fn projected(&self, index: &IndexDefinition, item: Attributes) -> Attributes {
        if index.projection == IndexProjection::All {
            return item;
        }
        item.into_iter().filter(|(name, _)| self.projects(index, name)).collect()
    }

    /// The size of an item within an index, as DynamoDB counts it.
    pub(crate) fn projected_size(&self, index: &IndexDefinition, item: &Attributes) -> usize {
        item.iter().filter(|(name, _)| self.projects(index, name)).map(|(name, value)| name.len() + value.size()).sum()
    }

    /// The numbers of the table, its indexes and its list of expiries.
    pub(crate) fn range_ids(&self) -> impl Iterator<Item = RangeId> {
        let indexes = self.indexes.iter().map(|index| index.id);
        std::iter::once(self.id).chain(indexes).chain(self.time_to_live.iter().map(|list| list.id))
    }

    /// The epoch second at which an item expires; `None` if it does not expire.
    pub(crate) fn expiry_of(&self, item: &Attributes) -> Option<u64> {
        let time_to_live = self.time_to_live.as_ref()?;
        match item.get(&time_to_live.attribute)? {
            // A number outside the range of epoch seconds is not a time: the item stays.
            AttributeValue::N(number) => number.truncate_to_u64(),
            _ => None,
        }
    }
}
