//! Checks the operands of conditions: by the parser as it builds a tree, and by [`Condition::check`] for a tree that
//! was built without text.

use crate::error::ServiceError;
use crate::limits;
use crate::value::ValueType;

use super::condition::{Condition, ConditionKind, Operand};
use super::evaluate::compare_in_order;
use super::fault::{Fault, PathText};
use super::function::Function;
use super::operators;

impl Condition {
    /// Refuses what the service would refuse of the printed condition: operands of a wrong type, one path twice, bounds
    /// in the wrong order, too many operands or operators.
    pub fn check(&self, kind: ConditionKind) -> Result<(), ServiceError> {
        self.check_tree().map_err(|fault| fault.in_expression(kind.into()))
    }

    pub(super) fn check_tree(&self) -> Result<(), Fault> {
        let mut operator_count = 0;
        self.check_below(&mut operator_count)?;
        if operator_count > limits::EXPRESSION_OPERATORS { Err(operators::too_many()) } else { Ok(()) }
    }

    fn check_below(&self, operator_count: &mut usize) -> Result<(), Fault> {
        match self {
            Self::And(terms) | Self::Or(terms) => {
                *operator_count += terms.len().saturating_sub(1);
                return terms.iter().try_for_each(|term| term.check_below(operator_count));
            }
            Self::Not(inner) => inner.check_below(operator_count)?,
            _ => {
                for operand in self.operands() {
                    operand.check_size_operand()?;
                    *operator_count += operand.size_calls();
                }
                self.check_operands()?;
            }
        }
        *operator_count += 1;
        Ok(())
    }

    /// Checks the operands of the operator or function at the root, in the service's order.
    pub(super) fn check_operands(&self) -> Result<(), Fault> {
        let name = self.operator();
        match self {
            Self::Compare { left, operator, right } => {
                check_distinct(name, left, [right])?;
                if operator.is_order() {
                    check_type(name, left, has_order)?;
                    check_type(name, right, has_order)?;
                }
                Ok(())
            }
            Self::Between { operand, low, high } => {
                for each in [operand, low, high] {
                    check_type(name, each, has_order)?;
                }
                check_distinct(name, operand, [low, high])?;
                check_bounds(low, high)
            }
            Self::In { operand, candidates } => {
                check_distinct(name, operand, candidates)?;
                match candidates.len() {
                    count if count > limits::IN_OPERANDS => Err(Fault::TooManyCandidates(count)),
                    _ => Ok(()),
                }
            }
            Self::BeginsWith { operand, prefix } => {
                check_distinct(name, operand, [prefix])?;
                for each in [operand, prefix] {
                    check_type(name, each, |found| matches!(found, ValueType::S | ValueType::B))?;
                }
                Ok(())
            }
            Self::Contains { operand, element } => check_distinct(name, operand, [element]),
            Self::AttributeExists(_)
            | Self::AttributeNotExists(_)
            | Self::AttributeType { .. }
            | Self::Not(_)
            | Self::And(_)
            | Self::Or(_) => Ok(()),
        }
    }
}

impl Operand {
    /// `size` takes what has one.
    pub(super) fn check_size_operand(&self) -> Result<(), Fault> {
        let Self::Size(inner) = self else { return Ok(()) };
        inner.check_size_operand()?;
        let sized = |value_type| !matches!(value_type, ValueType::N | ValueType::Bool | ValueType::Null);
        check_type(Function::Size.as_str(), inner, sized)
    }

    fn size_calls(&self) -> usize {
        match self {
            Self::Size(inner) => 1 + inner.size_calls(),
            Self::Path(_) | Self::Value(_) => 0,
        }
    }
}

fn check_bounds(low: &Operand, high: &Operand) -> Result<(), Fault> {
    let (Operand::Value(low), Operand::Value(high)) = (low, high) else { return Ok(()) };
    if low.value_type() != high.value_type() {
        return Err(Fault::BoundTypes(low.clone(), high.clone()));
    }
    if compare_in_order(low, high).is_some_and(std::cmp::Ordering::is_gt) {
        return Err(Fault::BoundOrder(low.clone(), high.clone()));
    }
    Ok(())
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
pub(super) fn check_distinct<'o>(
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
