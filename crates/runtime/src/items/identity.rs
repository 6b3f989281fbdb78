//! Identities: the attributes that identify an item.

use keyfold_design::model::Entity;
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::description::describe_identity;
use crate::error::Error;

/// The attributes that identify an item.
pub(crate) fn identity_of(entity: &Entity, given: &Attributes) -> Result<Attributes, Error> {
    let mut identity = Attributes::new();
    for name in &entity.identity {
        match given.get(name) {
            Some(value) if *value != AttributeValue::Null => identity.insert(name.clone(), value.clone()),
            _ => return Err(Error::Invalid(identified_by(entity))),
        };
    }
    Ok(identity)
}

/// The message for an identity that lacks an attribute.
pub(super) fn identified_by(entity: &Entity) -> String {
    format!("{} is identified by {}", entity.name, entity.identity.join(", "))
}

/// The error of an item that does not exist.
pub(crate) fn not_found(entity: &Entity, identity: &Attributes) -> Error {
    Error::NotFound { entity: entity.name.clone(), identity: describe_identity(entity, identity) }
}

/// The error of an item that already exists.
pub(crate) fn exists(entity: &Entity, identity: &Attributes) -> Error {
    Error::Exists { entity: entity.name.clone(), identity: describe_identity(entity, identity) }
}
