//! What a pattern or a verb may cost.

use super::{EntityId, PatternId, Verb};
use crate::span::Span;

/// `licenses by enterprise: at most 2.5 read units for 20`.
#[derive(Debug, Clone, PartialEq)]
pub struct Budget {
    pub span: Span,
    pub target: BudgetTarget,
    pub capacity: Capacity,
    /// In halves of a unit, the smallest amount DynamoDB charges.
    pub half_units: u64,
    /// For so many results.
    pub results: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BudgetTarget {
    Pattern(PatternId),
    Verb(Verb, EntityId),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capacity {
    Read,
    Write,
}

impl Budget {
    pub fn units(&self) -> f64 {
        self.half_units as f64 / 2.0
    }
}
