//! The plan of an access pattern.

use super::{FurtherRead, KeyEquality, PartitionSearch, PartitionSet, SortBound, TenantCondition};
use crate::model::{AttributeType, EntityId, Filter, IndexId, Order, PatternId, TenantMode};

/// What an access pattern asks the table for, and what becomes of the items it finds.
#[derive(Debug, Clone)]
pub struct AccessPlan {
    /// The pattern that this is the plan of.
    pub pattern: PatternId,
    /// `None` is the table itself.
    pub index: Option<IndexId>,
    /// The name of the index; `None` for the table itself.
    pub index_name: Option<String>,
    /// Equality on the partition key and on the leading attributes of a sort key of several.
    pub equal: Vec<KeyEquality>,
    /// The condition on the sort key; `None` reads whole partitions.
    pub sort: Option<SortBound>,
    /// The partitions of a pattern that reads several; `None` where the key conditions give the one.
    pub partitions: Option<PartitionSet>,
    /// The design's own filter, besides that of the tenant; `None` where every item of the range counts.
    pub filter: Option<Filter>,
    /// The order of the results.
    pub order: Order,
    /// How the pattern keeps to the caller's tenant.
    pub tenant: TenantMode,
    /// The attribute that isolates tenants; `None` in a design without tenants.
    pub tenant_attribute: Option<String>,
    /// What the pattern returns.
    pub results: Vec<AccessResult>,
    /// What the key range may hold besides the results; empty where it is proven to hold nothing else.
    pub others: Vec<OtherItems>,
    /// The sort key of what is queried: the order of the results, and what partitions are merged by.
    pub sort_key: Vec<String>,
    /// The attributes that say where a page ended: the keys of the table, then those of the index.
    pub cursor_keys: Vec<String>,
    /// The keys of what is queried: of the index, or of the table.
    pub queried_keys: Vec<String>,
    /// Whether only the number of results is asked for.
    pub counts: bool,
    /// How many results a page has at most, where the caller does not say; a pattern that counts has no pages.
    pub page_size: u32,
    /// The size in bytes, as DynamoDB counts items, at which a page ends: the result that reaches it is the last one.
    /// `None` where results are only counted.
    pub page_bytes: Option<usize>,
    /// What callers give; in the order of the design.
    pub parameters: Vec<AccessParameter>,
}

/// An entity that a pattern returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessResult {
    /// The entity that callers get.
    pub entity: EntityId,
    /// Where its item is read.
    pub source: ItemSource,
    /// By what the table can leave out other tenants' items, where the pattern filters by tenant. `None` where only the
    /// item that is read afterwards shows its tenant.
    pub tenant_condition: Option<TenantCondition>,
    /// The conditions, as the design spells them, under which items of the entity are in what is queried; empty if all
    /// are that have the attributes of the key.
    pub entry_conditions: Vec<String>,
    /// The entity's attributes with `visible to` that the key conditions or the filter test: callers who do not see
    /// them must not learn their values from what is found.
    pub restricted: Vec<String>,
}

/// Items that a key range may hold and that are not results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherItems {
    /// The entity that they are, or that they lead to.
    pub entity: EntityId,
    /// The unique whose lookup items they are; `None` for the entity's own items.
    pub unique: Option<String>,
    /// Whether they may belong to another tenant than the partition does.
    pub is_of_any_tenant: bool,
}

/// Where the item of a result comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemSource {
    /// The query returns it whole.
    Query,
    /// The index lacks some attributes: the item is read again with `GetItem`, consistently, by the table's key in the
    /// row.
    Table {
        /// How an item is found that is no longer at that key; `None` where the key of an item never changes.
        moved: Option<PartitionSearch>,
    },
    /// The index lacks some attributes, and so do the results: the query returns all that they have.
    Projected {
        /// The attributes that a result may have.
        attributes: Vec<String>,
        /// How an item is found that is no longer at the key in its row, where a rule needs the whole item; `None`
        /// where the key of an item never changes.
        moved: Option<PartitionSearch>,
    },
    /// The query returns a lookup item. The entity's item is read from the table, consistently, and counts where the
    /// lookup is still its own.
    Lookup {
        /// The unique of the entity that the lookup item is for.
        unique: String,
        /// How the entity's item is read.
        read: FurtherRead,
    },
    /// The query returns an item that refers to the entity's, or is derived from it. The entity's items of a page are
    /// read from the table together, consistently. Who may not list the items of the range does not get what they refer
    /// to either.
    Reference {
        /// The entity of the items of the range.
        from: EntityId,
        /// Which of their attributes gives which identifying attribute of the entity: `(the entity's, theirs)`.
        mapping: Vec<(String, String)>,
        /// How the entity's item is read.
        read: FurtherRead,
        /// Whether the index lacks some attributes of the items of the range.
        is_partial: bool,
        /// Their attributes with `visible to` that the conditions of the pattern test.
        restricted: Vec<String>,
    },
}

impl ItemSource {
    /// The unique whose lookup items are queried; `None` where the entity's own items are.
    pub fn unique(&self) -> Option<&str> {
        match self {
            Self::Lookup { unique, .. } => Some(unique),
            Self::Query | Self::Table { .. } | Self::Projected { .. } | Self::Reference { .. } => None,
        }
    }

    /// The attributes with `visible to` of the items that lead to the results, which the conditions test.
    pub fn restricted(&self) -> &[String] {
        match self {
            Self::Reference { restricted, .. } => restricted,
            Self::Query | Self::Table { .. } | Self::Projected { .. } | Self::Lookup { .. } => &[],
        }
    }

    /// Whether an item is read with `GetItem`, besides the query.
    pub fn gets_items(&self) -> bool {
        matches!(
            self,
            Self::Table { .. }
                | Self::Lookup { read: FurtherRead::Key, .. }
                | Self::Reference { read: FurtherRead::Key, .. }
        )
    }

    /// The search for an item in its partition, besides the query.
    pub fn partition_search(&self) -> Option<&PartitionSearch> {
        match self {
            Self::Query
            | Self::Projected { .. }
            | Self::Lookup { read: FurtherRead::Key, .. }
            | Self::Reference { read: FurtherRead::Key, .. } => None,
            Self::Table { moved } => moved.as_ref(),
            Self::Lookup { read: FurtherRead::PartitionSearch(search), .. }
            | Self::Reference { read: FurtherRead::PartitionSearch(search), .. } => Some(search),
        }
    }
}

/// A parameter of a pattern.
#[derive(Debug, Clone)]
pub struct AccessParameter {
    /// As the design spells it.
    pub name: String,
    /// The type of the argument, or of each element of a list.
    pub value_type: AttributeType,
    /// The most distinct values of a parameter that is a list; `None` where it is one value.
    pub list_of_at_most: Option<u32>,
    /// The fewest characters that the key needs, for a prefix cut from a value; `None` where any value will do.
    pub at_least_characters: Option<usize>,
    /// Whether it is the tenant: bound to the caller's own, so that only operators have to state it.
    pub is_tenant: bool,
}

impl AccessParameter {
    /// The type of the whole argument.
    pub fn argument_type(&self) -> AttributeType {
        match self.list_of_at_most {
            Some(_) => AttributeType::List(Some(Box::new(self.value_type.clone()))),
            None => self.value_type.clone(),
        }
    }
}

impl AccessPlan {
    /// Whether the key range can hold items that are not results.
    pub fn drops_items(&self) -> bool {
        self.filter.is_some() || !self.others.is_empty()
    }

    /// The parameter of a name.
    pub fn parameter(&self, name: &str) -> Option<&AccessParameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }

    /// Whether what the query returns leads to further items, each of which is read by itself.
    pub fn reads_again(&self) -> bool {
        let is_whole = |source: &ItemSource| matches!(source, ItemSource::Query | ItemSource::Projected { .. });
        self.results.iter().any(|result| !is_whole(&result.source))
    }

    /// Whether the key range may hold an entity's items, or the lookup items of one of its uniques.
    pub fn may_hold(&self, entity: EntityId, unique: Option<&str>) -> bool {
        let is_result = |result: &AccessResult| result.entity == entity && result.source.unique() == unique;
        let is_other = |other: &OtherItems| other.entity == entity && other.unique.as_deref() == unique;
        self.results.iter().any(is_result) || self.others.iter().any(is_other)
    }

    /// By what the table can leave out other tenants' items: an item of the tenant satisfies one of the conditions.
    /// Empty where the table cannot tell for one of the results.
    pub fn tenant_conditions<'p>(results: impl IntoIterator<Item = &'p AccessResult>) -> Vec<&'p TenantCondition> {
        let mut conditions: Vec<&TenantCondition> = Vec::new();
        for result in results {
            match &result.tenant_condition {
                None => return Vec::new(),
                Some(condition) if conditions.iter().any(|known| known.is_same(condition)) => {}
                Some(condition) => conditions.push(condition),
            }
        }
        conditions
    }
}
