//! One item by its identity.

use keyfold_design::Design;
use keyfold_design::model::{Entity, Verb};
use keyfold_dynamo::Attributes;

use crate::authorize::{Access, Authorized, Reader, authorize};
use crate::caller::Caller;
use crate::error::Error;
use crate::record::Record;
use crate::runtime::Runtime;
use crate::tenancy::{Confinement, confinement};

impl Runtime {
    /// The item of an identity, read consistently. Another tenant's is indistinguishable from an
    /// item that does not exist.
    pub async fn get(&self, caller: &Caller, entity: &str, mut identity: Attributes) -> Result<Option<Record>, Error> {
        let entity = self.entity(entity)?;
        let access = Access { caller, verb: Verb::Get, entity, pattern: None };
        let authorized = authorize(self.authorizer.as_ref(), access)?;
        let confined = confinement(&self.design, caller);
        if !bind_get(&self.design, &confined, entity, &mut identity)? {
            return Ok(None);
        }
        let found = self.items().find_for_reader(entity, &identity).await?;
        Ok(visible_part(&self.design, &authorized, &confined, found))
    }

    /// The attributes of an item that are hidden from the caller by now; `None` if they may not read it at all. An item
    /// that has been deleted since is judged by the rules that depend on no item.
    pub async fn hidden_attributes(
        &self,
        caller: &Caller,
        entity: &str,
        identity: &Attributes,
    ) -> Result<Option<Vec<String>>, Error> {
        let entity = self.entity(entity)?;
        let reader = Reader { design: &self.design, authorizer: self.authorizer.as_ref(), caller };
        let Some(authorized) = reader.authorized(entity) else { return Ok(None) };
        let found = self.items().find(entity, identity).await?;
        let may_read = match &found {
            Some(record) => reader.may_read(entity, &record.attributes),
            None => !authorized.reads_items(),
        };
        if !may_read {
            return Ok(None);
        }
        let item = found.as_ref().map(|record| &record.attributes);
        let is_hidden = |name: &&String| authorized.sees_attribute(&self.design, name, item) != Some(true);
        let names = entity.attributes.iter().map(|attribute| &attribute.name);
        Ok(Some(names.filter(is_hidden).cloned().collect()))
    }
}

/// Binds the tenant of an identity, which has nothing else in it; `false` where there can be no such item.
pub(super) fn bind_get(
    design: &Design,
    confined: &Confinement,
    entity: &Entity,
    identity: &mut Attributes,
) -> Result<bool, Error> {
    if !confined.bind_identity(entity, identity) {
        return Ok(false);
    }
    for name in identity.keys() {
        let known = entity.identity.iter().any(|part| part == name);
        let tenant = design.tenant.as_ref().is_some_and(|tenant| tenant.attribute == *name);
        if !known && !tenant {
            return Err(Error::Invalid(format!(
                "{} is identified by {}, not by `{name}`",
                entity.name,
                entity.identity.join(", ")
            )));
        }
    }
    Ok(true)
}

/// A record as the caller sees it.
pub(super) fn visible_part(
    design: &Design,
    authorized: &Authorized<'_>,
    confined: &Confinement,
    found: Option<Record>,
) -> Option<Record> {
    let entity = authorized.entity();
    let visible = found.filter(|record| !record.is_being_deleted() && confined.sees(entity, &record.attributes));
    visible.filter(|record| authorized.admits(&record.attributes)).map(|mut record| {
        authorized.conceal(design, &mut record);
        record.stored.clear();
        record
    })
}
