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

fn check(node: &Node<'_>, place: Place) -> Result<(), Fault> {
    match node {
        Node::Path(steps) => check_path(steps),
        Node::Value(_) => Ok(()),
        Node::Call { name, arguments } => {
            check_function(name, place)?;
            let place = match place {
                Place::Condition | Place::Operand => Place::Operand,
                Place::Value | Place::ValueOperand => Place::ValueOperand,
            };
            check_all(arguments, place)
        }
        Node::Compare { left, right, .. } => {
            check(left, Place::Operand)?;
            check(right, Place::Operand)
        }
        Node::Between { operand, low, high } => {
            check(operand, Place::Operand)?;
            check(low, Place::Operand)?;
            check(high, Place::Operand)
        }
        Node::In { operand, candidates } => {
            check(operand, Place::Operand)?;
            check_all(candidates, Place::Operand)
        }
        Node::Not(inner) => check(inner, Place::Condition),
        Node::And(terms) | Node::Or(terms) => check_all(terms, Place::Condition),
        Node::Arithmetic { left, right, .. } => {
            check(left, Place::ValueOperand)?;
            check(right, Place::ValueOperand)
        }
    }
}

fn check_all(nodes: &[Node<'_>], place: Place) -> Result<(), Fault> {
    nodes.iter().try_for_each(|node| check(node, place))
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
