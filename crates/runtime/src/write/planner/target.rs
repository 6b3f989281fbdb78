//! The item that a write names.

use keyfold_design::template::TemplateError;
use keyfold_dynamo::Attributes;

use crate::authorize::{Authorized, Authorizer};
use crate::error::Error;
use crate::items::{Items, identity_of, not_found};
use crate::tenancy::{Confinement, confinement};

/// The item that a write names.
pub(crate) struct WriteTarget {
    pub confined: Confinement,
    pub identity: Attributes,
    /// The error if the item does not exist or the caller may not see it.
    pub not_found: Error,
}

/// Binds and reads the items that writes name.
#[derive(Clone, Copy)]
pub(crate) struct Targets<'r> {
    pub items: Items<'r>,
    pub authorizer: &'r dyn Authorizer,
}

impl Targets<'_> {
    /// Binds the caller's tenant in the given attributes, and takes the identity from them.
    pub(crate) fn bind(&self, authorized: &Authorized<'_>, given: &mut Attributes) -> Result<WriteTarget, Error> {
        let entity = authorized.entity();
        let confined = confinement(self.items.design, authorized.caller());
        confined.require_writer(entity)?;
        if !confined.bind_identity(entity, given) {
            return Err(not_found(entity, given));
        }
        // With the tenant that was bound.
        let not_found = not_found(entity, given);
        let identity = identity_of(entity, given)?;
        // Such an identity does not fit into a key, so the item does not exist.
        if let Err(TemplateError::TooLong { .. }) = entity.layout.key(|name| identity.get(name)) {
            return Err(not_found);
        }
        Ok(WriteTarget { confined, identity, not_found })
    }
}
