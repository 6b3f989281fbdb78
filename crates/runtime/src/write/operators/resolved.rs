//! Operators with their paths and types, as the design declares them.

use std::collections::BTreeSet;

use keyfold_design::model::{
    AttributeType, Bound, Declared, Entity, LARGEST_EXACT_INTEGER, PathError, Unit, path_text,
};
use keyfold_dynamo::expression::Path;
use keyfold_dynamo::{AttributeValue, Attributes, Number};

use super::{Operator, OperatorAction, Operators};
use crate::error::Error;

/// The most operators of a patch: DynamoDB takes 300 operators in an expression, and each may need several.
const MOST: usize = 100;

/// The operators of a patch on an entity. Each fits the type of its value; whether it fits the stored value, and the
/// result the bounds, is checked later.
#[derive(Debug, Default)]
pub(crate) struct Resolved<'o> {
    pub list: Vec<ResolvedOperator<'o>>,
}

/// An operator with its path.
#[derive(Debug)]
pub(crate) struct ResolvedOperator<'o> {
    pub path: Path,
    /// What the design declares at each place of the path, from the attribute on.
    pub along: Vec<Declared<'o>>,
    /// The bounds of the value, and of what JSON readers keep exactly.
    pub bounds: Vec<Bound>,
    pub action: ResolvedAction<'o>,
}

/// What an operator does. Subtracting a number is adding its opposite.
#[derive(Debug)]
pub(crate) enum ResolvedAction<'o> {
    Set(&'o AttributeValue),
    Remove,
    AddNumber(Number),
    AddMembers(&'o AttributeValue),
    RemoveMembers(&'o AttributeValue),
    Append(&'o [AttributeValue]),
    Prepend(&'o [AttributeValue]),
}

impl Operators {
    /// Moves what replaces or removes a whole attribute to the attributes that the patch gives.
    pub(crate) fn move_attributes(&mut self, entity: &Entity, given: &mut Attributes) -> Result<(), Error> {
        let mut nested = Vec::with_capacity(self.list.len());
        for Operator { path, action } in std::mem::take(&mut self.list) {
            let found = entity.value_path(&path).map_err(|error| path_error(&path, &error))?;
            let value = match action {
                OperatorAction::Set(value) if found.is_top_level() => value,
                OperatorAction::Remove if found.is_top_level() => AttributeValue::Null,
                action => {
                    nested.push(Operator { path, action });
                    continue;
                }
            };
            if given.insert(found.root, value).is_some() {
                return Err(changed_twice(&path));
            }
        }
        self.list = nested;
        Ok(())
    }

    /// The operators on an entity. `given` are the other attributes of the patch.
    pub(crate) fn resolve<'o>(&'o self, entity: &'o Entity, given: &Attributes) -> Result<Resolved<'o>, Error> {
        if self.list.len() > MOST {
            return Err(Error::Invalid(format!("a patch takes at most {MOST} operators")));
        }
        let mut list: Vec<ResolvedOperator<'o>> = Vec::with_capacity(self.list.len());
        for operator in &self.list {
            let path = entity.value_path(&operator.path).map_err(|error| path_error(&operator.path, &error))?;
            if entity.identity.contains(&path.root) {
                let message = format!("`{}` identifies the {}: operators cannot change it", path.root, entity.name);
                return Err(Error::constraint(path.root.clone(), Some(&path.root), message));
            }
            let along = entity.declared_along(&path).map_err(|error| path_error(&operator.path, &error))?;
            let overlaps = list.iter().any(|other| overlap(&other.path, &path));
            if overlaps || given.contains_key(&path.root) {
                return Err(changed_twice(&operator.path));
            }
            let action = resolve_action(&operator.action, &path, &along)?;
            let declared = along.last().copied().unwrap_or(Declared::Value(&AttributeType::Any));
            let mut bounds = declared.bounds().to_vec();
            if self.exact_integers && *declared.value_type() == AttributeType::Integer {
                bounds.extend(exact_bounds());
            }
            list.push(ResolvedOperator { path, along, bounds, action });
        }
        Ok(Resolved { list })
    }
}

impl Resolved<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The attributes that change.
    pub(crate) fn roots(&self) -> BTreeSet<&str> {
        self.list.iter().map(|operator| operator.path.root.as_str()).collect()
    }

    pub(crate) fn changes(&self, attribute: &str) -> bool {
        self.list.iter().any(|operator| operator.path.root == attribute)
    }
}

impl<'o> ResolvedOperator<'o> {
    /// What the design declares of the value itself.
    pub(crate) fn declared(&self) -> Declared<'o> {
        self.along.last().copied().unwrap_or(Declared::Value(&AttributeType::Any))
    }

    /// What the design declares of what is around the value, from the attribute on.
    pub(crate) fn around(&self) -> &[Declared<'o>] {
        self.along.split_last().map_or(&[], |(_, around)| around)
    }
}

/// The integers that JSON readers keep exactly.
fn exact_bounds() -> [Bound; 2] {
    let bound = |at_least: bool, limit: i64| Bound { at_least, limit: Number::from(limit), unit: Unit::Value };
    [bound(true, -LARGEST_EXACT_INTEGER), bound(false, LARGEST_EXACT_INTEGER)]
}

/// The error about the value at a path. The field of the error is the whole path.
pub(super) fn at_path(path: &Path, message: String) -> Error {
    Error::constraint(path_text(path), Some(&path_text(path)), message)
}

fn path_error(path: &str, error: &PathError) -> Error {
    match error {
        PathError::Malformed(_) => Error::Invalid(error.to_string()),
        PathError::Unknown { path, .. } => Error::constraint(path.clone(), Some(path), error.to_string()),
        PathError::NotNested { .. } => Error::constraint(path, Some(path), error.to_string()),
    }
}

fn changed_twice(path: &str) -> Error {
    Error::Invalid(format!("the patch changes `{path}` twice"))
}

/// Whether one path leads to the value at the other, or into it.
fn overlap(one: &Path, other: &Path) -> bool {
    one.root == other.root && one.rest.iter().zip(&other.rest).all(|(one, other)| one == other)
}

fn resolve_action<'o>(
    action: &'o OperatorAction,
    path: &Path,
    along: &[Declared<'o>],
) -> Result<ResolvedAction<'o>, Error> {
    let declared = along.last().copied().unwrap_or(Declared::Value(&AttributeType::Any));
    let value_type = declared.value_type();
    Ok(match action {
        OperatorAction::Set(AttributeValue::Null) if *value_type != AttributeType::Any => {
            require_removable(declared, path)?;
            ResolvedAction::Remove
        }
        OperatorAction::Set(value) => {
            declared.check(path, value)?;
            ResolvedAction::Set(value)
        }
        OperatorAction::Remove => {
            require_removable(declared, path)?;
            ResolvedAction::Remove
        }
        OperatorAction::Add(AttributeValue::N(by)) => {
            require_number(value_type, by, path, action.name())?;
            ResolvedAction::AddNumber(*by)
        }
        OperatorAction::Subtract(AttributeValue::N(by)) => {
            require_number(value_type, by, path, action.name())?;
            let opposite = Number::ZERO.checked_sub(by).map_err(|error| Error::Invalid(error.to_string()))?;
            ResolvedAction::AddNumber(opposite)
        }
        OperatorAction::Add(members) => {
            require_members(value_type, members, path, action.name())?;
            ResolvedAction::AddMembers(members)
        }
        OperatorAction::Subtract(members) => {
            require_members(value_type, members, path, action.name())?;
            ResolvedAction::RemoveMembers(members)
        }
        OperatorAction::Append(elements) => {
            require_elements(value_type, elements, path, action.name())?;
            ResolvedAction::Append(elements)
        }
        OperatorAction::Prepend(elements) => {
            require_elements(value_type, elements, path, action.name())?;
            ResolvedAction::Prepend(elements)
        }
    })
}

fn require_removable(declared: Declared<'_>, path: &Path) -> Result<(), Error> {
    if declared.may_be_absent() {
        return Ok(());
    }
    Err(at_path(path, format!("`{}` is required", path_text(path))))
}

fn unsuitable(value_type: &AttributeType, path: &Path, operator: &str, wanted: &str) -> Error {
    let text = path_text(path);
    at_path(path, format!("`{operator}` takes {wanted}, but `{text}` is {}", value_type.rule()))
}

fn require_number(value_type: &AttributeType, by: &Number, path: &Path, operator: &str) -> Result<(), Error> {
    let whole = match value_type {
        AttributeType::Number | AttributeType::Any => false,
        AttributeType::Integer | AttributeType::Expiry(_) => true,
        AttributeType::StringSet | AttributeType::NumberSet => {
            return Err(at_path(path, format!("`{operator}` needs a list of members for `{}`", path_text(path))));
        }
        other => return Err(unsuitable(other, path, operator, "a number or a set")),
    };
    if whole && !by.is_whole() {
        return Err(at_path(path, format!("`{operator}` needs a whole number for `{}`, not `{by}`", path_text(path))));
    }
    Ok(())
}

fn require_members(
    value_type: &AttributeType,
    members: &AttributeValue,
    path: &Path,
    operator: &str,
) -> Result<(), Error> {
    let is_set = |value: &AttributeValue| match value {
        AttributeValue::Ss(set) => !set.is_empty(),
        AttributeValue::Ns(set) => !set.is_empty(),
        AttributeValue::Bs(set) => !set.is_empty(),
        _ => false,
    };
    match (value_type, members) {
        (AttributeType::StringSet, AttributeValue::Ss(_))
        | (AttributeType::NumberSet, AttributeValue::Ns(_))
        | (AttributeType::Any, _)
            if is_set(members) =>
        {
            Ok(())
        }
        (AttributeType::StringSet | AttributeType::NumberSet, _) => {
            let message =
                format!("`{operator}` needs {} with at least one member for `{}`", value_type.rule(), path_text(path));
            Err(at_path(path, message))
        }
        (AttributeType::Integer | AttributeType::Number | AttributeType::Expiry(_) | AttributeType::Any, _) => {
            Err(at_path(path, format!("`{operator}` needs a number for `{}`", path_text(path))))
        }
        (other, _) => Err(unsuitable(other, path, operator, "a number or a set")),
    }
}

fn require_elements(
    value_type: &AttributeType,
    elements: &[AttributeValue],
    path: &Path,
    operator: &str,
) -> Result<(), Error> {
    let element = match value_type {
        AttributeType::List(Some(element)) => element.as_ref(),
        AttributeType::List(None) | AttributeType::Any => &AttributeType::Any,
        other => return Err(unsuitable(other, path, operator, "a list")),
    };
    elements.iter().try_for_each(|value| element.check(&path_text(path), value)).map_err(Error::from)
}
