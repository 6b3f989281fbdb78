//! The stored item that a write names, and whether the caller may change it.

use keyfold_design::model::Verb;
use keyfold_dynamo::Attributes;

use super::target::{Targets, WriteTarget};
use crate::authorize::{Access, Authorized, authorize};
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
            let readable = self.may_read(authorized, &found.attributes);
            return Err(if readable { denied } else { target.not_found });
        }
        if !target.confined.may_change(entity, &found.attributes) {
            return Err(shared_by_all_tenants(&entity.name));
        }
        Ok(found)
    }

    /// Whether the caller of a write may read an item.
    pub(crate) fn may_read(&self, authorized: &Authorized<'_>, item: &Attributes) -> bool {
        let access =
            Access { caller: authorized.caller(), verb: Verb::Get, entity: authorized.entity(), pattern: None };
        authorize(self.authorizer, access).is_ok_and(|reader| reader.admits(item))
    }
}
