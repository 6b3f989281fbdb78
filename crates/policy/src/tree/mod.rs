//! Policies as trees: what they read, and what of them can be decided before an item is read.

mod bounds;
mod fold;
mod reads;

pub(crate) use bounds::{Bound, bound_condition};
pub(crate) use fold::{Given, conjoin};
pub(crate) use reads::{CallerPart, Reads};

use std::sync::Arc;

use cedar_policy::pst::{BinaryOp, Clause, Expr, Literal, UnaryOp};

pub(crate) fn truth(value: bool) -> Arc<Expr> {
    Arc::new(Expr::Literal(Literal::Bool(value)))
}

pub(crate) fn as_truth(part: &Expr) -> Option<bool> {
    match part {
        Expr::Literal(Literal::Bool(value)) => Some(*value),
        _ => None,
    }
}

/// The direct parts; `None` for a kind of part that this version of Cedar has and the analysis does not know.
fn children(part: &Expr) -> Option<Vec<&Arc<Expr>>> {
    Some(match part {
        Expr::Literal(_) | Expr::Var(_) => Vec::new(),
        Expr::UnaryOp { expr, .. }
        | Expr::GetAttr { expr, .. }
        | Expr::HasAttr { expr, .. }
        | Expr::Like { expr, .. } => {
            vec![expr]
        }
        Expr::BinaryOp { left, right, .. } => vec![left, right],
        Expr::Is { expr, in_expr, .. } => std::iter::once(expr).chain(in_expr).collect(),
        Expr::IfThenElse { cond, then_expr, else_expr } => vec![cond, then_expr, else_expr],
        Expr::Set(parts) => parts.iter().collect(),
        Expr::Record(fields) => fields.values().collect(),
        _ => return None,
    })
}

fn not(part: Arc<Expr>) -> Arc<Expr> {
    match as_truth(&part) {
        Some(value) => truth(!value),
        None => Arc::new(Expr::UnaryOp { op: UnaryOp::Not, expr: part }),
    }
}

fn both(left: Arc<Expr>, right: Arc<Expr>) -> Arc<Expr> {
    match (as_truth(&left), as_truth(&right)) {
        (Some(false), _) | (_, Some(false)) => truth(false),
        (Some(true), _) => right,
        (_, Some(true)) => left,
        _ => Arc::new(Expr::BinaryOp { op: BinaryOp::And, left, right }),
    }
}

fn either(left: Arc<Expr>, right: Arc<Expr>) -> Arc<Expr> {
    match (as_truth(&left), as_truth(&right)) {
        (Some(true), _) | (_, Some(true)) => truth(true),
        (Some(false), _) => right,
        (_, Some(false)) => left,
        _ => Arc::new(Expr::BinaryOp { op: BinaryOp::Or, left, right }),
    }
}

/// The conditions of a policy as one.
fn condition(clauses: &[Clause]) -> Arc<Expr> {
    clauses.iter().fold(truth(true), |whole, clause| match clause {
        Clause::When(part) => both(whole, Arc::clone(part)),
        Clause::Unless(part) => both(whole, not(Arc::clone(part))),
    })
}
