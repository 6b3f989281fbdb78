//! Checks the operands of updates: by the parser as it builds a tree, and for a tree that is built without text.

use crate::limits;
use crate::value::ValueType;

use super::{SetValue, Update, UpdateOperand, ValueAction};
use crate::expression::fault::{Fault, PathText};
use crate::expression::function::Function;
use crate::expression::operators;
use crate::expression::overlap::PathSet;
use crate::expression::path::Path;

const ADD: &str = "ADD";
const DELETE: &str = "DELETE";

/// Checks an update that was built without text.
pub(super) fn check(update: &Update) -> Result<(), Fault> {
    if update.paths().next().is_none() {
        return Err(Fault::Empty);
    }
    check_overlap(update)?;
    let mut operator_count = 0;
    for action in &update.set {
        operator_count += check_set_value(&action.value)?;
    }
    update.add.iter().try_for_each(|action| check_value_action(ADD, action))?;
    update.delete.iter().try_for_each(|action| check_value_action(DELETE, action))?;
    if operator_count > limits::EXPRESSION_OPERATORS { Err(operators::too_many()) } else { Ok(()) }
}

fn check_overlap(update: &Update) -> Result<(), Fault> {
    let mut roots: Vec<&str> = update.roots().collect();
    roots.sort_unstable();
    // Paths into different attributes never overlap.
    if roots.is_sorted_by(|one, two| one < two) {
        return Ok(());
    }
    let mut set = PathSet::default();
    let paths: Vec<&Path> = update.paths().collect();
    for (index, path) in paths.iter().enumerate() {
        if let Err(clash) = set.insert(path) {
            let earlier = paths.iter().take(index).find(|earlier| clash.involves(earlier, path)).unwrap_or(path);
            return Err(clash.fault(earlier, path));
        }
    }
    Ok(())
}

/// How many operators and functions the right side of SET has.
fn check_set_value(value: &SetValue) -> Result<usize, Fault> {
    match value {
        SetValue::Operand(operand) => check_operand(operand),
        SetValue::Arithmetic { left, operator, right } => {
            let count = check_operand(left)? + check_operand(right)? + 1;
            check_types(operator.as_str(), [left, right], ValueType::N)?;
            Ok(count)
        }
    }
}

fn check_operand(operand: &UpdateOperand) -> Result<usize, Fault> {
    match operand {
        UpdateOperand::Path(_) | UpdateOperand::Value(_) => Ok(0),
        UpdateOperand::IfNotExists { path, otherwise } => {
            let count = check_operand(otherwise)? + 1;
            check_distinct(path, otherwise)?;
            Ok(count)
        }
        UpdateOperand::ListAppend { first, second } => {
            let count = check_operand(first)? + check_operand(second)? + 1;
            check_types(Function::ListAppend.as_str(), [first, second], ValueType::L)?;
            Ok(count)
        }
    }
}

/// `if_not_exists` is not given one path twice.
pub(super) fn check_distinct(path: &Path, otherwise: &UpdateOperand) -> Result<(), Fault> {
    match otherwise {
        UpdateOperand::Path(other) if other == path => {
            Err(Fault::SameOperand { operator: Function::IfNotExists.as_str(), path: PathText(path.clone()) })
        }
        _ => Ok(()),
    }
}

/// Refuses operands whose type is known and not the one wanted.
pub(super) fn check_types(
    operator: &'static str,
    operands: [&UpdateOperand; 2],
    wanted: ValueType,
) -> Result<(), Fault> {
    for operand in operands {
        match operand.known_type() {
            Some(found) if found != wanted => {
                return Err(Fault::OperandType { operator, found: found.as_str().to_owned() });
            }
            _ => {}
        }
    }
    Ok(())
}

/// ADD takes numbers and sets, DELETE takes sets.
pub(super) fn check_value_action(section: &'static str, action: &ValueAction) -> Result<(), Fault> {
    let found = action.value.value_type();
    match found {
        ValueType::Ss | ValueType::Ns | ValueType::Bs => Ok(()),
        ValueType::N if section == ADD => Ok(()),
        _ => Err(Fault::SectionOperandType { section, found }),
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
