//! Rejects values that the caller may not set: `settable by WHO`.

use keyfold_design::model::Attribute;
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
        let unsettable = authorized.access().unsettable_value(self.design, given, generated_ids);
        accept(authorized, unsettable)
    }

    /// Rejects changes of attributes that the caller may not set. They may send the value that they read; whether they
    /// have guessed a value that they may not read stays unknown to them.
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
        accept(authorized, authorized.access().first_unsettable(self.design, given, old, is_changed))
    }

    /// Whether the caller may set all attributes of these names, whatever the stored item.
    pub(super) fn may_set_all<'n>(&self, authorized: &Authorized<'_>, names: impl Iterator<Item = &'n str>) -> bool {
        let mut attributes = names.filter_map(|name| authorized.entity().attribute(name));
        attributes.all(|attribute| authorized.access().may_set(self.design, attribute, None) == Some(true))
    }
}

/// An error if there is an attribute that the caller may not set.
fn accept(authorized: &Authorized<'_>, unsettable: Option<&Attribute>) -> Result<(), Error> {
    match unsettable {
        Some(attribute) => Err(not_settable(authorized.caller(), authorized.entity(), &attribute.name)),
        None => Ok(()),
    }
}
