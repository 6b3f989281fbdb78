//! Resolves a caller from the table.

use keyfold_design::Design;
use keyfold_environment::Clock;

use crate::caller::Caller;
use crate::error::Error;
use crate::items::Items;

/// Reads what the table says about callers.
#[derive(Clone, Copy)]
pub(super) struct CallerResolver<'r> {
    pub design: &'r Design,
    pub items: Items<'r>,
    /// Tells whether an item that callers need is valid now.
    pub clock: &'r dyn Clock,
}

impl CallerResolver<'_> {
    /// See [`crate::Runtime::resolve_caller`].
    pub(super) async fn resolve(&self, mut caller: Caller) -> Result<Caller, Error> {
        if caller.superuser || caller.subject.is_none() {
            return Ok(caller);
        }
        let callers = &self.design.callers;
        let user = self.identify(&mut caller).await?;
        let Some(subject) = caller.subject.clone() else { return Ok(caller) };
        if let Some(source) = &callers.groups {
            self.add_groups(&mut caller, source, &subject).await?;
        }
        if let Some(source) = &callers.permissions {
            self.add_permissions(&mut caller, source, &subject).await?;
        }
        // Last, since a group or permission can make the caller an operator, who needs no such item. The membership
        // comes before what the tenant itself has to be: others must not learn that there is such a tenant.
        self.require_membership(&mut caller, &subject).await?;
        self.require_items(&caller, &subject, user.as_ref()).await?;
        Ok(caller)
    }
}
