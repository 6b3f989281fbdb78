//! Resolves a caller from the table: who they are, their membership, their groups, and the permissions of groups and
//! roles.

use keyfold_design::model::{Entity, EntityId, GroupSource, PermissionSource, ReferenceRange};
use keyfold_dynamo::{AttributeValue, Attributes};
use serde_json::Value;

use crate::caller::Caller;
use crate::error::Error;
use crate::json;
use crate::record::Record;
use crate::runtime::Runtime;
use crate::tenancy::Confinement;

impl Runtime {
    /// Looks up the user of a token (`callers: {are: …}`), whose id is the subject from then on, and adds the roles,
    /// groups and permissions that the table assigns to them. Only items of the caller's tenant and items shared by all
    /// tenants count; items being deleted do not. Call this once after authentication; the result may be cached for as
    /// long as a change may take to have effect.
    ///
    /// A person whom no user item stands for is refused with [`Error::UnknownUser`], and a caller who is not a member
    /// of their tenant (`callers: {members: …}`) or lacks an item that the design requires (`callers: {requires: …}`)
    /// with [`Error::NotAllowed`]. If the table cannot be read, the error says so, and the caller has to be refused as
    /// well.
    pub async fn resolve_caller(&self, mut caller: Caller) -> Result<Caller, Error> {
        if caller.superuser || caller.subject.is_none() {
            return Ok(caller);
        }
        let user = self.identify(&mut caller).await?;
        let Some(subject) = caller.subject.clone() else { return Ok(caller) };
        if let Some(source) = &self.design.callers.groups {
            self.add_groups(&mut caller, source, &subject).await?;
        }
        if let Some(source) = &self.design.callers.permissions {
            self.add_permissions(&mut caller, source, &subject).await?;
        }
        // Last, since a group or permission can make the caller an operator, who needs no such item. The membership
        // comes before what the tenant itself has to be: others must not learn that there is such a tenant.
        self.require_membership(&mut caller, &subject).await?;
        self.require_caller_items(&caller, &subject, user.as_ref()).await?;
        Ok(caller)
    }

    async fn add_groups(&self, caller: &mut Caller, source: &GroupSource, subject: &str) -> Result<(), Error> {
        let memberships =
            self.items_with_value(source.membership, &source.range, &source.subject, subject, caller).await?;
        for membership in memberships {
            let Some(name) = string(&membership.attributes, &source.group) else { continue };
            if let Some((group, list)) = &source.permissions {
                // A membership in a group that is deleted or being deleted does not count.
                let Some(group) = self.group_of(source, *group, &membership, caller).await? else { continue };
                strings(&group.attributes, list).for_each(|permission| add_once(&mut caller.permissions, permission));
            }
            add_once(&mut caller.groups, name);
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
        let (member_entity, group) = (&self.design[source.membership], &self.design[group]);
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
        Ok(found.filter(|found| self.active_tenant(caller).sees(group, &found.attributes)))
    }

    async fn add_permissions(
        &self,
        caller: &mut Caller,
        source: &PermissionSource,
        subject: &str,
    ) -> Result<(), Error> {
        for user in self.items_with_value(source.caller, &source.range, &source.subject, subject, caller).await? {
            let Some(role) = string(&user.attributes, &source.role) else { continue };
            let range = &source.permission_range;
            for permission in
                self.items_with_value(source.permission, range, &source.permission_role, &role, caller).await?
            {
                let Some(key) = string(&permission.attributes, &source.key) else { continue };
                let actions = strings(&permission.attributes, &source.actions);
                actions.for_each(|action| add_once(&mut caller.permissions, format!("{key}.{action}")));
            }
        }
        Ok(())
    }

    /// The items of an entity with the value in the attribute, of the caller's tenant or shared by all tenants.
    pub(crate) async fn items_with_value(
        &self,
        entity: EntityId,
        range: &ReferenceRange,
        attribute: &str,
        value: &str,
        caller: &Caller,
    ) -> Result<Vec<Record>, Error> {
        let declared = &self.design[entity];
        let Some(value) = typed_value(declared, attribute, value) else { return Ok(Vec::new()) };
        let mut target = Attributes::from([(attribute.to_owned(), value)]);
        if let (Some(design), Some(tenant)) = (&self.design.tenant, &caller.tenant) {
            target.insert(design.attribute.clone(), AttributeValue::S(tenant.clone()));
        }
        let mut found = self.items_equal_to(entity, range, &[attribute], &target, None).await?;
        let active = self.active_tenant(caller);
        found.retain(|record| active.sees(declared, &record.attributes));
        Ok(found)
    }

    /// The items of an entity in a range that have the target's values in these attributes, of whichever tenant.
    pub(crate) async fn items_equal_to(
        &self,
        entity: EntityId,
        range: &ReferenceRange,
        attributes: &[&str],
        target: &Attributes,
        limit: Option<usize>,
    ) -> Result<Vec<Record>, Error> {
        let mapping: Vec<_> = attributes.iter().map(|name| ((*name).to_owned(), (*name).to_owned())).collect();
        // No item has a value that does not fit into a key.
        let Ok(requests) = self.items().range_requests(range, target) else { return Ok(Vec::new()) };
        let mut found =
            self.items().in_requests(&self.design[entity], range, &mapping, target, requests, limit).await?;
        found.retain(|record| !record.is_being_deleted());
        Ok(found)
    }

    /// The tenant in which the caller acts, operator or not: an admin of one tenant has no rights in another.
    fn active_tenant(&self, caller: &Caller) -> Confinement {
        match (&self.design.tenant, &caller.tenant) {
            (None, _) => Confinement::None,
            (Some(design), Some(tenant)) => {
                Confinement::Tenant { attribute: design.attribute.clone(), tenant: tenant.clone() }
            }
            (Some(design), None) => Confinement::GlobalOnly { attribute: design.attribute.clone() },
        }
    }
}

/// A subject or role converted to the type of the attribute; `None` if no item can have it.
pub(crate) fn typed_value(entity: &Entity, attribute: &str, value: &str) -> Option<AttributeValue> {
    let declared = entity.attribute(attribute)?;
    json::value_of(attribute, &declared.value_type, &Value::String(value.to_owned())).ok()
}

pub(crate) fn string(attributes: &Attributes, name: &str) -> Option<String> {
    attributes.get(name).and_then(AttributeValue::as_str).map(str::to_owned)
}

/// The strings in a list or set.
fn strings<'a>(attributes: &'a Attributes, name: &str) -> Box<dyn Iterator<Item = String> + 'a> {
    match attributes.get(name) {
        Some(AttributeValue::L(items)) => Box::new(items.iter().filter_map(|item| item.as_str().map(str::to_owned))),
        Some(AttributeValue::Ss(items)) => Box::new(items.iter().cloned()),
        _ => Box::new(std::iter::empty()),
    }
}

pub(crate) fn add_once(list: &mut Vec<String>, name: String) {
    if !list.contains(&name) {
        list.push(name);
    }
}
