//! Text to an update's typed tree.

use crate::error::ServiceError;
use crate::value::ValueType;

use super::{SetAction, SetValue, Update, UpdateOperand, ValueAction};
use crate::expression::context::Context;
use crate::expression::fault::{ExpressionKind, Fault, PathText};
use crate::expression::function::Function;
use crate::expression::lexer::TokenKind;
use crate::expression::overlap::PathSet;
use crate::expression::syntax::{Grammar, Node, Parser, Step};
use crate::expression::{check_size, resolve, words};

/// The sections as they are written.
#[derive(Default)]
struct Sections<'t> {
    set: Option<Vec<(Vec<Step<'t>>, Node<'t>)>>,
    remove: Option<Vec<Vec<Step<'t>>>>,
    add: Option<Vec<(Vec<Step<'t>>, &'t str)>>,
    delete: Option<Vec<(Vec<Step<'t>>, &'t str)>>,
    repeated: Option<&'static str>,
}

impl Update {
    pub fn parse(text: &str, context: &mut Context<'_>) -> Result<Self, ServiceError> {
        parse(text, context).map_err(|fault| fault.in_expression(ExpressionKind::Update))
    }
}

fn parse(text: &str, context: &mut Context<'_>) -> Result<Update, Fault> {
    check_size(text)?;
    let mut parser = Parser::new(text);
    let sections = Sections::read(&mut parser)?;
    if parser.redundant_parentheses {
        return Err(Fault::RedundantParentheses);
    }
    if let Some(section) = sections.repeated {
        return Err(Fault::RepeatedSection(section));
    }
    sections.check_words()?;
    sections.resolve(context)
}

impl<'t> Sections<'t> {
    fn read(parser: &mut Parser<'t>) -> Result<Self, Fault> {
        let mut sections = Self::default();
        loop {
            match parser.peek() {
                TokenKind::Set => {
                    let read = list(parser, |parser| {
                        let path = parser.path()?;
                        parser.expect(TokenKind::Equal)?;
                        Ok((path, parser.expression(Grammar::Value)?))
                    })?;
                    note(&mut sections.set, read, "SET", &mut sections.repeated);
                }
                TokenKind::Remove => {
                    let read = list(parser, Parser::path)?;
                    note(&mut sections.remove, read, "REMOVE", &mut sections.repeated);
                }
                TokenKind::Add => {
                    let read = list(parser, |parser| Ok((parser.path()?, parser.value_alias()?)))?;
                    note(&mut sections.add, read, "ADD", &mut sections.repeated);
                }
                TokenKind::Delete => {
                    let read = list(parser, |parser| Ok((parser.path()?, parser.value_alias()?)))?;
                    note(&mut sections.delete, read, "DELETE", &mut sections.repeated);
                }
                TokenKind::End if !sections.is_empty() => return Ok(sections),
                _ => return Err(parser.syntax_error()),
            }
        }
    }

    fn is_empty(&self) -> bool {
        self.set.is_none() && self.remove.is_none() && self.add.is_none() && self.delete.is_none()
    }

    fn check_words(&self) -> Result<(), Fault> {
        for (path, value) in self.set.iter().flatten() {
            words::check_path(path)?;
            words::check_value(value)?;
        }
        let remove = self.remove.iter().flatten();
        let values = self.add.iter().flatten().chain(self.delete.iter().flatten()).map(|(path, _)| path);
        remove.chain(values).try_for_each(|path| words::check_path(path))
    }

    fn resolve(self, context: &mut Context<'_>) -> Result<Update, Fault> {
        let mut set = Vec::new();
        for (path, value) in self.set.into_iter().flatten() {
            set.push(SetAction { path: resolve::path(&path, context)?, value: set_value(&value, context)? });
        }
        let mut remove = Vec::new();
        for path in self.remove.into_iter().flatten() {
            remove.push(resolve::path(&path, context)?);
        }
        let add = value_actions("ADD", self.add, context, |found| {
            matches!(found, ValueType::N | ValueType::Ss | ValueType::Ns | ValueType::Bs)
        })?;
        let delete = value_actions("DELETE", self.delete, context, |found| {
            matches!(found, ValueType::Ss | ValueType::Ns | ValueType::Bs)
        })?;
        let mut update = Update { set, remove, add, delete, touched: PathSet::default() };
        update.touched = PathSet::of(update.paths())?;
        Ok(update)
    }
}

/// Reads the keyword of a section and what follows it, separated by commas.
fn list<'t, T>(
    parser: &mut Parser<'t>,
    mut read: impl FnMut(&mut Parser<'t>) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    parser.advance();
    let mut all = vec![read(parser)?];
    while parser.peek() == TokenKind::Comma {
        parser.advance();
        all.push(read(parser)?);
    }
    Ok(all)
}

/// Keeps a section, or remembers that there was one before.
fn note<T>(section: &mut Option<T>, read: T, name: &'static str, repeated: &mut Option<&'static str>) {
    if section.is_none() {
        *section = Some(read);
    } else {
        repeated.get_or_insert(name);
    }
}

fn value_actions(
    section: &'static str,
    written: Option<Vec<(Vec<Step<'_>>, &str)>>,
    context: &mut Context<'_>,
    allowed: impl Fn(ValueType) -> bool,
) -> Result<Vec<ValueAction>, Fault> {
    let mut actions = Vec::new();
    for (path, alias) in written.into_iter().flatten() {
        let path = resolve::path(&path, context)?;
        let value = context.value(alias)?;
        if !allowed(value.value_type()) {
            return Err(Fault::SectionOperandType { section, found: value.value_type() });
        }
        actions.push(ValueAction { path, value: value.clone() });
    }
    Ok(actions)
}

fn set_value(node: &Node<'_>, context: &mut Context<'_>) -> Result<SetValue, Fault> {
    let Node::Arithmetic { operator, left, right } = node else {
        return Ok(SetValue::Operand(operand(node, context)?));
    };
    let left = operand(left, context)?;
    let right = operand(right, context)?;
    for each in [&left, &right] {
        check_type(operator.as_str(), each, ValueType::N)?;
    }
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
        for each in [&first, &second] {
            check_type(function.as_str(), each, ValueType::L)?;
        }
        return Ok(UpdateOperand::ListAppend { first: Box::new(first), second: Box::new(second) });
    }
    let UpdateOperand::Path(path) = first else { return Err(Fault::PathRequired(function.as_str())) };
    if matches!(&second, UpdateOperand::Path(other) if *other == path) {
        return Err(Fault::SameOperand { operator: function.as_str(), path: PathText(path) });
    }
    Ok(UpdateOperand::IfNotExists { path, otherwise: Box::new(second) })
}

/// Refuses an operand whose type is known and not the one wanted.
fn check_type(operator: &'static str, operand: &UpdateOperand, wanted: ValueType) -> Result<(), Fault> {
    match operand.known_type() {
        Some(found) if found != wanted => Err(Fault::OperandType { operator, found: found.as_str().to_owned() }),
        _ => Ok(()),
    }
}

impl UpdateOperand {
    /// The type it has whatever the item is.
    fn known_type(&self) -> Option<ValueType> {
        match self {
            Self::Path(_) | Self::IfNotExists { .. } => None,
            Self::Value(value) => Some(value.value_type()),
            Self::ListAppend { .. } => Some(ValueType::L),
        }
    }
}
