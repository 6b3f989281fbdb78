//! Attributes that only some callers may set: `settable by WHO`.

use keyfold_design::Design;
use keyfold_design::model::{Attribute, Stamp, Verb};
use keyfold_dynamo::{AttributeValue, Attributes};

use super::Access;

/// The attributes that a caller may not set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnsettableAttributes {
    /// Those of the item, or without one those of at least some items.
    pub names: Vec<String>,
    /// The first of them to which a new item gives a value, so that its creation is rejected; `None` if it is not.
    pub rejected: Option<String>,
}

impl<'a> Access<'a> {
    /// The attributes that the caller may not set: in an item as it is before an update, in a new one, or without one
    /// in at least some items.
    pub(crate) fn unsettable_attributes(&self, design: &Design, item: Option<&Attributes>) -> UnsettableAttributes {
        let new = item.filter(|_| self.verb == Verb::Create);
        let created = new.map(|new| self.with_creator(new));
        let item = created.as_ref().or(item);
        let names = self.entity.settable_attributes().filter(|own| self.may_set(design, own, item) != Some(true));
        UnsettableAttributes {
            names: names.map(|own| own.name.clone()).collect(),
            rejected: new.and_then(|new| self.unsettable_value(design, new, &[])).map(|own| own.name.clone()),
        }
    }

    /// The first attribute to which a new item gives a value, and which the caller may not set. Defaults, generated ids
    /// and what is absent (`NULL`) need no permission.
    pub(crate) fn unsettable_value(
        &self,
        design: &Design,
        given: &Attributes,
        generated_ids: &[String],
    ) -> Option<&'a Attribute> {
        self.restricted().next()?;
        let is_chosen = |attribute: &Attribute, value: &AttributeValue| {
            *value != AttributeValue::Null
                && attribute.default.as_ref() != Some(value)
                && !generated_ids.contains(&attribute.name)
        };
        self.first_unsettable(design, given, &self.with_creator(given), is_chosen)
    }

    /// The first of the given attributes that is set and that the caller may not set in this item.
    pub(crate) fn first_unsettable(
        &self,
        design: &Design,
        given: &Attributes,
        item: &Attributes,
        is_set: impl Fn(&Attribute, &AttributeValue) -> bool,
    ) -> Option<&'a Attribute> {
        // With an item nothing is unknown.
        let mut unsettable = self.restricted().filter(|own| self.may_set(design, own, Some(item)) != Some(true));
        unsettable.find(|own| given.get(&own.name).is_some_and(|value| is_set(own, value)))
    }

    fn restricted(&self) -> impl Iterator<Item = &'a Attribute> + use<'a> {
        self.entity.attributes.iter().filter(|attribute| attribute.settable_by.is_some())
    }

    /// A new item with its creator, who is its owner where the design says that the owner is the creator.
    fn with_creator(&self, given: &Attributes) -> Attributes {
        let mut item = given.clone();
        if let (Some(creator), Some(subject)) = (self.entity.stamp(Stamp::CreatedBy), &self.caller.subject) {
            item.insert(creator.name.clone(), AttributeValue::S(subject.clone()));
        }
        item
    }
}
