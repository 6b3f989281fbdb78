//! Operators as the clauses of an update, and what must be true of the stored values so that they need not be read.

use keyfold_design::model::{Bound, Unit};
use keyfold_dynamo::expression::{
    Arithmetic, Comparison, Condition, Operand, Path, PathStep, SetAction, SetValue, UpdateOperand, ValueAction,
};
use keyfold_dynamo::{AttributeValue, Number};

use super::resolved::ResolvedAction;
use super::{Resolved, ResolvedOperator};

/// The clauses of an update.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct OperatorClauses {
    pub set: Vec<SetAction>,
    pub remove: Vec<Path>,
    pub add: Vec<ValueAction>,
    pub delete: Vec<ValueAction>,
}

/// The clauses of an update that is sent without reading the item.
#[derive(Debug, Default)]
pub(crate) struct BlindClauses {
    pub clauses: OperatorClauses,
    /// What has to hold, so that the result is right. If one does not, the patch is planned again on the stored item.
    pub conditions: Vec<Condition>,
}

impl OperatorClauses {
    pub(crate) fn is_empty(&self) -> bool {
        self.set.is_empty() && self.remove.is_empty() && self.add.is_empty() && self.delete.is_empty()
    }

    pub(crate) fn extend(&mut self, other: Self) {
        self.set.extend(other.set);
        self.remove.extend(other.remove);
        self.add.extend(other.add);
        self.delete.extend(other.delete);
    }

    /// The attributes that change.
    pub(crate) fn roots(&self) -> impl Iterator<Item = &String> {
        let set = self.set.iter().map(|action| &action.path.root);
        let add = self.add.iter().chain(&self.delete).map(|action| &action.path.root);
        set.chain(self.remove.iter().map(|path| &path.root)).chain(add)
    }
}

impl Resolved<'_> {
    fn clauses(&self) -> OperatorClauses {
        let mut clauses = OperatorClauses::default();
        self.list.iter().for_each(|operator| operator.add_clause(&mut clauses));
        clauses
    }

    /// The clauses, if the stored item need not be read.
    pub(crate) fn blind(&self) -> Option<BlindClauses> {
        let mut blind = BlindClauses { clauses: self.clauses(), conditions: Vec::new() };
        for operator in &self.list {
            blind.conditions.extend(operator.blind_conditions()?);
        }
        Some(blind)
    }
}

impl ResolvedOperator<'_> {
    pub(super) fn add_clause(&self, clauses: &mut OperatorClauses) {
        let path = self.path.clone();
        let value_action = |value: &AttributeValue| ValueAction { path: self.path.clone(), value: value.clone() };
        match &self.action {
            ResolvedAction::Set(value) => {
                let value = SetValue::Operand(UpdateOperand::Value((*value).clone()));
                clauses.set.push(SetAction { path, value });
            }
            ResolvedAction::Remove => clauses.remove.push(path),
            ResolvedAction::AddNumber(by) if path.is_top_level() => {
                clauses.add.push(value_action(&AttributeValue::N(*by)));
            }
            // DynamoDB documents ADD for attributes of the item only.
            ResolvedAction::AddNumber(by) => {
                let left = or_else(&path, AttributeValue::N(Number::ZERO));
                let right = UpdateOperand::Value(AttributeValue::N(*by));
                let value = SetValue::Arithmetic { left, operator: Arithmetic::Add, right };
                clauses.set.push(SetAction { path, value });
            }
            ResolvedAction::AddMembers(members) => clauses.add.push(value_action(members)),
            ResolvedAction::RemoveMembers(members) => clauses.delete.push(value_action(members)),
            ResolvedAction::Append(elements) => {
                let value = joined(list_at(&path), elements_of(elements));
                clauses.set.push(SetAction { path, value });
            }
            ResolvedAction::Prepend(elements) => {
                let value = joined(elements_of(elements), list_at(&path));
                clauses.set.push(SetAction { path, value });
            }
        }
    }

    /// What has to hold, so that the result is within the bounds; `None` if only the stored value tells.
    fn blind_conditions(&self) -> Option<Vec<Condition>> {
        // The number of members or the size of what is around the value may change.
        if self.around().iter().any(|around| !around.bounds().is_empty()) {
            return None;
        }
        let bounds = self.bounds.as_slice();
        match &self.action {
            ResolvedAction::Set(_) => Some(self.existing_element()),
            ResolvedAction::Remove => Some(Vec::new()),
            ResolvedAction::AddNumber(by) => self.sum_conditions(bounds, by),
            // Which members are there already, or are the last, only the stored set tells.
            ResolvedAction::AddMembers(_) => (bounds.is_empty() && self.path.is_top_level()).then(Vec::new),
            ResolvedAction::RemoveMembers(_) => {
                let is_free = bounds.iter().all(|bound| !bound.at_least) && self.declared().may_be_absent();
                (is_free && self.path.is_top_level()).then(Vec::new)
            }
            ResolvedAction::Append(elements) | ResolvedAction::Prepend(elements) => {
                self.length_conditions(bounds, elements.len())
            }
        }
    }

    /// DynamoDB appends what is set behind the end of a list.
    fn existing_element(&self) -> Vec<Condition> {
        match self.path.rest.last() {
            Some(PathStep::Index(_)) => vec![Condition::AttributeExists(self.path.clone())],
            _ => Vec::new(),
        }
    }

    /// The sum is within the bounds.
    fn sum_conditions(&self, bounds: &[Bound], by: &Number) -> Option<Vec<Condition>> {
        let mut conditions = self.existing_element();
        if bounds.is_empty() {
            return Some(conditions);
        }
        let mut terms = Vec::with_capacity(bounds.len());
        for bound in bounds {
            if bound.unit != Unit::Value {
                return None;
            }
            let limit = AttributeValue::N(bound.limit.checked_sub(by).ok()?);
            terms.push(compare(self.operand(), bound.at_least, limit));
        }
        let within = Condition::all(terms)?;
        let from_zero = AttributeValue::N(*by);
        conditions.push(match bounds.iter().all(|bound| bound.admits(&from_zero)) {
            true => Condition::AttributeNotExists(self.path.clone()).or(within),
            false => within,
        });
        Some(conditions)
    }

    /// The list is no longer than its bounds after it has grown by so many elements.
    fn length_conditions(&self, bounds: &[Bound], more: usize) -> Option<Vec<Condition>> {
        let mut conditions = self.existing_element();
        let more = Number::from(more as u64);
        for bound in bounds {
            match (bound.unit, bound.at_least) {
                // A list that is long enough stays so.
                (Unit::Items, true) if more >= bound.limit => {}
                (Unit::Items, false) => {
                    let room = bound.limit.checked_sub(&more).ok()?;
                    if room < Number::ZERO {
                        return None;
                    }
                    let size = Operand::Size(Box::new(self.operand()));
                    let fits = compare(size, false, AttributeValue::N(room));
                    conditions.push(Condition::AttributeNotExists(self.path.clone()).or(fits));
                }
                _ => return None,
            }
        }
        Some(conditions)
    }

    fn operand(&self) -> Operand {
        Operand::Path(self.path.clone())
    }
}

fn compare(left: Operand, at_least: bool, limit: AttributeValue) -> Condition {
    let operator = if at_least { Comparison::GreaterOrEqual } else { Comparison::LessOrEqual };
    Condition::Compare { left, operator, right: Operand::Value(limit) }
}

fn or_else(path: &Path, otherwise: AttributeValue) -> UpdateOperand {
    UpdateOperand::IfNotExists { path: path.clone(), otherwise: Box::new(UpdateOperand::Value(otherwise)) }
}

/// The list at a path; an absent one is empty.
fn list_at(path: &Path) -> UpdateOperand {
    or_else(path, AttributeValue::L(Vec::new()))
}

fn elements_of(elements: &[AttributeValue]) -> UpdateOperand {
    UpdateOperand::Value(AttributeValue::L(elements.to_vec()))
}

fn joined(first: UpdateOperand, second: UpdateOperand) -> SetValue {
    SetValue::Operand(UpdateOperand::ListAppend { first: Box::new(first), second: Box::new(second) })
}
