//! The address of an entity's items over REST: `/{plural}/{identity…}` below the design's own.

use super::{Design, Entity, EntityId, Verb};
use crate::wording::plural_of;

/// First segments that no entity can have, because other routes of a design use them.
pub const RESERVED_SEGMENTS: [&str; 7] =
    ["patterns", "transactions", "authorize", "me", "audit", "openapi.json", "docs"];

/// The parameters of every query, besides those of its pattern.
pub const PAGING_PARAMETERS: [&str; 5] = ["take", "limit", "budget", "cursor", "order"];

/// The address of an entity's items, and the verbs it accepts.
#[derive(Debug, Clone)]
pub struct Resource {
    /// The entity of the items.
    pub entity: EntityId,
    /// The first segment: `tech-users` for TechUser.
    pub segment: String,
    /// The attributes of the identity, one segment each. The tenant's attribute is not among them: it is the caller's
    /// own, or what `?tenant=` states, unless the items are the tenants themselves.
    pub path: Vec<String>,
    /// The tenant's attribute; `None` if items have none, or if it is in the path.
    pub tenant: Option<String>,
    /// Whether the tenant is part of an item's identity.
    pub found_by_tenant: bool,
    verbs: Vec<Verb>,
}

impl Resource {
    /// The resource of an entity of the design.
    pub fn new(design: &Design, entity: &Entity) -> Self {
        let tenant = design.implied_tenant(entity);
        Self {
            entity: entity.id,
            segment: segment(&entity.plural),
            path: entity.identity.iter().filter(|name| Some(name.as_str()) != tenant).cloned().collect(),
            tenant: tenant.map(str::to_owned),
            found_by_tenant: tenant.is_some_and(|tenant| entity.identity.iter().any(|name| name == tenant)),
            verbs: Verb::ALL.into_iter().filter(|verb| *verb != Verb::List && entity.accepts(*verb)).collect(),
        }
    }

    /// Whether callers may use the verb; never `List`, which is for patterns.
    pub fn accepts(&self, verb: Verb) -> bool {
        self.verbs.contains(&verb)
    }

    /// Whether there is one item only, at the address of the collection.
    pub fn is_single(&self) -> bool {
        self.path.is_empty()
    }

    /// The path template of an item: `/licenses/{licenseId}`.
    pub fn template(&self) -> String {
        let names: Vec<String> = self.path.iter().map(|name| format!("/{{{name}}}")).collect();
        format!("/{}{}", self.segment, names.concat())
    }
}

/// The first segment of an entity without a `plural` of its own.
pub fn default_segment(entity_name: &str) -> String {
    segment(&plural_of(entity_name))
}

/// `TechUsers` is `tech-users`.
fn segment(plural: &str) -> String {
    let mut segment = String::with_capacity(plural.len() + 4);
    for character in plural.chars() {
        if !character.is_alphanumeric() {
            segment.push('-');
            continue;
        }
        if character.is_uppercase() && !segment.is_empty() && !segment.ends_with('-') {
            segment.push('-');
        }
        segment.extend(character.to_lowercase());
    }
    segment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_are_segments() {
        for (plural, expected) in
            [("Licenses", "licenses"), ("TechUsers", "tech-users"), ("Lost things", "lost-things")]
        {
            assert_eq!(segment(plural), expected);
        }
    }
}
