//! Items by their identity, as they are now.

use keyfold_design::model::{Entity, Verb};
use keyfold_design::template::TemplateError;
use keyfold_dynamo::operation::GetItemInput;
use keyfold_dynamo::{AttributeValue, Attributes, Item, ServiceError};

use super::execute::shared;
use crate::authorize::{Access, Authorized, authorize};
use crate::error::Error;
use crate::record::{Record, describe_identity};
use crate::runtime::Runtime;
use crate::tenancy::{Confinement, confinement};

/// An item that someone wants to change.
pub(crate) struct Sought {
    pub confined: Confinement,
    pub identity: Attributes,
    /// What is said where there is none, or none that the caller sees.
    pub missing: Error,
}

impl Runtime {
    /// The newest item of an identity, whoever it belongs to; one that is being deleted counts as gone.
    pub(crate) async fn find(&self, entity: &Entity, attributes: &Attributes) -> Result<Option<Record>, Error> {
        Ok(self.find_even_going(entity, attributes).await?.filter(|record| !record.is_going()))
    }

    pub(crate) async fn find_even_going(
        &self,
        entity: &Entity,
        attributes: &Attributes,
    ) -> Result<Option<Record>, Error> {
        if !entity.is_found_by_key() {
            return self.find_by_partition(entity, attributes).await;
        }
        let item = self.item_of(entity, attributes).await?;
        let stored = item.map(Item::into_attributes).transpose().map_err(ServiceError::from)?;
        stored.map(|stored| Record::read(entity, stored)).transpose()
    }

    /// The same for someone who only reads: nothing but what the entity declares is built.
    pub(crate) async fn find_for_reader(
        &self,
        entity: &Entity,
        attributes: &Attributes,
    ) -> Result<Option<Record>, Error> {
        if !entity.is_found_by_key() {
            return self.find_by_partition(entity, attributes).await;
        }
        let Some(item) = self.item_of(entity, attributes).await? else { return Ok(None) };
        match Record::of_item(entity, &item, self.columns_of(entity))? {
            Some(record) => Ok(Some(record)),
            None => Record::read(entity, item.into_attributes().map_err(ServiceError::from)?).map(Some),
        }
    }

    async fn item_of(&self, entity: &Entity, attributes: &Attributes) -> Result<Option<Item>, Error> {
        let input = GetItemInput {
            table_name: self.table.clone(),
            key: self.key_of(entity, attributes)?,
            consistent_read: true,
            ..GetItemInput::default()
        };
        Ok(self.get_item(input).await?.item)
    }

    /// The base key of an item.
    pub(crate) fn key_of(&self, entity: &Entity, attributes: &Attributes) -> Result<Attributes, Error> {
        let key = entity.layout.key(|name| attributes.get(name).filter(|value| **value != AttributeValue::Null))?;
        key.ok_or_else(|| {
            let missing: Vec<&str> =
                entity.layout.key_attributes().into_iter().filter(|name| !attributes.contains_key(*name)).collect();
            Error::Invalid(format!("the key of {} needs {}", entity.name, missing.join(", ")))
        })
    }

    /// The base key of an item whose stored form was made of these attributes.
    pub(super) fn key_among(
        &self,
        entity: &Entity,
        item: &Attributes,
        made_of: &Attributes,
    ) -> Result<Attributes, Error> {
        let key = self.stored_key(item);
        let parts = 1 + usize::from(self.design.table.sort.is_some());
        if key.len() == parts { Ok(key) } else { self.key_of(entity, made_of) }
    }

    pub(super) fn stored_key(&self, stored: &Attributes) -> Attributes {
        let is_key = |name: &String| self.design.is_table_key(name);
        stored.iter().filter(|(name, _)| is_key(name)).map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// What a change is of, with the tenant bound in what was given.
    pub(crate) fn sought(&self, authorized: &Authorized<'_>, given: &mut Attributes) -> Result<Sought, Error> {
        let entity = authorized.entity();
        let confined = confinement(&self.design, authorized.caller());
        confined.require_writer(entity)?;
        let missing = not_found(entity, given);
        if !confined.bind_identity(entity, given) {
            return Err(missing);
        }
        let identity = identity_of(entity, given)?;
        // An identity that no key can hold is that of no item.
        if let Err(TemplateError::TooLong { .. }) = entity.layout.key(|name| identity.get(name)) {
            return Err(missing);
        }
        Ok(Sought { identity, confined, missing })
    }

    /// What was found, if the caller may change it.
    pub(crate) fn changeable(
        &self,
        authorized: &Authorized<'_>,
        sought: Sought,
        found: Option<Record>,
    ) -> Result<Record, Error> {
        let entity = authorized.entity();
        let Some(found) = found.filter(|found| sought.confined.sees(entity, &found.attributes)) else {
            return Err(sought.missing);
        };
        self.require(authorized, &found.attributes, sought.missing)?;
        if !sought.confined.may_change(entity, &found.attributes) {
            return Err(shared(&entity.name));
        }
        Ok(found)
    }

    /// Refuses what the caller may not do to an item. One that they may not even see is as good as missing.
    pub(super) fn require(&self, authorized: &Authorized<'_>, item: &Attributes, missing: Error) -> Result<(), Error> {
        let Err(refusal) = authorized.require(item) else { return Ok(()) };
        Err(if self.may_read(authorized, item) { refusal } else { missing })
    }

    /// Whether whoever wants to change an item may read it.
    pub(super) fn may_read(&self, authorized: &Authorized<'_>, item: &Attributes) -> bool {
        let access =
            Access { caller: authorized.caller(), verb: Verb::Get, entity: authorized.entity(), pattern: None };
        authorize(self.authorizer.as_ref(), access).is_ok_and(|reader| reader.admits(item))
    }
}

/// What identifies an item, out of a larger input.
pub(super) fn identity_of(entity: &Entity, given: &Attributes) -> Result<Attributes, Error> {
    let mut identity = Attributes::new();
    for name in &entity.identity {
        match given.get(name) {
            Some(value) if *value != AttributeValue::Null => identity.insert(name.clone(), value.clone()),
            _ => {
                return Err(Error::Invalid(format!("{} is identified by {}", entity.name, entity.identity.join(", "))));
            }
        };
    }
    Ok(identity)
}

pub(crate) fn not_found(entity: &Entity, identity: &Attributes) -> Error {
    Error::NotFound { entity: entity.name.clone(), identity: describe_identity(entity, identity) }
}

pub(super) fn exists(entity: &Entity, identity: &Attributes) -> Error {
    Error::Exists { entity: entity.name.clone(), identity: describe_identity(entity, identity) }
}
