//! The traits that a generated module implements for its entities and inputs.

use std::collections::BTreeMap;

use keyfold_dynamo::{AttributeValue, Attributes};

use crate::any::Any;
use crate::type_mismatch::TypeMismatch;
use crate::value::FromValue;

/// A design, as a type: what belongs to one design is not taken for another's.
pub trait Design {
    /// The name that the design file gives it.
    const NAME: &'static str;
}

/// An entity of a design.
pub trait Entity: Sized {
    /// The design that declares it.
    type Design: Design;
    /// As the design spells it.
    const NAME: &'static str;

    /// The item as this entity; fails where a required attribute is missing or a value has another type.
    fn read(item: &Attributes) -> Result<Self, TypeMismatch>;
}

/// What identifies an item.
pub trait Identity {
    /// The entity of the item.
    type Entity: Entity;

    /// Adds the identifying attributes to `item`.
    fn write(&self, item: &mut Attributes);
}

/// A whole item, for those who write it.
pub trait New {
    /// The entity of the item.
    type Entity: Entity;

    /// Adds the attributes that are given to `item`.
    fn write(&self, item: &mut Attributes);
}

/// A change of an item.
pub trait Patch {
    /// The entity of the item.
    type Entity: Entity;

    /// Adds the attributes that change to `item`; an attribute that is removed becomes `Null`.
    fn write(&self, item: &mut Attributes);
}

/// An entity whose items can be deleted.
pub trait Removable: Entity {}

/// What an access pattern returns: an entity, or one of several.
pub trait Returned: Sized {
    /// The design that declares the access pattern.
    type Design: Design;

    /// The item as what the pattern returns; `entity` is the name of the item's entity.
    fn read(entity: &str, item: &Attributes) -> Result<Self, TypeMismatch>;
}

impl<E: Entity> Returned for E {
    type Design = E::Design;

    fn read(entity: &str, item: &Attributes) -> Result<Self, TypeMismatch> {
        if entity == E::NAME { E::read(item) } else { Err(TypeMismatch::unexpected_entity(entity)) }
    }
}

/// An item as one of several entities.
pub fn boxed<E: Entity>(item: &Attributes) -> Result<Box<E>, TypeMismatch> {
    E::read(item).map(Box::new)
}

/// An attribute that every item has.
pub fn required<T: FromValue>(item: &Attributes, name: &str) -> Result<T, TypeMismatch> {
    optional(item, name)?.ok_or_else(|| TypeMismatch::new("it is missing").in_attribute(name))
}

/// An attribute that an item may lack.
pub fn optional<T: FromValue>(item: &Attributes, name: &str) -> Result<Option<T>, TypeMismatch> {
    match item.get(name) {
        None | Some(AttributeValue::Null) => Ok(None),
        Some(value) => T::from_value(value).map(Some).map_err(|mismatch| mismatch.in_attribute(name)),
    }
}

/// An attribute with a value of its own for items that others wrote without it.
pub fn or_default<T: FromValue>(item: &Attributes, name: &str, default: T) -> Result<T, TypeMismatch> {
    Ok(optional(item, name)?.unwrap_or(default))
}

/// The attributes that an open entity has besides those it declares.
pub fn other(item: &Attributes, declared: &[&str]) -> BTreeMap<String, Any> {
    let others = item.iter().filter(|(name, _)| !declared.contains(&name.as_str()));
    others.map(|(name, value)| (name.clone(), Any(value.clone()))).collect()
}
