//! Merging two actions on the same item.

use keyfold_dynamo::expression::{Comparison, Condition, Operand};
use keyfold_dynamo::{AttributeValue, Attributes};

use super::merge_error::MergeError;
use super::{Action, Effect, Guard, GuardFailure};

impl Action {
    /// Whether this changes values that the other was planned on, such as two albums that each move below the other.
    fn disturbs(&self, other: &Action) -> bool {
        let Effect::Update(changes) = &self.effect else { return false };
        other.guards.iter().filter(|guard| guard.failure == GuardFailure::ChangedSinceRead).any(|guard| {
            match &guard.condition {
                Condition::Compare { left: Operand::Path(path), operator: Comparison::Equal, .. }
                | Condition::AttributeNotExists(path) => changes.touches(&path.root),
                _ => false,
            }
        })
    }

    /// Whether both add to the same number, so that the sum of both is right.
    fn adds_to_same_number(&self, other: &Action) -> bool {
        let only_adds = |action: &Action| matches!(&action.effect, Effect::Update(changes) if changes.only_adds());
        self.guards == other.guards && only_adds(self) && only_adds(other)
    }

    /// Merges another action on the same item: a transaction may touch each item once.
    pub(crate) fn merge(&mut self, other: Action) -> Result<(), MergeError> {
        let disturbed = !self.adds_to_same_number(&other) && (self.disturbs(&other) || other.disturbs(self));
        match (&mut self.effect, other.effect) {
            (Effect::Check | Effect::Update(_), Effect::Check | Effect::Update(_)) if disturbed => {
                return Err(MergeError::Incompatible);
            }
            // The check of an item that the same plan puts is evaluated here.
            (Effect::Put(item), effect @ (Effect::Check | Effect::Update(_))) => {
                add_into(item, effect, &other.guards)?;
                return Ok(());
            }
            (effect @ (Effect::Check | Effect::Update(_)), Effect::Put(mut item)) => {
                add_into(&mut item, effect.clone(), &self.guards)?;
                self.effect = Effect::Put(item);
                self.guards = other.guards;
                return Ok(());
            }
            // The counter of a deleted item does not matter.
            (Effect::Delete, Effect::Update(changes)) if changes.only_decrements() => return Ok(()),
            (Effect::Update(mine), Effect::Delete) if mine.only_decrements() => {
                self.effect = Effect::Delete;
                self.guards = other.guards;
                return Ok(());
            }
            (Effect::Check | Effect::Update(_), Effect::Check) => {}
            (Effect::Check, effect @ Effect::Update(_)) => self.effect = effect,
            (Effect::Update(mine), Effect::Update(theirs)) => mine.merge(theirs)?,
            // One item gives up a unique value, and another takes it.
            (Effect::Delete, effect @ Effect::Put(_)) if is_handed_over(&self.guards, &other.guards) => {
                self.effect = effect;
                self.guards = either(other.guards, &self.guards);
                return Ok(());
            }
            (Effect::Put(_), Effect::Delete) if is_handed_over(&other.guards, &self.guards) => {
                self.guards = either(std::mem::take(&mut self.guards), &other.guards);
                return Ok(());
            }
            // Two items of one call with the same unique value.
            (Effect::Put(_), Effect::Put(_)) => {
                let taken = other
                    .guards
                    .into_iter()
                    .find(|guard| matches!(guard.failure, GuardFailure::UniqueValueTaken { .. }));
                return Err(taken.map_or(MergeError::Incompatible, |guard| MergeError::GuardFails(guard.failure)));
            }
            _ => return Err(MergeError::Incompatible),
        }
        for guard in other.guards {
            if !self.guards.contains(&guard) {
                self.guards.push(guard);
            }
        }
        // Only an action that does nothing else than decrement can be left out if the counter is absent.
        if self.guards.iter().any(|guard| guard.failure != GuardFailure::ActionNotNeeded) {
            self.guards.retain(|guard| {
                let is_lower_bound =
                    matches!(guard.condition, Condition::Compare { operator: Comparison::GreaterOrEqual, .. });
                guard.failure != GuardFailure::ActionNotNeeded || !is_lower_bound
            });
        }
        Ok(())
    }
}

/// Whether a lookup or derived item that one item of the call leaves, under the first guards, is taken by another,
/// under the second.
fn is_handed_over(left: &[Guard], taken: &[Guard]) -> bool {
    let is_taken = |guard: &Guard| matches!(guard.failure, GuardFailure::UniqueValueTaken { .. });
    left.iter().all(|guard| guard.failure == GuardFailure::ActionNotNeeded)
        && !taken.is_empty()
        && taken.iter().all(is_taken)
}

/// The value is free, or still that of the item that leaves it.
fn either(taken: Vec<Guard>, left: &[Guard]) -> Vec<Guard> {
    let all = |guards: &[Guard]| Condition::all(guards.iter().map(|guard| guard.condition.clone()));
    let (Some(free), Some(own)) = (all(&taken), all(left)) else { return Vec::new() };
    let guard = |first: Guard| Guard { condition: free.or(own), ..first };
    taken.into_iter().next().map(guard).into_iter().collect()
}

/// Adds to counters of an item that the same plan puts, if the guards hold for it.
fn add_into(item: &mut Attributes, effect: Effect, guards: &[Guard]) -> Result<(), MergeError> {
    let mut unmet = guards.iter().filter(|guard| !guard.condition.matches(item)).peekable();
    let uncounted = unmet.peek().is_some();
    if let Some(unmet) = unmet.find(|guard| guard.failure != GuardFailure::ActionNotNeeded) {
        return Err(MergeError::GuardFails(unmet.failure.clone()));
    }
    if uncounted {
        return Ok(());
    }
    let Effect::Update(changes) = effect else { return Ok(()) };
    if !changes.only_adds() {
        return Err(MergeError::Incompatible);
    }
    changes.add.into_iter().try_for_each(|(name, by)| add_to(item, name, by))
}

/// Adds to a number as DynamoDB's `ADD` does: an absent one starts at zero.
fn add_to(item: &mut Attributes, name: String, by: AttributeValue) -> Result<(), MergeError> {
    let sum = match (item.get(&name), by) {
        (Some(AttributeValue::N(before)), AttributeValue::N(by)) => {
            AttributeValue::N(before.checked_add(&by).map_err(|_| MergeError::Incompatible)?)
        }
        (None, by) => by,
        (Some(_), _) => return Err(MergeError::Incompatible),
    };
    item.insert(name, sum);
    Ok(())
}
