//! The item that a write names, and whether the caller may change it.

use keyfold_design::model::Verb;
use keyfold_design::template::TemplateError;
use keyfold_dynamo::Attributes;

use crate::authorize::{Access, Authorized, authorize};
use crate::error::Error;
use crate::items::{identity_of, not_found};
use crate::record::Record;
use crate::runtime::Runtime;
use crate::tenancy::{Confinement, confinement};
use crate::write::plan::shared_by_all_tenants;

/// The item that a write names.
pub(crate) struct WriteTarget {
    pub confined: Confinement,
    pub identity: Attributes,
    /// The error if there is no such item, or none that the caller may see.
    pub not_found: Error,
}

impl Runtime {
    /// Binds the caller's tenant in the given attributes, and takes the identity from them.
    pub(crate) fn bind_target(
        &self,
        authorized: &Authorized<'_>,
        given: &mut Attributes,
    ) -> Result<WriteTarget, Error> {
        let entity = authorized.entity();
        let confined = confinement(&self.design, authorized.caller());
        confined.require_writer(entity)?;
        let not_found = not_found(entity, given);
        if !confined.bind_identity(entity, given) {
            return Err(not_found);
        }
        let identity = identity_of(entity, given)?;
        // No key can hold such an identity, so there is no such item.
        if let Err(TemplateError::TooLong { .. }) = entity.layout.key(|name| identity.get(name)) {
            return Err(not_found);
        }
        Ok(WriteTarget { confined, identity, not_found })
    }

    /// The item that was found, if the caller may change it.
    pub(crate) fn require_changeable(
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
        authorize(self.authorizer.as_ref(), access).is_ok_and(|reader| reader.admits(item))
    }
}
