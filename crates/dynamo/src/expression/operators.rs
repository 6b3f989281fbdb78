//! The limit on the operators and functions of one expression.

use crate::limits;

use super::fault::Fault;
use super::syntax::Node;

/// Refuses an expression, made of `roots`, with too many operators and functions.
pub(super) fn check_count<'n, 't: 'n>(roots: impl IntoIterator<Item = &'n Node<'t>>) -> Result<(), Fault> {
    let mut count = 0;
    let mut waiting: Vec<&Node<'t>> = roots.into_iter().collect();
    while let Some(node) = waiting.pop() {
        count += match node {
            Node::Path(_) | Node::Value(_) => 0,
            Node::And(terms) | Node::Or(terms) => terms.len().saturating_sub(1),
            _ => 1,
        };
        match node {
            Node::Path(_) | Node::Value(_) => {}
            Node::Call { arguments: nodes, .. } | Node::And(nodes) | Node::Or(nodes) => waiting.extend(nodes),
            Node::Compare { left, right, .. } | Node::Arithmetic { left, right, .. } => {
                waiting.extend([left.as_ref(), right.as_ref()]);
            }
            Node::Between { operand, low, high } => waiting.extend([operand.as_ref(), low.as_ref(), high.as_ref()]),
            Node::In { operand, candidates } => {
                waiting.push(operand);
                waiting.extend(candidates);
            }
            Node::Not(inner) => waiting.push(inner),
        }
    }
    if count > limits::EXPRESSION_OPERATORS { Err(too_many()) } else { Ok(()) }
}

/// The service stops counting at the first one too many.
pub(super) fn too_many() -> Fault {
    Fault::TooManyOperators(limits::EXPRESSION_OPERATORS + 1)
}
