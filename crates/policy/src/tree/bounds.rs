//! Bounds of a condition before the item is read.

use std::sync::Arc;

use cedar_policy::pst::{BinaryOp, Expr, UnaryOp};

use super::{Reads, both, either, not, truth};

/// Which side a condition is bounded from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    /// True only where the condition is true whatever the item.
    Sure,
    /// False only where the condition is false whatever the item.
    Possible,
}

impl Bound {
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Sure => Self::Possible,
            Self::Possible => Self::Sure,
        }
    }
}

/// The condition with every part that reads the item replaced by the worst or the best that it can be.
pub(crate) fn bound_condition(part: &Arc<Expr>, bound: Bound) -> Arc<Expr> {
    if !Reads::in_expression(part).needs_item() {
        return Arc::clone(part);
    }
    match part.as_ref() {
        Expr::BinaryOp { op: BinaryOp::And, left, right } => {
            both(bound_condition(left, bound), bound_condition(right, bound))
        }
        Expr::BinaryOp { op: BinaryOp::Or, left, right } => {
            either(bound_condition(left, bound), bound_condition(right, bound))
        }
        Expr::UnaryOp { op: UnaryOp::Not, expr } => not(bound_condition(expr, bound.opposite())),
        _ => truth(bound == Bound::Possible),
    }
}
