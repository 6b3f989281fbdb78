//! The checks of an expression's words, made over the whole expression before any alias is looked up: reserved words,
//! functions that do not exist or stand where they may not, list indexes out of range.

use super::fault::Fault;
use super::function::Function;
use super::reserved::is_reserved;
use super::syntax::{Node, Step};

/// Where a node stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
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
    check(node, Place::Condition)
}

pub(super) fn check_value(node: &Node<'_>) -> Result<(), Fault> {
    check(node, Place::Value)
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
fn check(node: &Node<'_>, place: Place) -> Result<(), Fault> {
    let mut waiting = vec![(node, place)];
    while let Some((node, place)) = waiting.pop() {
        match node {
            Node::Path(steps) => check_path(steps)?,
            Node::Value(_) => {}
            Node::Call { name, arguments } => {
                check_function(name, place)?;
                let place = match place {
                    Place::Condition | Place::Operand => Place::Operand,
                    Place::Value | Place::ValueOperand => Place::ValueOperand,
                };
                waiting.extend(arguments.iter().rev().map(|argument| (argument, place)));
            }
            Node::Compare { left, right, .. } => {
                waiting.extend([right, left].map(|operand| (operand.as_ref(), Place::Operand)));
            }
            Node::Between { operand, low, high } => {
                waiting.extend([high, low, operand].map(|operand| (operand.as_ref(), Place::Operand)));
            }
            Node::In { operand, candidates } => {
                waiting.extend(candidates.iter().rev().map(|candidate| (candidate, Place::Operand)));
                waiting.push((operand, Place::Operand));
            }
            Node::Not(inner) => waiting.push((inner, Place::Condition)),
            Node::And(terms) | Node::Or(terms) => {
                waiting.extend(terms.iter().rev().map(|term| (term, Place::Condition)));
            }
            Node::Arithmetic { left, right, .. } => {
                waiting.extend([right, left].map(|operand| (operand.as_ref(), Place::ValueOperand)));
            }
        }
    }
    Ok(())
}

fn check_function(name: &str, place: Place) -> Result<(), Fault> {
    let function = Function::parse(name).ok_or_else(|| Fault::UnknownFunction(name.to_owned()))?;
    let misplaced = match place {
        Place::Condition | Place::Operand if function.is_for_updates() => {
            return Err(Fault::NotInConditions(name.to_owned()));
        }
        Place::Value | Place::ValueOperand if !function.is_for_updates() => {
            return Err(Fault::NotInUpdates(name.to_owned()));
        }
        Place::Condition => function == Function::Size,
        Place::Operand => function != Function::Size,
        Place::Value => false,
        Place::ValueOperand => function == Function::ListAppend,
    };
    if misplaced { Err(Fault::MisplacedFunction(name.to_owned())) } else { Ok(()) }
}
