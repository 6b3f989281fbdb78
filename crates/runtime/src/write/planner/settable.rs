//! Attributes that only some callers may set: `settable by WHO`.

use keyfold_design::model::{Attribute, Stamp};
use keyfold_dynamo::{AttributeValue, Attributes};

use super::Planner;
use crate::authorize::{Authorized, not_settable};
use crate::error::Error;

impl Planner<'_> {
    /// Rejects values of a new item that the caller may not set. Defaults and generated ids need no permission.
    pub(super) fn require_settable_values(
        &self,
        authorized: &Authorized<'_>,
        given: &Attributes,
        generated_ids: &[String],
    ) -> Result<(), Error> {
        let is_chosen = |attribute: &Attribute, value: &AttributeValue| {
            attribute.default.as_ref() != Some(value) && !generated_ids.contains(&attribute.name)
        };
        // Whoever creates an item is its owner, where the design says that the owner is the creator.
        let mut item = given.clone();
        let entity = authorized.entity();
        if let (Some(creator), Some(subject)) = (entity.stamp(Stamp::CreatedBy), &authorized.caller().subject) {
            item.insert(creator.name.clone(), AttributeValue::S(subject.clone()));
        }
        self.require_settable(authorized, given, &item, is_chosen)
    }

    /// Rejects changes of attributes that the caller may not set. They may send the value that they read; whether they have
    /// guessed a value that they may not read stays unknown to them.
    pub(super) fn require_settable_changes(
        &self,
        authorized: &Authorized<'_>,
        old: &Attributes,
        given: &Attributes,
    ) -> Result<(), Error> {
        let reader = self.reader(authorized.caller());
        let is_changed = |attribute: &Attribute, value: &AttributeValue| {
            let is_equal = match old.get(&attribute.name) {
                Some(stored) => stored == value,
                None => *value == AttributeValue::Null,
            };
            let is_known = authorized.entity().identity.contains(&attribute.name)
                || reader.may_see(authorized.entity(), old, &attribute.name);
            !is_equal || !is_known
        };
        self.require_settable(authorized, given, old, is_changed)
    }

    /// Whether the caller may set all of the given attributes, whatever the stored item.
    pub(super) fn may_set_all(&self, authorized: &Authorized<'_>, given: &Attributes) -> bool {
        let mut attributes = given.keys().filter_map(|name| authorized.entity().attribute(name));
        attributes.all(|attribute| authorized.may_set(self.design, attribute, None) == Some(true))
    }

    fn require_settable(
        &self,
        authorized: &Authorized<'_>,
        given: &Attributes,
        item: &Attributes,
        is_set: impl Fn(&Attribute, &AttributeValue) -> bool,
    ) -> Result<(), Error> {
        let entity = authorized.entity();
        for attribute in entity.attributes.iter().filter(|attribute| attribute.settable_by.is_some()) {
            let Some(value) = given.get(&attribute.name) else { continue };
            let may_set = authorized.may_set(self.design, attribute, Some(item)) == Some(true);
            if !may_set && is_set(attribute, value) {
                return Err(not_settable(authorized.caller(), entity, &attribute.name));
            }
        }
        Ok(())
    }
}
