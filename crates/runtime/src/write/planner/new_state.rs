//! What a caller gives, made whole: known attributes only, defaults, copies, stamps, and every rule of the design.

use keyfold_design::model::{AttributeType, Entity, Stamp};
use keyfold_dynamo::{AttributeValue, Attributes, Number};

use crate::clock::{epoch_second, timestamp};
use crate::error::Error;
use crate::runtime::Runtime;

impl Runtime {
    /// Refuses what callers cannot set: unknown attributes and those that Keyfold keeps.
    pub(crate) fn reject_unsettable(&self, entity: &Entity, given: &Attributes) -> Result<(), Error> {
        for name in given.keys() {
            let Some(attribute) = entity.attribute(name) else {
                let computed = entity.layout.computed_names().any(|computed| computed == name);
                if entity.open && !computed && !name.starts_with("kf_") {
                    continue;
                }
                let reason = if computed { "is made from other attributes" } else { "is no attribute" };
                return Err(Error::constraint(
                    name.clone(),
                    Some(name),
                    format!("`{name}` {reason} of {}", entity.name),
                ));
            };
            let kept = match &attribute.same_as {
                Some(other) => Some(format!("always equals `{other}`")),
                None if attribute.value_type.is_kept_by_runtime() => Some("is kept by Keyfold".to_owned()),
                None if self.is_counter(entity, name) => Some("counts those who refer to the item".to_owned()),
                None => None,
            };
            if let Some(reason) = kept {
                return Err(Error::constraint(
                    name.clone(),
                    Some(name),
                    format!("`{name}` {reason} and cannot be set"),
                ));
            }
        }
        Ok(())
    }

    /// Whether an attribute is kept as the number of items that refer to this one.
    pub(crate) fn is_counter(&self, entity: &Entity, name: &str) -> bool {
        entity.referenced_by.iter().any(|incoming| {
            let child = self.design.entity(incoming.child);
            child
                .and_then(|child| child.references.get(incoming.reference))
                .is_some_and(|reference| reference.counted_as.as_deref() == Some(name))
        })
    }

    /// Fills in what a new item has without being given.
    pub(crate) fn apply_defaults(&self, entity: &Entity, attributes: &mut Attributes) {
        attributes.retain(|_, value| *value != AttributeValue::Null);
        for attribute in &entity.attributes {
            if let Some(default) = &attribute.default
                && !attributes.contains_key(&attribute.name)
            {
                attributes.insert(attribute.name.clone(), default.clone());
            }
        }
    }

    /// The stamps of a write: who and when, the version, the expiry, copies of other attributes.
    pub(crate) fn stamp(
        &self,
        entity: &Entity,
        attributes: &mut Attributes,
        old: Option<&Attributes>,
        actor: Option<&str>,
    ) {
        let now = AttributeValue::S(timestamp(self.clock.now_ms()));
        let actor = actor.map(|subject| AttributeValue::S(subject.to_owned()));
        for attribute in &entity.attributes {
            let kept = old.and_then(|old| old.get(&attribute.name)).cloned();
            let value = match &attribute.value_type {
                // An item that others wrote without a stamp was not created now.
                AttributeType::Stamp(Stamp::CreatedAt) => kept.or_else(|| old.is_none().then(|| now.clone())),
                AttributeType::Stamp(Stamp::CreatedBy) => kept.or_else(|| actor.clone().filter(|_| old.is_none())),
                AttributeType::Stamp(Stamp::ModifiedAt) => Some(now.clone()),
                AttributeType::Stamp(Stamp::ModifiedBy) => actor.clone().or(kept),
                AttributeType::Stamp(Stamp::Version) => Some(AttributeValue::N(next(kept.as_ref()))),
                _ => continue,
            };
            match value {
                Some(value) => attributes.insert(attribute.name.clone(), value),
                None => attributes.remove(&attribute.name),
            };
        }
        self.derive_attributes(entity, attributes);
    }

    /// Attributes that follow from others of the same item.
    pub(crate) fn derive_attributes(&self, entity: &Entity, attributes: &mut Attributes) {
        for attribute in &entity.attributes {
            let value = match (&attribute.same_as, &attribute.value_type) {
                (Some(other), _) => attributes.get(other).cloned(),
                (None, AttributeType::Expiry(Some(expiry))) => attributes
                    .get(&expiry.after)
                    .and_then(AttributeValue::as_str)
                    .and_then(epoch_second)
                    .and_then(|second| second.checked_add(i64::try_from(expiry.seconds).ok()?))
                    .and_then(|second| Number::parse(&second.to_string()).ok())
                    .map(AttributeValue::N),
                _ => continue,
            };
            match value {
                Some(value) => attributes.insert(attribute.name.clone(), value),
                None => attributes.remove(&attribute.name),
            };
        }
    }

    /// Every rule of the design over a whole item.
    pub(crate) fn check_item(&self, entity: &Entity, attributes: &Attributes) -> Result<(), Error> {
        for attribute in &entity.attributes {
            match attributes.get(&attribute.name) {
                Some(value) => attribute.check(value)?,
                None if attribute.may_be_absent() || is_stamp(&attribute.value_type) => {}
                // Others may have written an item before there was a counter.
                None if self.is_counter(entity, &attribute.name) => {}
                None => {
                    return Err(Error::constraint(
                        attribute.name.clone(),
                        Some(&attribute.name),
                        format!("`{}` of {} is required", attribute.name, entity.name),
                    ));
                }
            }
        }
        self.check_rules(entity, attributes)
    }

    /// The cross-field rules.
    pub(crate) fn check_rules(&self, entity: &Entity, attributes: &Attributes) -> Result<(), Error> {
        for constraint in &entity.must_hold {
            let holds = constraint.expression.evaluate(|name| attributes.get(name));
            if holds.as_ref() != Ok(&true) {
                let values: Vec<String> = constraint
                    .expression
                    .variables()
                    .iter()
                    // Whoever may change an item need not be one who sees all of it.
                    .filter(|name| entity.attribute(name).is_none_or(|attribute| attribute.visible_to.is_none()))
                    .map(|name| {
                        let value = attributes.get(name).map_or_else(|| "absent".to_owned(), crate::record::plain_text);
                        format!("{name}={value}")
                    })
                    .collect();
                let values = if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) };
                let message = format!("{} must hold: {}{values}", entity.name, constraint.message);
                return Err(Error::constraint(constraint.message.clone(), None, message));
            }
        }
        Ok(())
    }

    /// The item as it is stored: what is declared, and every key and attribute that is made from it.
    pub(crate) fn stored_form(&self, entity: &Entity, attributes: &Attributes) -> Result<Attributes, Error> {
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
}

fn is_stamp(value_type: &AttributeType) -> bool {
    value_type.is_kept_by_runtime()
}

fn next(version: Option<&AttributeValue>) -> Number {
    let one = Number::parse("1").unwrap_or(Number::ZERO);
    match version {
        Some(AttributeValue::N(number)) => number.checked_add(&one).unwrap_or(one),
        _ => one,
    }
}
