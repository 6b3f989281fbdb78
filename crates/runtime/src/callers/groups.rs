//! Adds the groups of a caller, and the permissions of groups and roles.

use keyfold_design::model::{EntityId, GroupSource, PermissionSource};
use keyfold_dynamo::{AttributeValue, Attributes};

use super::assigned_items::{add_once, string};
use super::resolver::CallerResolver;
use crate::caller::Caller;
use crate::error::Error;
use crate::record::Record;

impl CallerResolver<'_> {
    pub(super) async fn add_groups(
        &self,
        caller: &mut Caller,
        source: &GroupSource,
        subject: &str,
    ) -> Result<(), Error> {
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
        let found = self.items.find(group, &identity).await?;
        Ok(found.filter(|found| self.active_tenant(caller).sees(group, &found.attributes)))
    }

    pub(super) async fn add_permissions(
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
}

/// The strings in a list or set.
fn strings<'a>(attributes: &'a Attributes, name: &str) -> Box<dyn Iterator<Item = String> + 'a> {
    match attributes.get(name) {
        Some(AttributeValue::L(items)) => Box::new(items.iter().filter_map(|item| item.as_str().map(str::to_owned))),
        Some(AttributeValue::Ss(items)) => Box::new(items.iter().cloned()),
        _ => Box::new(std::iter::empty()),
    }
}
