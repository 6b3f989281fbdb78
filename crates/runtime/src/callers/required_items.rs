//! The items that callers need: a caller without them is refused, whatever their token says.

use keyfold_design::model::{CallerItem, CallerItemKey, CallerRequirement, Scope};
use keyfold_dynamo::{AttributeValue, Attributes};

use super::resolver::CallerResolver;
use crate::authorize::describe;
use crate::caller::Caller;
use crate::clock::timestamp;
use crate::error::Error;
use crate::record::Record;

impl CallerResolver<'_> {
    /// An error unless the table holds the items that the design requires of this caller, whose groups and permissions
    /// are known. Operators need none: what makes them operators is in their token, or in an item of its own.
    pub(super) async fn require_items(
        &self,
        caller: &Caller,
        subject: &str,
        user: Option<&Record>,
    ) -> Result<(), Error> {
        let requirements = &self.design.callers.requirements;
        if requirements.is_empty() || caller.is_operator(self.design) {
            return Ok(());
        }
        let now = timestamp(self.clock.now_ms())?;
        for requirement in requirements {
            self.require_one(requirement, caller, subject, user, &now).await?;
        }
        Ok(())
    }

    async fn require_one(
        &self,
        requirement: &CallerRequirement,
        caller: &Caller,
        subject: &str,
        user: Option<&Record>,
        now: &str,
    ) -> Result<(), Error> {
        // Callers without a tenant reach nothing that belongs to one.
        let applies = |item: &&CallerItem| {
            let is_of_tenants =
                self.design[item.entity].scope == Scope::Tenant || matches!(item.found_by, CallerItemKey::Tenant);
            caller.tenant.is_some() || !is_of_tenants
        };
        let mut names = Vec::new();
        for item in requirement.alternatives.iter().filter(applies) {
            let entity = &self.design[item.entity];
            let is_met = |record: &Record| item.is_met_by(entity, &record.attributes, now);
            let is_met = match user.filter(|user| self.is_user(item, user)) {
                Some(user) => is_met(user),
                None => self.caller_items(item, caller, subject).await?.iter().any(is_met),
            };
            if is_met {
                return Ok(());
            }
            names.push(entity.name.as_str());
        }
        if names.is_empty() {
            return Ok(());
        }
        Err(Error::NotAllowed(format!(
            "{} is locked out: a valid {} is required",
            describe(caller),
            names.join(" or ")
        )))
    }

    /// Whether an item that callers need is the user that the token led to, which has been read already.
    fn is_user(&self, item: &CallerItem, user: &Record) -> bool {
        let by_id = match (&item.found_by, &self.design.callers.users) {
            (CallerItemKey::Subject { attribute, .. }, Some(users)) => *attribute == users.id,
            _ => false,
        };
        by_id && item.entity == user.entity && self.design[item.entity].scope == Scope::Global
    }

    async fn caller_items(&self, item: &CallerItem, caller: &Caller, subject: &str) -> Result<Vec<Record>, Error> {
        match (&item.found_by, &self.design.tenant, &caller.tenant) {
            (CallerItemKey::Subject { attribute, range }, ..) => {
                self.items_with_value(item.entity, range, attribute, subject, caller).await
            }
            (CallerItemKey::Tenant, Some(design), Some(tenant)) => {
                let identity = Attributes::from([(design.attribute.clone(), AttributeValue::S(tenant.clone()))]);
                let entity = &self.design[item.entity];
                // No item has an id that does not fit into a key.
                if entity.layout.key(|name| identity.get(name)).is_err() {
                    return Ok(Vec::new());
                }
                Ok(self.items.find(entity, &identity).await?.into_iter().collect())
            }
            (CallerItemKey::Tenant, ..) => Ok(Vec::new()),
        }
    }
}
