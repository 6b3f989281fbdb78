//! Conditions for one verb and one entity, in which neither the action nor the resource's type is a question any more.

use std::sync::Arc;

use cedar_policy::pst::{BinaryOp, Clause, EntityUID, Expr, Literal, UnaryOp, Var};

use super::{as_truth, both, condition, either, not, truth};

/// The verb and the type that a condition is folded for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given<'a> {
    /// The action and the groups it is in.
    pub actions: &'a [&'a str],
    pub resource_type: &'a str,
}

/// The clauses of a policy as one condition.
pub(crate) fn conjoin(clauses: &[Clause], given: Given<'_>) -> Arc<Expr> {
    fold(&condition(clauses), given)
}

fn fold(part: &Arc<Expr>, given: Given<'_>) -> Arc<Expr> {
    match part.as_ref() {
        Expr::BinaryOp { op: BinaryOp::And, left, right } => both(fold(left, given), fold(right, given)),
        Expr::BinaryOp { op: BinaryOp::Or, left, right } => either(fold(left, given), fold(right, given)),
        Expr::UnaryOp { op: UnaryOp::Not, expr } => not(fold(expr, given)),
        Expr::IfThenElse { cond, then_expr, else_expr } => {
            let (cond, then_expr, else_expr) = (fold(cond, given), fold(then_expr, given), fold(else_expr, given));
            match as_truth(&cond) {
                Some(true) => then_expr,
                Some(false) => else_expr,
                None => Arc::new(Expr::IfThenElse { cond, then_expr, else_expr }),
            }
        }
        Expr::Is { expr, entity_type, in_expr: None } if **expr == Expr::Var(Var::Resource) => {
            truth(entity_type.to_string() == given.resource_type)
        }
        Expr::BinaryOp { op, left, right } if **left == Expr::Var(Var::Action) => {
            action(*op, right, given).map_or_else(|| Arc::clone(part), truth)
        }
        _ => Arc::clone(part),
    }
}

/// `action == Action::"get"`, `action in [Action::"read", Action::"delete"]`.
fn action(op: BinaryOp, right: &Expr, given: Given<'_>) -> Option<bool> {
    let own = given.actions.first()?;
    match (op, right) {
        (BinaryOp::Eq, Expr::Literal(Literal::EntityUID(uid))) => Some(is_action(uid, own)),
        (BinaryOp::NotEq, Expr::Literal(Literal::EntityUID(uid))) => Some(!is_action(uid, own)),
        (BinaryOp::In, Expr::Literal(Literal::EntityUID(uid))) => Some(is_one_of(uid, given)),
        (BinaryOp::In, Expr::Set(parts)) => {
            let uids: Option<Vec<&EntityUID>> = parts
                .iter()
                .map(|part| match part.as_ref() {
                    Expr::Literal(Literal::EntityUID(uid)) => Some(uid),
                    _ => None,
                })
                .collect();
            Some(uids?.into_iter().any(|uid| is_one_of(uid, given)))
        }
        _ => None,
    }
}

fn is_one_of(uid: &EntityUID, given: Given<'_>) -> bool {
    given.actions.iter().any(|name| is_action(uid, name))
}

fn is_action(uid: &EntityUID, name: &str) -> bool {
    uid.eid == name && uid.ty.to_string() == "Action"
}
