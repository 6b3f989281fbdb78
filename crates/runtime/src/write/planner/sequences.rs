//! Sequences: counters from which ids are drawn. Callers may also give numbers themselves, which the sequence must not
//! draw again.

use keyfold_design::model::{AttributeType, Entity, Generator};
use keyfold_dynamo::expression::Condition;
use keyfold_dynamo::operation::{ReturnValues, UpdateItemInput, WriteOptions};
use keyfold_dynamo::{AttributeValue, Attributes, Number, ServiceError};

use crate::authorize::Authorized;
use crate::error::Error;
use crate::items::Items;
use crate::retry;
use crate::write::plan::{Action, AttributeChanges, Effect, Guard, GuardFailure, Plan};

/// The largest number that may be given, so that the numbers drawn after it stay exact in JSON.
const MAX_GIVEN: i64 = 1 << 52;

/// The sequences of a table.
#[derive(Clone, Copy)]
pub(crate) struct Sequences<'r> {
    pub items: Items<'r>,
}

impl Sequences<'_> {
    /// The number that was drawn last.
    async fn last(&self, sequence: &str) -> Result<Option<Number>, Error> {
        let stored = self.items.attributes_at_key(self.key(sequence)?).await?;
        Ok(stored.as_ref().and_then(|stored| stored.get(sequence)).and_then(AttributeValue::as_number).copied())
    }

    /// The key of the item that holds the sequences.
    fn key(&self, sequence: &str) -> Result<Attributes, Error> {
        let unknown = || Error::Invalid(format!("no entity of the design holds the sequence `{sequence}`"));
        let keeper = self.items.design.sequence_keeper().ok_or_else(unknown)?;
        keeper.layout.key(|_| None)?.ok_or_else(unknown)
    }

    /// Draws the next number.
    pub(crate) async fn draw(&self, sequence: &str) -> Result<Number, Error> {
        let key = self.key(sequence)?;
        let update = AttributeChanges::count(sequence, 1).update()?;
        let options = WriteOptions { return_values: ReturnValues::UpdatedNew, ..WriteOptions::default() };
        let input = UpdateItemInput { table_name: self.items.table.to_owned(), key, update, options };
        let mut lost = 0;
        let output = loop {
            match self.items.retry.send(|| self.items.backend.update_item(input.clone())).await {
                // The number may have been drawn: another one leaves at most a gap.
                Err(ServiceError::OutcomeUnknown(_)) if lost < retry::ATTEMPTS => lost += 1,
                outcome => break outcome?,
            }
        };
        output
            .attributes
            .as_ref()
            .and_then(|attributes| attributes.get(sequence))
            .and_then(AttributeValue::as_number)
            .copied()
            .ok_or_else(|| Error::Unavailable(format!("the sequence `{sequence}` returned no number")))
    }

    /// The ids of a new item that its caller gave, with the state of their sequences. To be read before the search for
    /// another item with the same id, see [`plan_given`](Self::plan_given).
    pub(crate) async fn read_given<'e>(
        &self,
        entity: &'e Entity,
        attributes: &Attributes,
        generated_ids: &[String],
    ) -> Result<Vec<GivenId<'e>>, Error> {
        let mut all = Vec::new();
        for attribute in &entity.attributes {
            let Some(Generator::Sequence(sequence)) = &attribute.generator else { continue };
            let given = attributes.get(&attribute.name).filter(|_| !generated_ids.contains(&attribute.name));
            if let Some(given) = given {
                let last = self.last(sequence).await?;
                let given = number_of_sequence(given);
                all.push(GivenId { attribute: &attribute.name, sequence, given, last });
            }
        }
        Ok(all)
    }

    /// Advances the sequences of a new item to its given ids. Numbers that were drawn need no action, and neither does
    /// text that no sequence makes.
    ///
    /// If the key holds more than the id, no condition on the item's own key can detect another item with the same id.
    /// Then a given id also uses up one number of the sequence: of two concurrent creates, one finds the sequence
    /// changed since before it looked for another item, plans again, and finds the other's item.
    pub(crate) fn plan_given(
        &self,
        plan: &mut Plan,
        authorized: &Authorized<'_>,
        ids: Vec<GivenId<'_>>,
    ) -> Result<(), Error> {
        let entity = authorized.entity();
        for GivenId { attribute, sequence, given, last } in ids {
            let was_drawn = given.is_some_and(|given| last.is_some_and(|last| last >= given));
            let refused = |why: String| Err(Error::constraint(attribute.to_owned(), Some(attribute), why));
            if !was_drawn && !authorized.caller().is_operator(self.items.design) {
                let chosen = if is_text(entity, attribute) { "an id" } else { "a number" };
                return refused(format!(
                    "`{attribute}` comes from the sequence `{sequence}`: leave it out; only operators may choose {chosen}"
                ));
            }
            let step = match (&given, &last) {
                (Some(given), _) if !was_drawn && *given > Number::from(MAX_GIVEN) => None,
                (Some(given), Some(last)) if !was_drawn => difference(given, last),
                (Some(given), None) => given.to_i64(),
                _ if entity.is_found_by_key() => continue,
                _ => Some(1),
            };
            let Some(step) = step else {
                return refused(format!(
                    "`{attribute}` must be at most {MAX_GIVEN}, so that numbers are left for the sequence `{sequence}`"
                ));
            };
            let unchanged = match last {
                Some(last) => Condition::equals(sequence.to_owned(), AttributeValue::N(last)),
                None => Condition::attribute_not_exists(sequence.to_owned()),
            };
            // Added rather than set, so that several writes of one call can be merged.
            let effect = Effect::Update(AttributeChanges::count(sequence, step));
            let key = self.key(sequence)?;
            plan.add(Action { key, effect, guards: vec![Guard::new(unchanged, GuardFailure::ChangedSinceRead)] })?;
        }
        Ok(())
    }
}

/// An id that its caller gave instead of leaving it to the sequence.
pub(crate) struct GivenId<'e> {
    attribute: &'e str,
    sequence: &'e str,
    /// `None` for text that the sequence never makes.
    given: Option<Number>,
    /// The number that the sequence had drawn last.
    last: Option<Number>,
}

/// The number of a sequence that an id is. Text is one if the sequence would make it: `7`, neither `07` nor `x7`. No
/// sequence gets beyond the largest number that may be given.
fn number_of_sequence(id: &AttributeValue) -> Option<Number> {
    match id {
        AttributeValue::S(text) if text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0') => {
            text.parse().ok().filter(|number: &i64| *number <= MAX_GIVEN).map(Number::from)
        }
        other => other.as_number().copied(),
    }
}

/// Whether the ids are the numbers of the sequence as text.
fn is_text(entity: &Entity, attribute: &str) -> bool {
    entity.attribute(attribute).is_some_and(|attribute| attribute.value_type == AttributeType::String)
}

fn difference(given: &Number, last: &Number) -> Option<i64> {
    given.to_i64()?.checked_sub(last.to_i64()?)
}
