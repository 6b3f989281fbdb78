//! Stamps: who wrote an item and when, and its version.

use keyfold_design::model::{AttributeType, Entity, Stamp};
use keyfold_design::template::Timestamp;
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_environment::Clock;

use crate::clock::instant;
use crate::error::Error;
use crate::write::plan::AttributeChanges;

/// The writer and the time of a write.
pub(super) struct Stamps {
    now: Timestamp,
    actor: Option<AttributeValue>,
}

/// What a write does to a stamp.
enum StampChange {
    Set(AttributeValue),
    Keep,
    Increment,
}

impl Stamps {
    pub(super) fn new(clock: &dyn Clock, actor: Option<&str>) -> Result<Self, Error> {
        let now = instant(clock.now_ms())?;
        Ok(Self { now, actor: actor.map(|subject| AttributeValue::S(subject.to_owned())) })
    }

    fn change(&self, stamp: Stamp, is_new: bool) -> StampChange {
        let by_actor = || self.actor.clone().map_or(StampChange::Keep, StampChange::Set);
        match stamp {
            Stamp::CreatedAt(format) if is_new => StampChange::Set(format.value(self.now)),
            Stamp::CreatedBy if is_new => by_actor(),
            // An item that another program wrote without a stamp was not created now.
            Stamp::CreatedAt(_) | Stamp::CreatedBy => StampChange::Keep,
            Stamp::ModifiedAt(format) => StampChange::Set(format.value(self.now)),
            Stamp::ModifiedBy => by_actor(),
            Stamp::Version => StampChange::Increment,
        }
    }

    /// Stamps the new state of an item, given the old one if there is one.
    pub(super) fn put_into(
        &self,
        entity: &Entity,
        attributes: &mut Attributes,
        old: Option<&Attributes>,
    ) -> Result<(), Error> {
        for (name, stamp) in stamps_of(entity) {
            let kept = old.and_then(|old| old.get(name));
            let value = match self.change(stamp, old.is_none()) {
                StampChange::Set(value) => Some(value),
                StampChange::Keep => kept.cloned(),
                StampChange::Increment => Some(AttributeValue::N(next_version(entity, kept)?)),
            };
            match value {
                Some(value) => attributes.insert(name.to_owned(), value),
                None => attributes.remove(name),
            };
        }
        Ok(())
    }

    /// Stamps the changes of an item that is there and was not read.
    pub(super) fn add_to(&self, entity: &Entity, changes: &mut AttributeChanges) {
        for (name, stamp) in stamps_of(entity) {
            match self.change(stamp, false) {
                StampChange::Set(value) => drop(changes.set.insert(name.to_owned(), value)),
                StampChange::Keep => {}
                StampChange::Increment => {
                    changes.add.insert(name.to_owned(), AttributeValue::N(Number::from(1_i64)));
                }
            }
        }
    }
}

/// Whether every write changes the value of an attribute. What depends on it is computed from the stored item.
pub(super) fn is_restamped(entity: &Entity, name: &str) -> bool {
    stamps_of(entity)
        .any(|(own, stamp)| own == name && matches!(stamp, Stamp::ModifiedAt(_) | Stamp::ModifiedBy | Stamp::Version))
}

fn stamps_of(entity: &Entity) -> impl Iterator<Item = (&str, Stamp)> {
    entity.attributes.iter().filter_map(|attribute| match attribute.value_type {
        AttributeType::Stamp(stamp) => Some((attribute.name.as_str(), stamp)),
        _ => None,
    })
}

/// The version after this one. An item that another program wrote may have none, or one that is not a number.
fn next_version(entity: &Entity, version: Option<&AttributeValue>) -> Result<Number, Error> {
    let one = Number::from(1_i64);
    let Some(version) = version.and_then(AttributeValue::as_number) else { return Ok(one) };
    version.checked_add(&one).map_err(|_| Error::Invalid(format!("the version of {} cannot grow further", entity.name)))
}
