//! Text to an update's typed tree.

use crate::error::ServiceError;
use crate::value::ValueType;

use super::check::{check_distinct, check_types, check_value_action};
use super::{SetAction, SetValue, Update, UpdateOperand, ValueAction};
use crate::expression::context::Context;
use crate::expression::fault::{ExpressionKind, Fault};
use crate::expression::function::Function;
use crate::expression::lexer::TokenKind;
use crate::expression::path::Path;
use crate::expression::syntax::{Grammar, Node, Parser, Step};
use crate::expression::{check_size, operators, resolve, words};

/// One of the four kinds of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Set,
    Remove,
    Add,
    Delete,
}

impl Section {
    fn as_str(self) -> &'static str {
        match self {
            Self::Set => "SET",
            Self::Remove => "REMOVE",
            Self::Add => "ADD",
            Self::Delete => "DELETE",
        }
    }

    fn from_token(kind: TokenKind) -> Option<Self> {
        Some(match kind {
            TokenKind::Set => Self::Set,
            TokenKind::Remove => Self::Remove,
            TokenKind::Add => Self::Add,
            TokenKind::Delete => Self::Delete,
            _ => return None,
        })
    }
}

/// One change as it is written.
struct Action<'t> {
    section: Section,
    /// Whether it begins its section.
    first: bool,
    path: Vec<Step<'t>>,
    /// What REMOVE has none of.
    value: Option<Node<'t>>,
}

impl Update {
    /// Parses an expression with the checks and the error texts of the service.
    pub fn parse(text: &str, context: &mut Context<'_>) -> Result<Self, ServiceError> {
        parse(text, context).map_err(|fault| fault.in_expression(ExpressionKind::Update))
    }
}

fn parse(text: &str, context: &mut Context<'_>) -> Result<Update, Fault> {
    check_size(text)?;
    let mut parser = Parser::new(text);
    let actions = read_actions(&mut parser)?;
    check_sections(&actions)?;
    if parser.is_too_deep() {
        return Err(operators::too_many());
    }
    let paths: Vec<&[Step<'_>]> = actions.iter().map(|action| action.path.as_slice()).collect();
    let (paths, _) = resolve::distinct_paths(&paths, context)?;
    let update = resolve_actions(&actions, paths, context)?;
    operators::check_count(actions.iter().filter_map(|action| action.value.as_ref()))?;
    Ok(update)
}

fn read_actions<'t>(parser: &mut Parser<'t>) -> Result<Vec<Action<'t>>, Fault> {
    let mut actions = Vec::new();
    loop {
        let Some(section) = Section::from_token(parser.peek()) else {
            if parser.peek() == TokenKind::End && !actions.is_empty() {
                return Ok(actions);
            }
            return Err(parser.syntax_error());
        };
        let mut first = true;
        // The keyword of the section, then the commas between its actions.
        while first || parser.peek() == TokenKind::Comma {
            parser.advance();
            let path = parser.path()?;
            let value = match section {
                Section::Set => {
                    parser.expect(TokenKind::Equal)?;
                    Some(parser.expression(Grammar::Value)?)
                }
                Section::Remove => None,
                Section::Add | Section::Delete => Some(Node::Value(parser.value_alias()?)),
            };
            actions.push(Action { section, first, path, value });
            first = false;
        }
    }
}

/// Checks the words of the sections, and that each is there once, from left to right.
fn check_sections(actions: &[Action<'_>]) -> Result<(), Fault> {
    let mut seen: Vec<Section> = Vec::new();
    for section in actions.chunk_by(|_, next| !next.first) {
        for action in section {
            words::check_path(&action.path)?;
            action.value.as_ref().map_or(Ok(()), words::check_value)?;
        }
        if let Some(action) = section.first() {
            if seen.contains(&action.section) {
                return Err(Fault::RepeatedSection(action.section.as_str()));
            }
            seen.push(action.section);
        }
    }
    Ok(())
}

/// Looks up and checks the values, from the last action to the first as the service does.
fn resolve_actions(actions: &[Action<'_>], paths: Vec<Path>, context: &mut Context<'_>) -> Result<Update, Fault> {
    let mut update = Update { set: Vec::new(), remove: Vec::new(), add: Vec::new(), delete: Vec::new() };
    for (action, path) in actions.iter().zip(paths).rev() {
        match (action.section, &action.value) {
            (Section::Set, Some(node)) => update.set.push(SetAction { path, value: set_value(node, context)? }),
            (Section::Add, Some(node)) => update.add.push(value_action(Section::Add, path, node, context)?),
            (Section::Delete, Some(node)) => update.delete.push(value_action(Section::Delete, path, node, context)?),
            (_, _) => update.remove.push(path),
        }
    }
    update.set.reverse();
    update.remove.reverse();
    update.add.reverse();
    update.delete.reverse();
    Ok(update)
}

fn value_action(
    section: Section,
    path: Path,
    node: &Node<'_>,
    context: &mut Context<'_>,
) -> Result<ValueAction, Fault> {
    // The grammar has an alias alone here.
    let Node::Value(alias) = node else { return Err(Fault::Empty) };
    let action = ValueAction { path, value: context.value(alias)?.clone() };
    check_value_action(section.as_str(), &action)?;
    Ok(action)
}

fn set_value(node: &Node<'_>, context: &mut Context<'_>) -> Result<SetValue, Fault> {
    let Node::Arithmetic { operator, left, right } = node else {
        return Ok(SetValue::Operand(operand(node, context)?));
    };
    let left = operand(left, context)?;
    let right = operand(right, context)?;
    check_types(operator.as_str(), [&left, &right], ValueType::N)?;
    Ok(SetValue::Arithmetic { left, operator: *operator, right })
}

fn operand(node: &Node<'_>, context: &mut Context<'_>) -> Result<UpdateOperand, Fault> {
    match node {
        Node::Path(steps) => Ok(UpdateOperand::Path(resolve::path(steps, context)?)),
        Node::Value(alias) => Ok(UpdateOperand::Value(context.value(alias)?.clone())),
        Node::Call { name, arguments } => {
            let function = Function::parse(name).ok_or_else(|| Fault::UnknownFunction((*name).to_owned()))?;
            let arguments = arguments.iter().map(|node| operand(node, context)).collect::<Result<Vec<_>, _>>()?;
            call(function, arguments)
        }
        // The grammar lets nothing else stand as an operand.
        _ => Err(Fault::Empty),
    }
}

fn call(function: Function, arguments: Vec<UpdateOperand>) -> Result<UpdateOperand, Fault> {
    let [first, second] = arguments.try_into().map_err(|arguments: Vec<UpdateOperand>| Fault::OperandCount {
        function: function.as_str(),
        count: arguments.len(),
    })?;
    if function == Function::ListAppend {
        check_types(function.as_str(), [&first, &second], ValueType::L)?;
        return Ok(UpdateOperand::ListAppend { first: Box::new(first), second: Box::new(second) });
    }
    let UpdateOperand::Path(path) = first else { return Err(Fault::PathRequired(function.as_str())) };
    check_distinct(&path, &second)?;
    Ok(UpdateOperand::IfNotExists { path, otherwise: Box::new(second) })
}
