//! Decisions about one item: whether the caller may access it, and which of its attributes they see.

use keyfold_design::Design;
use keyfold_design::model::{Attribute, Grantee};
use keyfold_dynamo::{AttributeValue, Attributes};

use super::{Access, Authorized, denied};
use crate::error::Error;
use crate::grantee::{Relation, and, includes};
use crate::record::Record;

impl Authorized<'_> {
    /// Whether the access is allowed for this item.
    pub(crate) fn admits(&self, attributes: &Attributes) -> bool {
        self.by_item.is_none_or(|authorizer| authorizer.decide_item(&self.access, attributes))
    }

    /// An error unless the access is allowed for this item.
    pub(crate) fn require(&self, attributes: &Attributes) -> Result<(), Error> {
        if self.admits(attributes) { Ok(()) } else { Err(denied(&self.access)) }
    }

    /// Whether the caller sees an attribute: of this item, or without one of every item. `None` where it depends on the
    /// item and none is given.
    pub(crate) fn sees_attribute(&self, design: &Design, name: &str, item: Option<&Attributes>) -> Option<bool> {
        let who = self.access.entity.attribute(name).and_then(|attribute| attribute.visible_to.as_ref());
        who.map_or(Some(true), |who| self.access.is_granted_to(who, design, item))
    }

    /// Whether a replacement by the caller keeps an attribute that it does not state, because they do not see it or may
    /// not set it. `None` where it depends on the item and none is given.
    pub(crate) fn keeps(&self, design: &Design, attribute: &Attribute, item: Option<&Attributes>) -> Option<bool> {
        let is_visible = self.sees_attribute(design, &attribute.name, item);
        and(is_visible, self.access.may_set(design, attribute, item)).map(|replaces| !replaces)
    }

    /// Removes the attributes whose `visible to` excludes the caller.
    pub(crate) fn conceal(&self, design: &Design, record: &mut Record) {
        self.access.conceal(design, record);
    }
}

impl Access<'_> {
    /// Whether the caller may set an attribute: of this item, or without one of every item. `None` where it depends on
    /// the item and none is given.
    pub(crate) fn may_set(&self, design: &Design, attribute: &Attribute, item: Option<&Attributes>) -> Option<bool> {
        match &attribute.settable_by {
            Some(who) if !self.caller.superuser => self.is_granted_to(who, design, item),
            _ => Some(true),
        }
    }

    /// Removes the attributes whose `visible to` excludes the caller.
    pub(super) fn conceal(&self, design: &Design, record: &mut Record) {
        for attribute in &self.entity.attributes {
            let Some(who) = &attribute.visible_to else { continue };
            // With an item nothing is unknown.
            if self.is_granted_to(who, design, Some(&record.attributes)) != Some(true) {
                let value = record.attributes.remove(&attribute.name);
                let is_tenant = design.tenant.as_ref().is_some_and(|tenant| tenant.attribute == attribute.name);
                if let Some(value) = value.filter(|_| is_tenant || self.entity.identity.contains(&attribute.name)) {
                    record.concealed.insert(attribute.name.clone(), value);
                }
            }
        }
    }

    /// Whether a grantee includes the caller; `None` where it depends on the item and none is given.
    pub(super) fn is_granted_to(&self, grantee: &Grantee, design: &Design, item: Option<&Attributes>) -> Option<bool> {
        includes(grantee, self.caller, &|relation| match relation {
            Relation::Operator => Some(self.caller.is_operator(design)),
            // Tenancy itself confines members to the items of their tenant.
            Relation::Member => Some(self.caller.tenant.is_some() && self.caller.subject.is_some()),
            Relation::Owner => self.is_owner(item),
        })
    }

    fn is_owner(&self, item: Option<&Attributes>) -> Option<bool> {
        let (Some(owner), Some(subject)) = (&self.entity.owner, &self.caller.subject) else { return Some(false) };
        item.map(|item| item.get(owner).and_then(AttributeValue::as_str) == Some(subject))
    }
}
