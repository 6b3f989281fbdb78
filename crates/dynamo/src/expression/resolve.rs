//! Looks up the aliases of an expression's tree and checks the operands of every operator and function, from left to
//! right, giving the typed tree.

use crate::limits;
use crate::value::{AttributeValue, ValueType};

use super::condition::{Condition, Operand};
use super::context::Context;
use super::fault::Fault;
use super::function::Function;
use super::operands::check_distinct;
use super::overlap::PathSet;
use super::path::{Path, PathStep};
use super::syntax::{Comparison, Node, Step};
use super::words::parse_index;

/// Replaces the aliases in a path.
pub(super) fn path(steps: &[Step<'_>], context: &mut Context<'_>) -> Result<Path, Fault> {
    let mut resolved = Vec::with_capacity(steps.len());
    for step in steps {
        resolved.push(match step {
            Step::Name(name) => PathStep::Field((*name).to_owned()),
            Step::Alias(alias) => PathStep::Field(context.name(alias)?.to_owned()),
            Step::Index(digits) => {
                PathStep::Index(parse_index(digits).ok_or_else(|| Fault::IndexOutOfRange((*digits).to_owned()))?)
            }
        });
    }
    if resolved.len() > limits::NESTING_DEPTH {
        return Err(Fault::PathTooDeep(resolved.len()));
    }
    let mut steps = resolved.into_iter();
    match steps.next() {
        Some(PathStep::Field(root)) => Ok(Path { root, rest: steps.collect() }),
        // The grammar begins every path with a name.
        _ => Err(Fault::Empty),
    }
}

/// Replaces the aliases in paths of which no two may clash, and collects them. As the service does, it goes from the
/// last one to the first: the faults of later paths are found before those of earlier ones.
pub(super) fn distinct_paths(
    written: &[&[Step<'_>]],
    context: &mut Context<'_>,
) -> Result<(Vec<Path>, PathSet), Fault> {
    let mut set = PathSet::default();
    let mut resolved: Vec<Path> = Vec::with_capacity(written.len());
    for steps in written.iter().rev() {
        let next = path(steps, context)?;
        if let Err(clash) = set.insert(&next) {
            let later = resolved.iter().rfind(|later| clash.involves(&next, later)).unwrap_or(&next);
            return Err(clash.fault(&next, later));
        }
        resolved.push(next);
    }
    resolved.reverse();
    Ok((resolved, set))
}

pub(super) fn condition(node: &Node<'_>, context: &mut Context<'_>) -> Result<Condition, Fault> {
    match node {
        Node::Compare { operator, left, right } => compare(*operator, left, right, context),
        Node::Between { operand: node, low, high } => between(node, low, high, context),
        Node::In { operand: node, candidates } => is_in(node, candidates, context),
        Node::Not(inner) => Ok(Condition::Not(Box::new(condition(inner, context)?))),
        Node::And(terms) => Ok(Condition::And(conditions(terms, context)?)),
        Node::Or(terms) => Ok(Condition::Or(conditions(terms, context)?)),
        Node::Call { name, arguments } => call(name, arguments, context),
        // The grammar lets no operand stand as a condition.
        Node::Path(_) | Node::Value(_) | Node::Arithmetic { .. } => Err(Fault::Empty),
    }
}

fn compare(
    operator: Comparison,
    left: &Node<'_>,
    right: &Node<'_>,
    context: &mut Context<'_>,
) -> Result<Condition, Fault> {
    with_valid_operands(Condition::Compare { left: operand(left, context)?, operator, right: operand(right, context)? })
}

fn between(node: &Node<'_>, low: &Node<'_>, high: &Node<'_>, context: &mut Context<'_>) -> Result<Condition, Fault> {
    let operand_read = operand(node, context)?;
    with_valid_operands(Condition::Between {
        operand: operand_read,
        low: operand(low, context)?,
        high: operand(high, context)?,
    })
}

fn is_in(node: &Node<'_>, candidates: &[Node<'_>], context: &mut Context<'_>) -> Result<Condition, Fault> {
    with_valid_operands(Condition::In { operand: operand(node, context)?, candidates: operands(candidates, context)? })
}

fn with_valid_operands(condition: Condition) -> Result<Condition, Fault> {
    condition.check_operands()?;
    Ok(condition)
}

fn conditions(nodes: &[Node<'_>], context: &mut Context<'_>) -> Result<Vec<Condition>, Fault> {
    nodes.iter().map(|node| condition(node, context)).collect()
}

fn operand(node: &Node<'_>, context: &mut Context<'_>) -> Result<Operand, Fault> {
    match node {
        Node::Path(steps) => Ok(Operand::Path(path(steps, context)?)),
        Node::Value(alias) => Ok(Operand::Value(context.value(alias)?.clone())),
        Node::Call { arguments, .. } => {
            let arguments = operands(arguments, context)?;
            let [inner] = take(Function::Size, arguments)?;
            let size = Operand::Size(Box::new(inner));
            size.check_size_operand()?;
            Ok(size)
        }
        // The grammar lets no condition stand as an operand.
        _ => Err(Fault::Empty),
    }
}

fn operands(nodes: &[Node<'_>], context: &mut Context<'_>) -> Result<Vec<Operand>, Fault> {
    nodes.iter().map(|node| operand(node, context)).collect()
}

/// The operands of a function, if they are as many as it takes.
fn take<const COUNT: usize>(function: Function, arguments: Vec<Operand>) -> Result<[Operand; COUNT], Fault> {
    arguments
        .try_into()
        .map_err(|arguments: Vec<Operand>| Fault::OperandCount { function: function.as_str(), count: arguments.len() })
}

fn call(name: &str, arguments: &[Node<'_>], context: &mut Context<'_>) -> Result<Condition, Fault> {
    let function = Function::parse(name).ok_or_else(|| Fault::UnknownFunction(name.to_owned()))?;
    let arguments = operands(arguments, context)?;
    if arguments.len() != function.arity() {
        return Err(Fault::OperandCount { function: function.as_str(), count: arguments.len() });
    }
    match function {
        Function::AttributeExists => Ok(Condition::AttributeExists(path_operand(function, arguments)?)),
        Function::AttributeNotExists => Ok(Condition::AttributeNotExists(path_operand(function, arguments)?)),
        Function::AttributeType => {
            let [operand, value_type] = take(function, arguments)?;
            check_distinct(function.as_str(), &operand, [&value_type])?;
            Ok(Condition::AttributeType { operand, value_type: named_type(&value_type)? })
        }
        Function::BeginsWith => {
            let [operand, prefix] = take(function, arguments)?;
            with_valid_operands(Condition::BeginsWith { operand, prefix })
        }
        Function::Contains => {
            let [operand, element] = take(function, arguments)?;
            with_valid_operands(Condition::Contains { operand, element })
        }
        Function::Size | Function::IfNotExists | Function::ListAppend => Err(Fault::MisplacedFunction(name.to_owned())),
    }
}

fn path_operand(function: Function, arguments: Vec<Operand>) -> Result<Path, Fault> {
    match take(function, arguments)? {
        [Operand::Path(path)] => Ok(path),
        [_] => Err(Fault::PathRequired(function.as_str())),
    }
}

/// The type that the second operand of `attribute_type` names.
fn named_type(operand: &Operand) -> Result<ValueType, Fault> {
    let wrong =
        |found: &str| Fault::OperandType { operator: Function::AttributeType.as_str(), found: found.to_owned() };
    match operand {
        Operand::Value(AttributeValue::S(name)) => {
            ValueType::parse(name).ok_or_else(|| Fault::UnknownType(name.clone()))
        }
        Operand::Value(other) => Err(wrong(other.value_type().as_str())),
        Operand::Size(_) => Err(wrong(ValueType::N.as_str())),
        // Whatever a path leads to might have any type; the service lists all that it has, for its other languages too.
        Operand::Path(_) => Err(wrong(
            "{B,BOOL,BS,HDS,DOUBLE,FS,DECIMALSET,NULL,HD,M,L,S,NS,DOUBLESET,SS,DICT,N,FLOAT,INTSET,DECIMAL,INT}",
        )),
    }
}
