//! What the table says about a caller: the groups they are in, and the permissions that groups and roles give them.

use keyfold_design::model::{AccessPath, Entity, EntityId, GroupSource, PermissionSource};
use keyfold_dynamo::{AttributeValue, Attributes};
use serde_json::Value;

use crate::caller::Caller;
use crate::error::Error;
use crate::json;
use crate::record::Record;
use crate::runtime::Runtime;
use crate::tenancy::Confinement;

impl Runtime {
    /// The caller with the groups and permissions that the table gives to their subject, besides those they have already.
    /// Only what belongs to the tenant they act in counts, or to all; what is being deleted does not. Whoever established
    /// who the caller is asks once, and may keep the answer for as long as a change may take to be felt.
    pub async fn known(&self, mut caller: Caller) -> Result<Caller, Error> {
        let Some(subject) = caller.subject.clone().filter(|_| !caller.superuser) else { return Ok(caller) };
        if let Some(source) = &self.design.callers.groups {
            self.add_groups(&mut caller, source, &subject).await?;
        }
        if let Some(source) = &self.design.callers.permissions {
            self.add_permissions(&mut caller, source, &subject).await?;
        }
        Ok(caller)
    }

    async fn add_groups(&self, caller: &mut Caller, source: &GroupSource, subject: &str) -> Result<(), Error> {
        let memberships = self.having(source.membership, &source.path, &source.subject, subject, caller).await?;
        for membership in memberships {
            let Some(name) = text(&membership.attributes, &source.group) else { continue };
            if let Some((group, list)) = &source.permissions {
                // Whoever is in a group that is gone, or going, is in none.
                let Some(group) = self.group_of(source, *group, &membership, caller).await? else { continue };
                texts(&group.attributes, list).for_each(|permission| add(&mut caller.permissions, permission));
            }
            add(&mut caller.groups, name);
        }
        Ok(())
    }

    /// The group that a membership names: by its reference, or by the one attribute that identifies groups.
    async fn group_of(
        &self,
        source: &GroupSource,
        group: EntityId,
        membership: &Record,
        caller: &Caller,
    ) -> Result<Option<Record>, Error> {
        let entities = self.design.entity(source.membership).zip(self.design.entity(group));
        let Some((member_entity, group)) = entities else { return Ok(None) };
        let reference = member_entity
            .references
            .iter()
            .find(|reference| reference.attribute == source.group && reference.target == group.id);
        let mut identity = Attributes::new();
        for name in &group.identity {
            let own = reference.and_then(|reference| reference.mapping.iter().find(|(theirs, _)| theirs == name));
            let own = own.map_or(&source.group, |(_, own)| own);
            let Some(value) = membership.attributes.get(own) else { return Ok(None) };
            identity.insert(name.clone(), value.clone());
        }
        let found = self.items().find(group, &identity).await?;
        Ok(found.filter(|found| self.active(caller).sees(group, &found.attributes)))
    }

    async fn add_permissions(
        &self,
        caller: &mut Caller,
        source: &PermissionSource,
        subject: &str,
    ) -> Result<(), Error> {
        for user in self.having(source.caller, &source.path, &source.subject, subject, caller).await? {
            let Some(role) = text(&user.attributes, &source.role) else { continue };
            let path = &source.permission_path;
            for permission in self.having(source.permission, path, &source.permission_role, &role, caller).await? {
                let Some(key) = text(&permission.attributes, &source.key) else { continue };
                let actions = texts(&permission.attributes, &source.actions);
                actions.for_each(|action| add(&mut caller.permissions, format!("{key}.{action}")));
            }
        }
        Ok(())
    }

    /// The items of an entity that have a value, of the caller's tenant or of all.
    async fn having(
        &self,
        entity: EntityId,
        path: &AccessPath,
        attribute: &str,
        value: &str,
        caller: &Caller,
    ) -> Result<Vec<Record>, Error> {
        let Some((entity, value)) = self.design.entity(entity).and_then(|entity| valued(entity, attribute, value))
        else {
            return Ok(Vec::new());
        };
        let mut target = Attributes::from([(attribute.to_owned(), value)]);
        if let (Some(design), Some(tenant)) = (&self.design.tenant, &caller.tenant) {
            target.insert(design.attribute.clone(), AttributeValue::S(tenant.clone()));
        }
        let mapping = [(attribute.to_owned(), attribute.to_owned())];
        let found = match self.items().in_range(entity, path, &mapping, &target, None).await {
            // A value that no key can hold is one that no item has.
            Err(Error::Constraint(_)) => Vec::new(),
            found => found?,
        };
        let active = self.active(caller);
        let counts = |record: &Record| !record.is_being_deleted() && active.sees(entity, &record.attributes);
        Ok(found.into_iter().filter(counts).collect())
    }

    /// The tenant that the caller acts in, operator or not: an admin of one tenant is none in another.
    fn active(&self, caller: &Caller) -> Confinement {
        match (&self.design.tenant, &caller.tenant) {
            (None, _) => Confinement::None,
            (Some(design), Some(tenant)) => {
                Confinement::Tenant { attribute: design.attribute.clone(), tenant: tenant.clone() }
            }
            (Some(design), None) => Confinement::GlobalOnly { attribute: design.attribute.clone() },
        }
    }
}

/// A subject or role, which is a text, as the attribute has it.
fn valued<'d>(entity: &'d Entity, attribute: &str, value: &str) -> Option<(&'d Entity, AttributeValue)> {
    let declared = entity.attribute(attribute)?;
    let value = json::value_of(attribute, &declared.value_type, &Value::String(value.to_owned())).ok()?;
    Some((entity, value))
}

fn text(attributes: &Attributes, name: &str) -> Option<String> {
    attributes.get(name).and_then(AttributeValue::as_str).map(str::to_owned)
}

/// The texts of a list or set.
fn texts<'a>(attributes: &'a Attributes, name: &str) -> Box<dyn Iterator<Item = String> + 'a> {
    match attributes.get(name) {
        Some(AttributeValue::L(items)) => Box::new(items.iter().filter_map(|item| item.as_str().map(str::to_owned))),
        Some(AttributeValue::Ss(items)) => Box::new(items.iter().cloned()),
        _ => Box::new(std::iter::empty()),
    }
}

fn add(list: &mut Vec<String>, name: String) {
    if !list.contains(&name) {
        list.push(name);
    }
}
