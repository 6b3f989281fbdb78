//! A write that the caller may make.

use keyfold_dynamo::AttributeValue;

use super::Planner;
use super::permitted::reject_unsettable;
use crate::authorize::{Access, Authorized, authorize};
use crate::caller::Caller;
use crate::error::Error;
use crate::names::entity_named;
use crate::tenancy::confinement;
use crate::write::command::Write;

/// An authorized write with its tenant bound and its ids generated. It is made once, however often it is planned.
pub(crate) struct AuthorizedWrite<'a> {
    pub write: Write,
    pub authorized: Authorized<'a>,
    /// The ids that were generated rather than given.
    pub generated_ids: Vec<String>,
    /// Whether a patch may change what the design says never changes.
    pub is_correction: bool,
}

impl<'r> Planner<'r> {
    /// Authorizes a write, binds its tenant and generates its ids.
    pub(crate) async fn authorize(&self, caller: &'r Caller, mut write: Write) -> Result<AuthorizedWrite<'r>, Error> {
        let entity = entity_named(self.design, write.entity())?;
        if !entity.is_written_directly() || entity.keeps_sequences {
            return Err(Error::Invalid(format!("{} is maintained by Keyfold and cannot be written", entity.name)));
        }
        // Before anything is read or drawn: nobody learns anything from a write that they may not make.
        let access = Access { caller, verb: write.verb().required(), entity, pattern: None };
        let authorized = authorize(self.authorizer, access)?;
        if let Write::Patch { attributes, options, .. } = &mut write {
            options.operators.move_attributes(entity, attributes)?;
        }
        let mut generated_ids = Vec::new();
        if let Write::Create { attributes, .. } | Write::Put { attributes, .. } | Write::Upsert { attributes, .. } =
            &mut write
        {
            reject_unsettable(entity, attributes.keys().map(String::as_str))?;
            attributes.retain(|_, value| *value != AttributeValue::Null);
            confinement(self.design, caller).bind_new(entity, attributes)?;
            generated_ids = self.ids().generate(entity, attributes).await?;
        }
        Ok(AuthorizedWrite { write, authorized, generated_ids, is_correction: false })
    }
}
