//! Sequence numbers that callers give themselves: the sequence must not draw them again.

use keyfold_design::model::Generator;
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::{AttributeValue, Attributes, Number};

use super::Planner;
use crate::authorize::Authorized;
use crate::error::Error;
use crate::write::plan::{Action, AttributeChanges, Effect, Guard, GuardFailure, Plan};

/// The largest number that may be given, so that the numbers drawn after it stay exact in JSON.
const MOST_GIVEN: i64 = 1 << 52;

impl Planner<'_> {
    /// Advances the sequences of a new item to its given ids. Numbers that were drawn need no action.
    ///
    /// If the key holds more than the id, no condition on the item's own key can detect another item with the same id. Then
    /// a given number also uses up one of the sequence: of two concurrent creates, one finds the sequence changed, plans
    /// again, and finds the other's item.
    pub(super) async fn plan_given_sequence_numbers(
        &self,
        plan: &mut Plan,
        authorized: &Authorized<'_>,
        attributes: &Attributes,
        generated_ids: &[String],
    ) -> Result<(), Error> {
        let entity = authorized.entity();
        for attribute in &entity.attributes {
            let Some(Generator::Sequence(sequence)) = &attribute.generator else { continue };
            let given = attributes.get(&attribute.name).and_then(AttributeValue::as_number);
            let Some(given) = given.filter(|_| !generated_ids.contains(&attribute.name)) else { continue };
            let last = self.last_number(sequence).await?;
            let ahead = last.is_some_and(|last| last >= *given);
            if ahead && entity.is_found_by_key() {
                continue;
            }
            if !ahead && !authorized.caller().is_operator(self.design) {
                return Err(Error::constraint(
                    attribute.name.clone(),
                    Some(&attribute.name),
                    format!(
                        "`{}` comes from the sequence `{sequence}`: leave it out; only operators give numbers ahead of it",
                        attribute.name
                    ),
                ));
            }
            let step = match &last {
                _ if ahead => Some(1),
                Some(last) => difference(given, last),
                None => given.to_i64(),
            };
            let Some(step) = step.filter(|_| *given <= Number::from(MOST_GIVEN)) else {
                return Err(Error::constraint(
                    attribute.name.clone(),
                    Some(&attribute.name),
                    format!(
                        "`{}` must be at most {MOST_GIVEN}, so that numbers are left for the sequence `{sequence}`",
                        attribute.name
                    ),
                ));
            };
            let unchanged = match last {
                Some(last) => Condition::equals(sequence.clone(), AttributeValue::N(last)),
                None => Condition::attribute_not_exists(sequence.clone()),
            };
            // Added rather than set, so that several writes of one call can be merged.
            let effect = Effect::Update(AttributeChanges::count(sequence, step));
            let key = self.sequence_key(sequence)?;
            plan.add(Action { key, effect, guards: vec![Guard::new(unchanged, GuardFailure::ChangedSinceRead)] })?;
        }
        Ok(())
    }
}

fn difference(given: &Number, last: &Number) -> Option<i64> {
    given.to_i64()?.checked_sub(last.to_i64()?)
}
