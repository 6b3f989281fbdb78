//! One item by its identity.

use keyfold_design::Design;
use keyfold_design::model::{Entity, Verb};
use keyfold_dynamo::Attributes;

use crate::authorize::{Access, Authorized, Reader, authorize};
use crate::caller::Caller;
use crate::description::describe_identity;
use crate::error::Error;
use crate::record::Record;
use crate::runtime::Runtime;
use crate::tenancy::{Confinement, confinement};

impl Runtime {
    /// The item of an identity, read consistently. Another tenant's is indistinguishable from an item that does not
    /// exist. An item that does not fit the design is an [`Error::Undecodable`], for callers who may know of it.
    pub async fn get(&self, caller: &Caller, entity: &str, identity: Attributes) -> Result<Option<Record>, Error> {
        let found = self.get_as_stored(caller, entity, identity).await?;
        found.map(|record| self.require_fit(record)).transpose()
    }

    /// The same as [`Runtime::get`], whatever kinds the values of the item are of: a write may mend them.
    pub async fn get_as_stored(
        &self,
        caller: &Caller,
        entity: &str,
        mut identity: Attributes,
    ) -> Result<Option<Record>, Error> {
        let entity = self.entity(entity)?;
        let access = Access { caller, verb: Verb::Get, entity, pattern: None };
        let authorized = authorize(self.authorizer.as_ref(), access)?;
        let confined = confinement(&self.design, caller);
        if !bind_get(&self.design, &confined, entity, &mut identity)? {
            return Ok(None);
        }
        let found = self.items().find_for_reader(entity, &identity).await;
        self.visible_part(&authorized, &confined, &identity, found)
    }

    /// A record as the caller sees it, whatever its values.
    pub(super) fn visible_part(
        &self,
        authorized: &Authorized<'_>,
        confined: &Confinement,
        identity: &Attributes,
        found: Result<Option<Record>, Error>,
    ) -> Result<Option<Record>, Error> {
        let entity = authorized.entity();
        let found = match found {
            Err(Error::Undecodable { .. }) if !self.may_know_of(authorized, confined, identity) => return Ok(None),
            found => found?,
        };
        let visible = found.filter(|record| !record.is_being_deleted() && confined.sees(entity, &record.attributes));
        let Some(mut record) = visible.filter(|record| authorized.admits(&record.attributes)) else { return Ok(None) };
        authorized.conceal(&self.design, &mut record);
        record.stored.clear();
        Ok(Some(record))
    }

    /// The record, if every value in it is of a kind that its attribute has; otherwise an [`Error::Undecodable`].
    pub fn require_fit(&self, record: Record) -> Result<Record, Error> {
        let entity = &self.design[record.entity];
        match self.items().columns_of(entity).misfit(entity, &record.attributes) {
            Some(misfit) => Err(misfitting(entity, &record.attributes, misfit)),
            None => Ok(record),
        }
    }

    /// Whether the caller may know of an item that tells neither its tenant nor what the rules ask.
    fn may_know_of(&self, authorized: &Authorized<'_>, confined: &Confinement, identity: &Attributes) -> bool {
        let is_own = match confined {
            Confinement::None => true,
            Confinement::Tenant { attribute, .. } => identity.contains_key(attribute),
            Confinement::GlobalOnly { .. } => false,
        };
        authorized.caller().is_operator(&self.design) || is_own && !authorized.reads_items()
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

/// The error of an item with a value that no reader of its entity can take.
fn misfitting(entity: &Entity, attributes: &Attributes, cause: String) -> Error {
    Error::Undecodable { key: describe_identity(entity, attributes), expected: entity.name.clone(), cause }
}
