//! The memberships that the table holds: in which tenants a caller may act, and in which role.

use keyfold_design::model::{CallerItem, CallerItemKey, Scope};
use keyfold_dynamo::Attributes;

use super::assigned_items::{add_once, string, typed_value};
use super::resolver::CallerResolver;
use crate::authorize::describe;
use crate::caller::Caller;
use crate::error::Error;
use crate::record::Record;

/// More memberships of one caller are not listed.
const MAX_LISTED: usize = 1000;

/// A tenant in which a caller may act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The id of the tenant.
    pub tenant: String,
    /// The caller's role in the tenant; absent if the design or the item has none.
    pub role: Option<String>,
}

impl CallerResolver<'_> {
    /// Rejects a caller, whose groups and permissions are known, who is not a member of the tenant that they act in,
    /// and adds the role of the membership. Operators act in all tenants. Machines need a membership like people,
    /// unless an item of the tenant is required of every caller, which may be of another entity than memberships.
    pub(super) async fn require_membership(&self, caller: &mut Caller, subject: &str) -> Result<(), Error> {
        let (Some(source), Some(tenant)) = (&self.design.callers.members, &caller.tenant) else { return Ok(()) };
        if caller.is_operator(self.design) || caller.is_machine() && self.requires_item_of_tenant() {
            return Ok(());
        }
        let found = self.items_with_value(source.entity, &source.range, &source.subject, subject, caller).await?;
        if found.is_empty() {
            return Err(Error::NotAllowed(format!("{} is not a member of `{tenant}`", describe(caller))));
        }
        for role in found.iter().filter_map(|membership| self.declared_role(source.role.as_ref(), membership)) {
            add_once(&mut caller.roles, role);
        }
        Ok(())
    }

    /// Whether every caller in a tenant needs an item of that tenant with their id.
    fn requires_item_of_tenant(&self) -> bool {
        let is_of_tenant = |item: &CallerItem| {
            self.design[item.entity].scope == Scope::Tenant && matches!(item.found_by, CallerItemKey::Subject { .. })
        };
        self.design.callers.requirements.iter().any(|requirement| requirement.alternatives.iter().all(is_of_tenant))
    }

    /// See [`crate::Runtime::memberships`].
    pub(super) async fn memberships(&self, caller: &Caller) -> Result<Vec<Membership>, Error> {
        let (Some(source), Some(design), Some(subject)) =
            (&self.design.callers.members, &self.design.tenant, &caller.subject)
        else {
            return Ok(Vec::new());
        };
        let Some(value) = typed_value(&self.design[source.entity], &source.subject, subject) else {
            return Ok(Vec::new());
        };
        let target = Attributes::from([(source.subject.clone(), value)]);
        let range = &source.of_all_tenants;
        let found = self.items_equal_to(source.entity, range, &[&source.subject], &target, Some(MAX_LISTED)).await?;
        let membership = |record: &Record| {
            let tenant = string(&record.attributes, &design.attribute)?;
            Some(Membership { tenant, role: self.declared_role(source.role.as_ref(), record) })
        };
        let mut memberships: Vec<Membership> = found.iter().filter_map(membership).collect();
        memberships.sort_by(|left, right| left.tenant.cmp(&right.tenant));
        Ok(memberships)
    }
}
