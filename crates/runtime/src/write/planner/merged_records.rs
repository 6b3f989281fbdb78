//! What the other writes of a call count on an item that one of them is about.

use keyfold_design::model::Entity;
use keyfold_dynamo::{AttributeValue, Number};

use crate::error::Error;
use crate::record::Record;
use crate::write::plan::{Action, Effect, Plan};

/// Makes a record what the whole plan leaves; `own` is what its write alone would do.
pub fn as_left(plan: &Plan, own: &Action, entity: &Entity, record: &mut Record) -> Result<(), Error> {
    let Some(joined) = plan.actions.iter().find(|action| action.key == own.key) else { return Ok(()) };
    match (&joined.effect, &own.effect) {
        (Effect::Put(item), Effect::Put(alone)) if item != alone => *record = Record::read(entity, item.clone())?,
        (Effect::Update(together), Effect::Update(alone)) => {
            for (name, sum) in &together.add {
                let number = |value: Option<&AttributeValue>| value.and_then(AttributeValue::as_number).copied();
                let Some(sum) = number(Some(sum)) else { continue };
                let others =
                    sum.checked_sub(&number(alone.add.get(name)).unwrap_or(Number::ZERO)).unwrap_or(Number::ZERO);
                let before = number(record.attributes.get(name)).unwrap_or(Number::ZERO);
                if let (true, Ok(counted)) = (others != Number::ZERO, before.checked_add(&others)) {
                    record.attributes.insert(name.clone(), AttributeValue::N(counted));
                }
            }
        }
        _ => {}
    }
    Ok(())
}
