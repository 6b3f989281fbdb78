//! The stored item that a write names, and whether the caller may change it.

use super::target::{Targets, WriteTarget};
use crate::authorize::{Authorized, Reader};
use crate::caller::Caller;
use crate::error::Error;
use crate::record::Record;
use crate::write::plan::shared_by_all_tenants;

impl Targets<'_> {
    /// Reads the item that a write names. One that is being deleted counts as deleted.
    pub(crate) async fn read(&self, authorized: &Authorized<'_>, target: WriteTarget) -> Result<Record, Error> {
        let found = self.items.find(authorized.entity(), &target.identity).await?;
        self.require_changeable(authorized, target, found)
    }

    /// Reads the item that a delete names, even if an earlier delete of it was interrupted.
    pub(crate) async fn read_for_delete(
        &self,
        authorized: &Authorized<'_>,
        target: WriteTarget,
    ) -> Result<Record, Error> {
        let found = self.items.find_stored(authorized.entity(), &target.identity).await?;
        self.require_changeable(authorized, target, found)
    }

    fn require_changeable(
        &self,
        authorized: &Authorized<'_>,
        target: WriteTarget,
        found: Option<Record>,
    ) -> Result<Record, Error> {
        let entity = authorized.entity();
        let Some(found) = found.filter(|found| target.confined.sees(entity, &found.attributes)) else {
            return Err(target.not_found);
        };
        if let Err(denied) = authorized.require(&found.attributes) {
            // An item that the caller may not read does not exist for them.
            let reader = self.reader(authorized.caller());
            return Err(if reader.may_read(entity, &found.attributes) { denied } else { target.not_found });
        }
        if !target.confined.may_change(entity, &found.attributes) {
            return Err(shared_by_all_tenants(&entity.name));
        }
        Ok(found)
    }

    fn reader<'a>(&'a self, caller: &'a Caller) -> Reader<'a> {
        Reader { design: self.items.design, authorizer: self.authorizer, caller }
    }
}
