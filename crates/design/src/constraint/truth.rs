//! Whether an expression is true of an item, where nothing is an error: what cannot be evaluated is false.

use cel::common::ast::{Expr, IdedExpr, operators};
use cel::{Context, Value};

use super::exact;

/// The truth of a part. A comparison that an absent attribute makes impossible is false, and so is an absent attribute
/// by itself, so that `!archived` is true of an item without `archived`: the rule of DynamoDB's own conditions.
pub(super) fn of(part: &IdedExpr, context: &Context<'_, '_>) -> bool {
    if let Expr::Call(call) = &part.expr {
        let is_true = |part: &IdedExpr| of(part, context);
        match (call.func_name.as_str(), call.args.as_slice()) {
            (operators::LOGICAL_NOT, [inner]) => return !is_true(inner),
            (operators::LOGICAL_AND, [left, right]) => return is_true(left) && is_true(right),
            (operators::LOGICAL_OR, [left, right]) => return is_true(left) || is_true(right),
            (operators::CONDITIONAL, [condition, then, otherwise]) => {
                return is_true(if is_true(condition) { then } else { otherwise });
            }
            _ => {}
        }
    }
    let value = Value::resolve(part, context).or_else(|_| exact::evaluate(part, context));
    matches!(value, Ok(Value::Bool(true)))
}
