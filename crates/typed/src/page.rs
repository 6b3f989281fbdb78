//! Pages of results.

use keyfold_runtime::{ItemProblem, QueryOptions, StopReason};

/// One page of an access pattern, see [`keyfold_runtime::Page`].
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// The results, in the order of the key.
    pub items: Vec<T>,
    /// The items that are left out because they do not fit the design, or the types of the module.
    pub problems: Vec<ItemProblem>,
    /// The cursor of the next page; `None` at the end, and nothing else means the end.
    pub cursor: Option<String>,
    /// The number of items read for the page, results or not.
    pub evaluated: usize,
    /// DynamoDB read units that the page consumed.
    pub read_units: f64,
    /// Why the page ends where it does.
    pub stop_reason: StopReason,
}

impl<T> Page<T> {
    /// The options of the next page; nothing at the end.
    pub fn next(&self, options: &QueryOptions) -> Option<QueryOptions> {
        self.cursor.clone().map(|cursor| QueryOptions { cursor: Some(cursor), ..options.clone() })
    }
}
