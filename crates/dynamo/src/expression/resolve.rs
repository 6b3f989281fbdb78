//! Looks up the aliases of an expression's tree and checks the operands of every operator and function, from left to
//! right, giving the typed tree.

use crate::limits;
use crate::value::{AttributeValue, ValueType};

use super::condition::{Operand, Predicate};
use super::context::Context;
use super::evaluate::compare_in_order;
use super::fault::{Fault, PathText};
use super::function::Function;
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
    // The grammar begins every path with a name.
    let root = match steps.next() {
        Some(PathStep::Field(name)) => name,
        _ => String::new(),
    };
    Ok(Path { root, rest: steps.collect() })
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

pub(super) fn predicate(node: &Node<'_>, context: &mut Context<'_>) -> Result<Predicate, Fault> {
    match node {
        Node::Compare { operator, left, right } => compare(*operator, left, right, context),
        Node::Between { operand: node, low, high } => between(node, low, high, context),
        Node::In { operand: node, candidates } => is_in(node, candidates, context),
        Node::Not(inner) => Ok(Predicate::Not(Box::new(predicate(inner, context)?))),
        Node::And(terms) => Ok(Predicate::And(predicates(terms, context)?)),
        Node::Or(terms) => Ok(Predicate::Or(predicates(terms, context)?)),
        Node::Call { name, arguments } => call(name, arguments, context),
        // The grammar lets no operand stand as a condition.
        Node::Path(_) | Node::Value(_) | Node::Arithmetic { .. } => Err(Fault::Empty),
    }
}

fn predicates(nodes: &[Node<'_>], context: &mut Context<'_>) -> Result<Vec<Predicate>, Fault> {
    nodes.iter().map(|node| predicate(node, context)).collect()
}

fn operand(node: &Node<'_>, context: &mut Context<'_>) -> Result<Operand, Fault> {
    match node {
        Node::Path(steps) => Ok(Operand::Path(path(steps, context)?)),
        Node::Value(alias) => Ok(Operand::Value(context.value(alias)?.clone())),
        Node::Call { arguments, .. } => {
            let arguments = operands(arguments, context)?;
            let [inner] = take(Function::Size, arguments)?;
            let sized = |value_type| !matches!(value_type, ValueType::N | ValueType::Bool | ValueType::Null);
            check_type(Function::Size.as_str(), &inner, sized)?;
            Ok(Operand::Size(Box::new(inner)))
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

fn compare(
    operator: Comparison,
    left: &Node<'_>,
    right: &Node<'_>,
    context: &mut Context<'_>,
) -> Result<Predicate, Fault> {
    let left = operand(left, context)?;
    let right = operand(right, context)?;
    check_distinct(operator.as_str(), &left, [&right])?;
    if !matches!(operator, Comparison::Equal | Comparison::NotEqual) {
        check_type(operator.as_str(), &left, has_order)?;
        check_type(operator.as_str(), &right, has_order)?;
    }
    Ok(Predicate::Compare { left, operator, right })
}

fn between(node: &Node<'_>, low: &Node<'_>, high: &Node<'_>, context: &mut Context<'_>) -> Result<Predicate, Fault> {
    const NAME: &str = "BETWEEN";
    let operand_read = operand(node, context)?;
    let low = operand(low, context)?;
    let high = operand(high, context)?;
    for each in [&operand_read, &low, &high] {
        check_type(NAME, each, has_order)?;
    }
    check_distinct(NAME, &operand_read, [&low, &high])?;
    if let (Operand::Value(low), Operand::Value(high)) = (&low, &high) {
        if low.value_type() != high.value_type() {
            return Err(Fault::BoundTypes(low.clone(), high.clone()));
        }
        if compare_in_order(low, high).is_some_and(std::cmp::Ordering::is_gt) {
            return Err(Fault::BoundOrder(low.clone(), high.clone()));
        }
    }
    Ok(Predicate::Between { operand: operand_read, low, high })
}

fn is_in(node: &Node<'_>, candidates: &[Node<'_>], context: &mut Context<'_>) -> Result<Predicate, Fault> {
    let operand_read = operand(node, context)?;
    let candidates = operands(candidates, context)?;
    check_distinct("IN", &operand_read, &candidates)?;
    if candidates.len() > limits::IN_OPERANDS {
        return Err(Fault::TooManyCandidates(candidates.len()));
    }
    Ok(Predicate::In { operand: operand_read, candidates })
}

fn call(name: &str, arguments: &[Node<'_>], context: &mut Context<'_>) -> Result<Predicate, Fault> {
    let function = Function::parse(name).ok_or_else(|| Fault::UnknownFunction(name.to_owned()))?;
    let arguments = operands(arguments, context)?;
    if arguments.len() != function.arity() {
        return Err(Fault::OperandCount { function: function.as_str(), count: arguments.len() });
    }
    match function {
        Function::AttributeExists => Ok(Predicate::AttributeExists(path_operand(function, arguments)?)),
        Function::AttributeNotExists => Ok(Predicate::AttributeNotExists(path_operand(function, arguments)?)),
        Function::AttributeType => {
            let [operand, value_type] = take(function, arguments)?;
            check_distinct(function.as_str(), &operand, [&value_type])?;
            Ok(Predicate::AttributeType { operand, value_type: named_type(&value_type)? })
        }
        Function::BeginsWith => {
            let [operand, prefix] = take(function, arguments)?;
            check_distinct(function.as_str(), &operand, [&prefix])?;
            for each in [&operand, &prefix] {
                check_type(function.as_str(), each, |found| matches!(found, ValueType::S | ValueType::B))?;
            }
            Ok(Predicate::BeginsWith { operand, prefix })
        }
        Function::Contains => {
            let [operand, element] = take(function, arguments)?;
            check_distinct(function.as_str(), &operand, [&element])?;
            Ok(Predicate::Contains { operand, element })
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

fn has_order(value_type: ValueType) -> bool {
    matches!(value_type, ValueType::S | ValueType::N | ValueType::B)
}

/// Refuses an operand whose type is known and not `allowed`.
fn check_type(operator: &'static str, operand: &Operand, allowed: impl Fn(ValueType) -> bool) -> Result<(), Fault> {
    match operand.known_type() {
        Some(found) if !allowed(found) => Err(Fault::OperandType { operator, found: found.as_str().to_owned() }),
        _ => Ok(()),
    }
}

/// Refuses an operator that is given one path twice.
fn check_distinct<'o>(
    operator: &'static str,
    first: &Operand,
    rest: impl IntoIterator<Item = &'o Operand>,
) -> Result<(), Fault> {
    if let Operand::Path(path) = first
        && rest.into_iter().any(|other| other == first)
    {
        return Err(Fault::SameOperand { operator, path: PathText(path.clone()) });
    }
    Ok(())
}
