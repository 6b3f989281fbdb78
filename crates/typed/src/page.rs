//! Pages of results.

use keyfold_runtime::{QueryOptions, Stopped};

/// One page of an access pattern, see [`keyfold_runtime::Page`].
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// For the next page. Only a missing cursor means the end.
    pub cursor: Option<String>,
    pub evaluated: usize,
    pub read_units: f64,
    pub stopped: Stopped,
}

impl<T> Page<T> {
    /// The options of the next page; nothing at the end.
    pub fn next(&self, options: &QueryOptions) -> Option<QueryOptions> {
        self.cursor.clone().map(|cursor| QueryOptions { cursor: Some(cursor), ..options.clone() })
    }
}
