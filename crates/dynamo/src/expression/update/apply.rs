//! Applies an update to an item.
//!
//! Everything is read from the old item. What lists hold keeps its old position until the end: first values are
//! written, from low indexes to high ones, so that indexes past the end append in their order; then what is removed
//! is removed, from high indexes to low ones.

use std::borrow::Cow;

use crate::error::ServiceError;
use crate::number::Number;
use crate::value::{AttributeValue, Attributes};

use super::{SetValue, Update, UpdateOperand};
use crate::expression::path::{Path, PathStep};
use crate::expression::syntax::Arithmetic;

/// The outcome of an update.
#[derive(Debug, Clone, PartialEq)]
pub struct Updated {
    /// The item after the update.
    pub item: Attributes,
}

impl Update {
    /// The item after the update. `old` is the stored item, or the bare key of one that does not exist.
    pub fn apply(&self, old: &Attributes) -> Result<Updated, ServiceError> {
        let mut writes: Vec<(&Path, AttributeValue)> = Vec::new();
        let mut removals: Vec<&Path> = Vec::new();
        for action in &self.set {
            check_parent(&action.path, old)?;
            writes.push((&action.path, action.value.evaluate(old)?.into_owned()));
        }
        for path in &self.remove {
            check_parent(path, old)?;
            removals.push(path);
        }
        for action in &self.add {
            check_parent(&action.path, old)?;
            let sum = match action.path.find(old) {
                None => action.value.clone(),
                Some(before) => add(before, &action.value)?,
            };
            writes.push((&action.path, sum));
        }
        for action in &self.delete {
            check_parent(&action.path, old)?;
            if let Some(before) = action.path.find(old) {
                match subtract_set(before, &action.value)? {
                    Some(rest) => writes.push((&action.path, rest)),
                    None => removals.push(&action.path),
                }
            }
        }
        let mut item = old.clone();
        writes.sort_by(|(one, _), (two, _)| one.rest.cmp(&two.rest));
        for (path, value) in writes {
            write(&mut item, path, value)?;
        }
        removals.retain(|path| path.find(old).is_some());
        removals.sort_by(|one, two| two.rest.cmp(&one.rest));
        for path in removals {
            remove(&mut item, path);
        }
        Ok(Updated { item })
    }
}

impl SetValue {
    fn evaluate<'a>(&'a self, old: &'a Attributes) -> Result<Cow<'a, AttributeValue>, ServiceError> {
        match self {
            Self::Operand(operand) => operand.evaluate(old),
            Self::Arithmetic { left, operator, right } => {
                let (left, right) = (left.number(old)?, right.number(old)?);
                let result = match operator {
                    Arithmetic::Add => left.checked_add(&right),
                    Arithmetic::Subtract => left.checked_sub(&right),
                }?;
                Ok(Cow::Owned(AttributeValue::N(result)))
            }
        }
    }
}

impl UpdateOperand {
    fn evaluate<'a>(&'a self, old: &'a Attributes) -> Result<Cow<'a, AttributeValue>, ServiceError> {
        match self {
            Self::Path(path) => path.find(old).map(Cow::Borrowed).ok_or_else(|| {
                ServiceError::validation(
                    "The provided expression refers to an attribute that does not exist in the item",
                )
            }),
            Self::Value(value) => Ok(Cow::Borrowed(value)),
            Self::IfNotExists { path, otherwise } => {
                // The service evaluates both operands, so that a fault in the second is found in any case.
                let otherwise = otherwise.evaluate(old)?;
                Ok(path.find(old).map_or(otherwise, Cow::Borrowed))
            }
            Self::ListAppend { first, second } => {
                let mut list = first.list(old)?;
                list.extend(second.list(old)?);
                Ok(Cow::Owned(AttributeValue::L(list)))
            }
        }
    }

    fn number(&self, old: &Attributes) -> Result<Number, ServiceError> {
        match self.evaluate(old)?.as_ref() {
            AttributeValue::N(number) => Ok(*number),
            _ => Err(wrong_type()),
        }
    }

    fn list(&self, old: &Attributes) -> Result<Vec<AttributeValue>, ServiceError> {
        match self.evaluate(old)?.into_owned() {
            AttributeValue::L(list) => Ok(list),
            _ => Err(wrong_type()),
        }
    }
}

fn wrong_type() -> ServiceError {
    ServiceError::validation("An operand in the update expression has an incorrect data type")
}

fn invalid_path() -> ServiceError {
    ServiceError::validation("The document path provided in the update expression is invalid for update")
}

/// ADD to what is there: the sum of numbers, the union of sets.
fn add(before: &AttributeValue, operand: &AttributeValue) -> Result<AttributeValue, ServiceError> {
    Ok(match (before, operand) {
        (AttributeValue::N(before), AttributeValue::N(operand)) => AttributeValue::N(before.checked_add(operand)?),
        (AttributeValue::Ss(before), AttributeValue::Ss(operand)) => AttributeValue::Ss(before | operand),
        (AttributeValue::Ns(before), AttributeValue::Ns(operand)) => AttributeValue::Ns(before | operand),
        (AttributeValue::Bs(before), AttributeValue::Bs(operand)) => AttributeValue::Bs(before | operand),
        _ => return Err(wrong_type()),
    })
}

/// DELETE from a set: what is left, or nothing if the set is emptied, since no set is empty.
fn subtract_set(before: &AttributeValue, operand: &AttributeValue) -> Result<Option<AttributeValue>, ServiceError> {
    let rest = match (before, operand) {
        (AttributeValue::Ss(before), AttributeValue::Ss(operand)) => AttributeValue::Ss(before - operand),
        (AttributeValue::Ns(before), AttributeValue::Ns(operand)) => AttributeValue::Ns(before - operand),
        (AttributeValue::Bs(before), AttributeValue::Bs(operand)) => AttributeValue::Bs(before - operand),
        _ => return Err(wrong_type()),
    };
    let emptied = match &rest {
        AttributeValue::Ss(set) => set.is_empty(),
        AttributeValue::Ns(set) => set.is_empty(),
        AttributeValue::Bs(set) => set.is_empty(),
        _ => false,
    };
    Ok((!emptied).then_some(rest))
}

/// What holds the end of a path, with the last step; `None` for a top-level attribute.
fn parent<'i, 'p>(
    item: &'i mut Attributes,
    path: &'p Path,
) -> Result<Option<(&'i mut AttributeValue, &'p PathStep)>, ServiceError> {
    let Some((last, before)) = path.rest.split_last() else { return Ok(None) };
    let mut value = item.get_mut(&path.root).ok_or_else(invalid_path)?;
    for step in before {
        value = match (step, value) {
            (PathStep::Field(name), AttributeValue::M(map)) => map.get_mut(name),
            (PathStep::Index(index), AttributeValue::L(list)) => list.get_mut(*index),
            _ => None,
        }
        .ok_or_else(invalid_path)?;
    }
    Ok(Some((value, last)))
}

/// The end of a path must be in something that can hold it, also where there is nothing to remove.
fn check_parent(path: &Path, item: &Attributes) -> Result<(), ServiceError> {
    let Some((last, before)) = path.rest.split_last() else { return Ok(()) };
    let root = item.get(&path.root);
    let holder = before.iter().try_fold(root.ok_or_else(invalid_path)?, |value, step| step.find(value));
    match (holder, last) {
        (Some(AttributeValue::M(_)), PathStep::Field(_)) | (Some(AttributeValue::L(_)), PathStep::Index(_)) => Ok(()),
        _ => Err(invalid_path()),
    }
}

fn write(item: &mut Attributes, path: &Path, value: AttributeValue) -> Result<(), ServiceError> {
    match parent(item, path)? {
        None => {
            item.insert(path.root.clone(), value);
        }
        Some((AttributeValue::M(map), PathStep::Field(name))) => {
            map.insert(name.clone(), value);
        }
        Some((AttributeValue::L(list), PathStep::Index(index))) => match list.get_mut(*index) {
            Some(place) => *place = value,
            None => list.push(value),
        },
        Some(_) => return Err(invalid_path()),
    }
    Ok(())
}

/// Removes what is at a path that was found to exist.
fn remove(item: &mut Attributes, path: &Path) {
    match parent(item, path) {
        Ok(None) => {
            item.remove(&path.root);
        }
        Ok(Some((AttributeValue::M(map), PathStep::Field(name)))) => {
            map.remove(name);
        }
        Ok(Some((AttributeValue::L(list), PathStep::Index(index)))) if *index < list.len() => {
            list.remove(*index);
        }
        Ok(Some(_)) | Err(_) => {}
    }
}
