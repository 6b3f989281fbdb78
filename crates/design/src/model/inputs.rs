//! Which attributes callers set, which of them they have to give, and which every item has.

use super::{Attribute, AttributeType, Design, Entity, TenantBinding, Verb};

impl Entity {
    /// Whether the attribute counts the items that refer to this one. The runtime keeps it.
    pub fn is_counter(&self, name: &str) -> bool {
        self.counters.iter().any(|counter| counter == name)
    }

    /// Whether callers set the attribute: it is not a stamp, computed from other attributes, a copy of another one
    /// or a counter.
    pub fn is_settable(&self, attribute: &Attribute) -> bool {
        attribute.same_as.is_none()
            && attribute.computed.is_none()
            && !attribute.value_type.is_kept_by_runtime()
            && !self.is_counter(&attribute.name)
    }

    /// The attributes that callers set, in the order of the design.
    pub fn settable_attributes(&self) -> impl Iterator<Item = &Attribute> {
        self.attributes.iter().filter(|attribute| self.is_settable(attribute))
    }

    /// Whether every stored item has the attribute. Other programs may write items without what the runtime keeps.
    pub fn is_always_stored(&self, attribute: &Attribute) -> bool {
        self.with_sources(attribute).all(|attribute| {
            !attribute.may_be_absent()
                && attribute.computed.is_none()
                && !matches!(attribute.value_type, AttributeType::Stamp(_) | AttributeType::Expiry(_))
        })
    }

    /// Whether everyone who reads an item gets the attribute: it is always stored, and everyone may see it.
    pub fn is_always_present(&self, attribute: &Attribute) -> bool {
        self.is_always_stored(attribute) && self.with_sources(attribute).all(|attribute| attribute.visible_to.is_none())
    }

    /// The attribute, and those of which it is a copy.
    fn with_sources<'e>(&'e self, attribute: &'e Attribute) -> impl Iterator<Item = &'e Attribute> {
        let source = |copy: &&Attribute| copy.same_as.as_ref().and_then(|name| self.attribute(name));
        std::iter::successors(Some(attribute), source)
    }

    /// Whether callers may use the verb on items of the entity at all; the rules decide who.
    pub fn accepts(&self, verb: Verb) -> bool {
        let is_written = self.is_written_directly() && !self.keeps_sequences;
        match verb {
            Verb::Get | Verb::List => true,
            Verb::Create => is_written,
            Verb::Update | Verb::Delete => is_written && !self.append_only,
        }
    }
}

impl Design {
    /// The attributes that a patch may change: neither fixed ones, nor the identity or the tenant.
    pub fn changing_attributes<'e>(&self, entity: &'e Entity) -> Vec<&'e Attribute> {
        let tenant = self.implied_tenant(entity);
        entity
            .settable_attributes()
            .filter(|attribute| !attribute.fixed && !entity.identity.contains(&attribute.name))
            .filter(|attribute| tenant != Some(attribute.name.as_str()))
            .collect()
    }

    /// The attribute that holds the tenant of an item, where it is the caller's own unless stated: not where the items
    /// are the tenants themselves.
    pub fn implied_tenant(&self, entity: &Entity) -> Option<&str> {
        let tenant = self.tenant.as_ref()?;
        let belongs_to_tenant = entity.scope.has_tenant() && entity.tenant != TenantBinding::IsTenant;
        belongs_to_tenant.then_some(tenant.attribute.as_str())
    }

    /// Whether an item cannot be created without the attribute: it has no default and no generator, and the caller does
    /// not imply it.
    pub fn is_required_input(&self, entity: &Entity, attribute: &Attribute) -> bool {
        !attribute.optional
            && attribute.default.is_none()
            && attribute.generator.is_none()
            && self.implied_tenant(entity) != Some(&attribute.name)
    }
}
