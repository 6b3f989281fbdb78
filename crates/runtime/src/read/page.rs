//! A page of an access pattern: what is requested, and what is returned.

use std::collections::BTreeMap;

use keyfold_design::model::EntityId;

use super::item_problem::ItemProblem;
use crate::record::Record;

/// The size and position of the page that is requested.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueryOptions {
    /// The maximum number of results; the page size of the access plan if absent.
    pub take: Option<usize>,
    /// The maximum number of items examined, whether they are results or not; no limit if absent.
    pub limit: Option<usize>,
    /// The read units after which the page ends; no limit if absent.
    pub read_budget: Option<f64>,
    /// The cursor of an earlier page, after which this one starts; the first page if absent.
    pub cursor: Option<String>,
    /// Whether the order of the pattern is reversed.
    pub reverse: bool,
    /// The tenant whose items an operator asks for; those of all tenants if absent. It means nothing for others, who
    /// get the items of their own.
    pub tenant: Option<String>,
}

/// A page of results.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// In the order of the key, each with its entity.
    pub records: Vec<Record>,
    /// How many results there are; for a pattern that only counts there are no records.
    pub count: usize,
    /// Of a pattern that only counts: how many of the results are items of an entity with `audit reads`, by entity and
    /// tenant.
    pub counted: BTreeMap<(EntityId, Option<String>), u64>,
    /// Items of the range that are left out because they do not fit the design. Operators are told of all, members only
    /// where the range is their tenant's own: of items that they may list with a value of a kind that its attribute
    /// never has; and of items of the table whose key does not tell what they are, if nothing in the range is hidden
    /// from them.
    pub problems: Vec<ItemProblem>,
    /// The cursor of the next page; `None` at the end, and nothing else means the end.
    pub cursor: Option<String>,
    /// The number of items examined. If the range may hold items that the caller must not learn of (other tenants'
    /// items, or items that no rule lets them list), only results count: neither this number, nor the read units, nor
    /// the end of a page depends on anything else.
    pub evaluated: usize,
    /// The read units that the page cost, as DynamoDB counts them.
    pub read_units: f64,
    /// Why the page ends where it does.
    pub stop_reason: StopReason,
}

impl Page {
    /// A page without results, at the end.
    pub fn empty() -> Self {
        Self {
            records: Vec::new(),
            count: 0,
            counted: BTreeMap::new(),
            problems: Vec::new(),
            cursor: None,
            evaluated: 0,
            read_units: 0.0,
            stop_reason: StopReason::End,
        }
    }
}

/// Why a page ends where it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopReason {
    /// All results have been read.
    End,
    /// The page has the requested number of results, or 1 MB of them.
    Full,
    /// The limit of examined items that the caller stated was reached.
    Limit,
    /// One call examines no more items where some are hidden from the caller, or where many do not fit the design.
    Examined,
    /// The budget of read units is spent.
    Budget,
}
