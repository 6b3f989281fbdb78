//! What a pattern or a verb may cost.

use super::{EntityId, PatternId, Verb};
use crate::span::Span;

/// `licenses by enterprise: at most 2.5 read units for 20`.
#[derive(Debug, Clone, PartialEq)]
pub struct Budget {
    /// Where the design file states it.
    pub span: Span,
    /// The calls that the budget is for.
    pub target: BudgetTarget,
    /// The kind of units.
    pub capacity: Capacity,
    /// In halves of a unit, the smallest amount DynamoDB charges.
    pub half_units: u64,
    /// The number of results on the page; `None` for the pattern's own page size, and for writes.
    pub results: Option<u32>,
}

/// The calls that a budget is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetTarget {
    /// Reads through a pattern.
    Pattern(PatternId),
    /// Calls of a verb on items of an entity.
    Verb(Verb, EntityId),
}

/// The kind of capacity units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capacity {
    /// Read units: 4 KB read consistently, or 8 KB otherwise.
    Read,
    /// Write units: 1 KB written to the table or to an index.
    Write,
}

impl Budget {
    /// The most capacity units that a call may consume.
    pub fn units(&self) -> f64 {
        self.half_units as f64 / 2.0
    }
}
