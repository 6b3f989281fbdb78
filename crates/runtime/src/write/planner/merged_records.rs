//! Records of a call with several writes.

use keyfold_design::model::Entity;
use keyfold_dynamo::{AttributeValue, Number};

use crate::error::Error;
use crate::record::Record;
use crate::write::plan::{Action, Effect, Plan};

/// Adds to the record of one write what the other writes of the call add to its counters; `own` is the action of its
/// write alone.
pub(crate) fn add_other_writes(plan: &Plan, own: &Action, entity: &Entity, record: &mut Record) -> Result<(), Error> {
    let Some(merged) = plan.actions.iter().find(|action| action.key == own.key) else { return Ok(()) };
    match (&merged.effect, &own.effect) {
        (Effect::Put(item), Effect::Put(alone)) if item != alone => *record = Record::read(entity, item.clone())?,
        (Effect::Update(together), Effect::Update(alone)) => {
            for (name, sum) in &together.add {
                let Some(mut counted) = sum.as_number().copied() else { continue };
                let out_of_range = |_| Error::Invalid(format!("`{name}` of {} is out of range", entity.name));
                if let Some(own) = alone.add.get(name).and_then(AttributeValue::as_number) {
                    counted = counted.checked_sub(own).map_err(out_of_range)?;
                }
                if counted == Number::ZERO {
                    continue;
                }
                if let Some(before) = record.attributes.get(name).and_then(AttributeValue::as_number) {
                    counted = before.checked_add(&counted).map_err(out_of_range)?;
                }
                record.attributes.insert(name.clone(), AttributeValue::N(counted));
            }
        }
        _ => {}
    }
    Ok(())
}
