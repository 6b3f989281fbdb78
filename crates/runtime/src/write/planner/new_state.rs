//! The new state of an item: defaults, stamps and copies are filled in, and every rule of the design is checked.

use std::collections::BTreeSet;

use keyfold_design::model::{Attribute, AttributeType, Entity, Expiry};
use keyfold_design::template::Timestamp;
use keyfold_dynamo::{AttributeValue, Attributes, Number};
use keyfold_environment::Clock;

use super::stamps::Stamps;
use crate::authorize::{Authorized, ItemChange, Reader};
use crate::clock::epoch_second;
use crate::description::plain_text;
use crate::error::Error;

/// Completes and checks the new state of items.
#[derive(Clone, Copy)]
pub(super) struct NewState<'r> {
    pub clock: &'r dyn Clock,
    pub reader: Reader<'r>,
}

impl NewState<'_> {
    /// Completes the new attributes of an item, checks them, and returns the item as it is stored. `old` is the item
    /// before a change, with the names of the attributes whose new values follow from it. `replaces` if nothing of the
    /// old item stays.
    pub(crate) fn complete(
        &self,
        authorized: &Authorized<'_>,
        attributes: &mut Attributes,
        old: Option<(&Attributes, &BTreeSet<String>)>,
        replaces: bool,
    ) -> Result<Attributes, Error> {
        let entity = authorized.entity();
        let before = old.map(|(before, _)| before);
        let stamps = Stamps::new(self.clock, authorized.caller().subject.as_deref())?;
        stamps.put_into(entity, attributes, before)?;
        compute_attributes(entity, attributes, before.filter(|_| !replaces))?;
        derive_attributes(entity, attributes)?;
        let change = old.map(|(old, relative)| ItemChange { old, new: attributes, relative });
        let conceal = |error: Error| match change {
            Some(change) => self.reader.conceal_value(entity, change, error),
            None => error,
        };
        check_attributes(entity, attributes, before).map_err(conceal)?;
        check_rules(entity, attributes, |name| change.is_none_or(|change| self.reader.may_show(entity, change, name)))?;
        authorized.require(attributes)?;
        stored_form(entity, attributes).map_err(conceal)
    }
}

/// Checks each attribute of a whole item against the rules of the design. A timestamp that another program wrote in
/// another format stays as it is.
fn check_attributes(entity: &Entity, attributes: &Attributes, old: Option<&Attributes>) -> Result<(), Error> {
    let is_kept = |attribute: &Attribute, value: &AttributeValue| {
        let is_same = old.and_then(|old| old.get(&attribute.name)) == Some(value);
        is_same && attribute.value_type.timestamp_format().is_some() && is_timestamp(value)
    };
    for attribute in &entity.attributes {
        match attributes.get(&attribute.name) {
            Some(value) if is_kept(attribute, value) => {}
            Some(value) => attribute.check(value)?,
            None if attribute.may_be_absent() || attribute.value_type.is_kept_by_runtime() => {}
            // The item may be older than the attribute, and its sources are the same as before.
            None if attribute.computed.is_some() => {}
            // The item may be older than the counter.
            None if entity.is_counter(&attribute.name) => {}
            None => return Err(required(entity, attribute)),
        }
    }
    Ok(())
}

fn is_timestamp(value: &AttributeValue) -> bool {
    match value {
        AttributeValue::S(text) => Timestamp::parse(text).is_some(),
        AttributeValue::N(_) => true,
        _ => false,
    }
}

pub(super) fn required(entity: &Entity, attribute: &Attribute) -> Error {
    let message = format!("`{}` of {} is required", attribute.name, entity.name);
    Error::constraint(attribute.name.clone(), Some(&attribute.name), message)
}

/// Fills in the defaults of a new item.
pub(super) fn apply_defaults(entity: &Entity, attributes: &mut Attributes) {
    attributes.retain(|_, value| *value != AttributeValue::Null);
    for attribute in &entity.attributes {
        if let Some(default) = &attribute.default
            && !attributes.contains_key(&attribute.name)
        {
            attributes.insert(attribute.name.clone(), default.clone());
        }
    }
}

/// Computes the attributes that are made of others of the same item. Where no source changes the value stays as it is:
/// another program may have written the item without it.
fn compute_attributes(entity: &Entity, attributes: &mut Attributes, old: Option<&Attributes>) -> Result<(), Error> {
    for attribute in &entity.attributes {
        let Some(template) = &attribute.computed else { continue };
        let is_unchanged =
            |old: &&Attributes| template.attributes().into_iter().all(|name| old.get(name) == attributes.get(name));
        let value = match old.filter(is_unchanged) {
            Some(old) => old.get(&attribute.name).cloned(),
            None => template.compose(|name| attributes.get(name))?.map(AttributeValue::S),
        };
        match value {
            Some(value) => attributes.insert(attribute.name.clone(), value),
            None => attributes.remove(&attribute.name),
        };
    }
    Ok(())
}

/// Computes the attributes that follow from others of the same item.
pub(super) fn derive_attributes(entity: &Entity, attributes: &mut Attributes) -> Result<(), Error> {
    for attribute in &entity.attributes {
        let value = match (&attribute.same_as, &attribute.value_type) {
            (Some(other), _) => attributes.get(other).cloned(),
            (None, AttributeType::Expiry(Some(expiry))) => expiry_second(entity, &attribute.name, expiry, attributes)?,
            _ => continue,
        };
        match value {
            Some(value) => attributes.insert(attribute.name.clone(), value),
            None => attributes.remove(&attribute.name),
        };
    }
    Ok(())
}

/// The second at which an item expires; `None` if the attribute that it follows from is absent or not a date.
fn expiry_second(
    entity: &Entity,
    name: &str,
    expiry: &Expiry,
    attributes: &Attributes,
) -> Result<Option<AttributeValue>, Error> {
    let format = entity.attribute(&expiry.after).and_then(|start| start.value_type.timestamp_format());
    let start = attributes.get(&expiry.after).and_then(|start| epoch_second(start, format));
    let Some(start) = start else { return Ok(None) };
    let second = i64::try_from(expiry.seconds).ok().and_then(|seconds| start.checked_add(seconds));
    let second =
        second.ok_or_else(|| Error::constraint(name, Some(name), format!("`{name}` is too far in the future")))?;
    Ok(Some(AttributeValue::N(Number::from(second))))
}

/// Checks the rules that compare attributes. The error shows the values that the caller may read.
fn check_rules(entity: &Entity, attributes: &Attributes, may_show: impl Fn(&str) -> bool) -> Result<(), Error> {
    for constraint in &entity.must_hold {
        let holds = constraint.expression.evaluate(|name| attributes.get(name));
        if holds.as_ref() != Ok(&true) {
            let values: Vec<String> = constraint
                .expression
                .variables()
                .iter()
                .filter(|name| entity.attribute(name).is_none_or(|attribute| attribute.visible_to.is_none()))
                .filter(|name| may_show(name))
                .map(|name| {
                    let value = attributes.get(name).map_or_else(|| "absent".to_owned(), plain_text);
                    format!("{name}={value}")
                })
                .collect();
            let values = if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) };
            let message = format!("{} violates \"{}\"{values}", entity.name, constraint.message);
            return Err(Error::constraint(constraint.message.clone(), None, message));
        }
    }
    Ok(())
}

/// The stored item: the attributes, and every key and attribute computed from them.
fn stored_form(entity: &Entity, attributes: &Attributes) -> Result<Attributes, Error> {
    let mut item = entity.layout.compute(|name| attributes.get(name))?;
    let key_only: Vec<&str> =
        entity.attributes.iter().filter(|own| !own.is_stored()).map(|own| own.name.as_str()).collect();
    for (name, value) in attributes {
        if !key_only.contains(&name.as_str()) {
            item.insert(name.clone(), value.clone());
        }
    }
    Ok(item)
}
