//! The checks of an expression's words, made over the whole expression before any alias is looked up: reserved words,
//! functions that do not exist or stand where they may not, list indexes out of range.

use super::fault::Fault;
use super::function::Function;
use super::reserved::is_reserved;
use super::syntax::{Node, Step};

/// The role of a node in its expression; it decides which functions are allowed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeRole {
    /// As a condition.
    Condition,
    /// As an operand of a condition.
    Operand,
    /// As the right side of SET.
    Value,
    /// As an operand of the right side of SET.
    ValueOperand,
}

pub(super) fn check_condition(node: &Node<'_>) -> Result<(), Fault> {
    check(node, NodeRole::Condition)
}

pub(super) fn check_value(node: &Node<'_>) -> Result<(), Fault> {
    check(node, NodeRole::Value)
}

pub(super) fn check_path(steps: &[Step<'_>]) -> Result<(), Fault> {
    for step in steps {
        match step {
            Step::Name(name) if is_reserved(name) => return Err(Fault::ReservedWord((*name).to_owned())),
            Step::Index(index) if parse_index(index).is_none() => {
                return Err(Fault::IndexOutOfRange((*index).to_owned()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The index that digits stand for, if DynamoDB takes one as large.
pub(super) fn parse_index(digits: &str) -> Option<usize> {
    digits.parse::<i32>().ok().and_then(|index| usize::try_from(index).ok())
}

/// Goes through the tree from left to right, with a stack of its own since the tree may be as deep as its text is long.
fn check(node: &Node<'_>, role: NodeRole) -> Result<(), Fault> {
    let mut waiting = vec![(node, role)];
    while let Some((node, role)) = waiting.pop() {
        match node {
            Node::Path(steps) => check_path(steps)?,
            Node::Value(_) => {}
            Node::Call { name, arguments } => {
                check_function(name, role)?;
                let role = match role {
                    NodeRole::Condition | NodeRole::Operand => NodeRole::Operand,
                    NodeRole::Value | NodeRole::ValueOperand => NodeRole::ValueOperand,
                };
                waiting.extend(arguments.iter().rev().map(|argument| (argument, role)));
            }
            Node::Compare { left, right, .. } => {
                waiting.extend([right, left].map(|operand| (operand.as_ref(), NodeRole::Operand)));
            }
            Node::Between { operand, low, high } => {
                waiting.extend([high, low, operand].map(|operand| (operand.as_ref(), NodeRole::Operand)));
            }
            Node::In { operand, candidates } => {
                waiting.extend(candidates.iter().rev().map(|candidate| (candidate, NodeRole::Operand)));
                waiting.push((operand, NodeRole::Operand));
            }
            Node::Not(inner) => waiting.push((inner, NodeRole::Condition)),
            Node::And(terms) | Node::Or(terms) => {
                waiting.extend(terms.iter().rev().map(|term| (term, NodeRole::Condition)));
            }
            Node::Arithmetic { left, right, .. } => {
                waiting.extend([right, left].map(|operand| (operand.as_ref(), NodeRole::ValueOperand)));
            }
        }
    }
    Ok(())
}

fn check_function(name: &str, role: NodeRole) -> Result<(), Fault> {
    let function = Function::parse(name).ok_or_else(|| Fault::UnknownFunction(name.to_owned()))?;
    let misplaced = match role {
        NodeRole::Condition | NodeRole::Operand if function.is_for_updates() => {
            return Err(Fault::NotInConditions(name.to_owned()));
        }
        NodeRole::Value | NodeRole::ValueOperand if !function.is_for_updates() => {
            return Err(Fault::NotInUpdates(name.to_owned()));
        }
        NodeRole::Condition => function == Function::Size,
        NodeRole::Operand => function != Function::Size,
        NodeRole::Value => false,
        NodeRole::ValueOperand => function == Function::ListAppend,
    };
    if misplaced { Err(Fault::MisplacedFunction(name.to_owned())) } else { Ok(()) }
}
