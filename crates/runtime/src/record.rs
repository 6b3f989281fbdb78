//! An item as the design sees it: an entity with its attributes.

use std::borrow::Cow;
use std::cmp::Ordering;

use keyfold_design::Design;
use keyfold_design::model::{Attribute, Entity, EntityId};
use keyfold_dynamo::{AttributeValue, Attributes, Item, ServiceError};

use crate::deletion_mark::{DELETION_MARK, DeletionMark};
use crate::description::describe_key;
use crate::error::Error;

/// An item of an entity.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The entity that the item belongs to.
    pub entity: EntityId,
    /// The declared attributes, including those that only the keys hold; all attributes if the entity is open.
    pub attributes: Attributes,
    /// Whether the caller may read the item. If not, a write returns its identity, its tenant and its version only.
    pub is_readable: bool,
    /// The identity and the tenant of the item, as far as the caller does not see them: for audit logs.
    pub(crate) concealed: Attributes,
    /// The stored item, for plans that change it; empty in the records that callers get.
    pub(crate) stored: Attributes,
}

/// The columns of an entity's items that a reader needs.
#[derive(Debug)]
pub(crate) struct Columns {
    /// The declared attributes, the table's keys and the deletion mark, in the order of their names.
    columns: Vec<Column>,
    /// Keys of the table, and what tells the entity's items from others with the same keys, that the entity does not
    /// declare.
    undeclared: Vec<String>,
}

#[derive(Debug)]
struct Column {
    name: String,
    /// The position of the declared attribute in the entity; `None` for a key or a mark that it does not declare.
    declared: Option<usize>,
    /// Whether an item that lacks it has to be decoded as a whole: its keys may hold the value.
    expected: bool,
}

impl Columns {
    pub(crate) fn new(design: &Design, entity: &Entity) -> Self {
        let keys: Vec<&String> =
            std::iter::once(&design.table.partition).chain(&design.table.sort).map(|key| &key.name).collect();
        let mut columns: Vec<Column> = entity
            .attributes
            .iter()
            .enumerate()
            .map(|(position, attribute)| {
                let may_lack = attribute.optional || attribute.default.is_some();
                let expected = !may_lack || entity.is_recoverable_from_keys(&attribute.name);
                Column { name: attribute.name.clone(), declared: Some(position), expected }
            })
            .collect();
        let kind = entity.kind.as_ref().map(|kind| &kind.attribute);
        let undeclared = keys.into_iter().chain(kind).filter(|name| entity.attribute(name).is_none());
        let undeclared: Vec<String> = undeclared.cloned().collect();
        let others = undeclared.iter().cloned().chain(std::iter::once(DELETION_MARK.to_owned()));
        columns.extend(others.map(|name| Column { name, declared: None, expected: false }));
        columns.sort_by(|one, other| one.name.cmp(&other.name));
        Self { columns, undeclared }
    }

    /// What is wrong with the value of a declared attribute; both are sorted by name, so that each list is walked once.
    pub(crate) fn misfit(&self, entity: &Entity, attributes: &Attributes) -> Option<String> {
        let mut columns = self.columns.iter().peekable();
        attributes.iter().find_map(|(name, value)| {
            while columns.next_if(|column| column.name < *name).is_some() {}
            let column = columns.next_if(|column| column.name == *name)?;
            entity.attributes.get(column.declared?)?.misfit(value)
        })
    }

    /// The columns of an item, and whether it has all that are expected. An item's attributes are sorted by name, so
    /// that each list is walked once.
    fn read(&self, item: &Item) -> Result<(Attributes, bool), Error> {
        let mut ahead = self.columns.as_slice();
        let mut complete = true;
        let is_column = |name: &str| {
            while let [column, after @ ..] = ahead {
                match column.name.as_str().cmp(name) {
                    Ordering::Greater => return false,
                    Ordering::Equal => {
                        ahead = after;
                        return true;
                    }
                    Ordering::Less => {
                        complete &= !column.expected;
                        ahead = after;
                    }
                }
            }
            false
        };
        let attributes = item.select(is_column).map_err(ServiceError::from)?;
        complete &= ahead.iter().all(|column| !column.expected);
        Ok((attributes, complete))
    }
}

impl Record {
    /// An item at a key of an entity; `None` if it is one of another entity with the same keys.
    pub(crate) fn read_kind(entity: &Entity, stored: Attributes) -> Result<Option<Self>, Error> {
        entity.is_kind_of(&stored).then(|| Self::read(entity, stored)).transpose()
    }

    /// The attributes, with an identity and a tenant that the caller does not see: not for responses.
    pub fn identified(&self) -> Cow<'_, Attributes> {
        if self.concealed.is_empty() {
            return Cow::Borrowed(&self.attributes);
        }
        let all = self.attributes.iter().chain(&self.concealed);
        Cow::Owned(all.map(|(name, value)| (name.clone(), value.clone())).collect())
    }

    /// An item that is known to be of an entity.
    pub(crate) fn read(entity: &Entity, stored: Attributes) -> Result<Self, Error> {
        let Some(from_keys) = entity.read_keys(&stored) else {
            return Err(undecodable(entity, &stored, "its key does not fit the key templates"));
        };
        let mut attributes = Attributes::new();
        for attribute in &entity.attributes {
            // An item that another program wrote may hold a value in its keys only.
            let value = stored.get(&attribute.name).or_else(|| from_keys.get(&attribute.name));
            if let Some(value) = value {
                attributes.insert(attribute.name.clone(), value.clone());
            }
        }
        if entity.open {
            for (name, value) in &stored {
                let own = name == DELETION_MARK || entity.layout.computed_names().any(|computed| computed == name);
                if !own && !attributes.contains_key(name) {
                    attributes.insert(name.clone(), value.clone());
                }
            }
        }
        remove_nulls(entity, &mut attributes);
        Ok(Self { entity: entity.id, attributes, is_readable: true, concealed: Attributes::new(), stored })
    }

    /// An item for a reader: only what the entity declares is built. `None` where the item is not of the entity.
    pub(crate) fn from_item(entity: &Entity, item: &Item, columns: &Columns) -> Result<Option<Self>, Error> {
        let (mut attributes, complete) = columns.read(item)?;
        if !entity.owns(&attributes) {
            return Ok(None);
        }
        let mark: Attributes = attributes.remove_entry(DELETION_MARK).into_iter().collect();
        if entity.open || !complete {
            let stored = item.attributes().map_err(ServiceError::from)?.clone();
            return Ok(Some(Self { stored: mark, ..Self::read(entity, stored)? }));
        }
        for name in &columns.undeclared {
            attributes.remove(name);
        }
        remove_nulls(entity, &mut attributes);
        Ok(Some(Self { entity: entity.id, attributes, is_readable: true, concealed: Attributes::new(), stored: mark }))
    }

    /// Whether the item is being deleted, so that it counts as deleted already.
    pub(crate) fn is_being_deleted(&self) -> bool {
        DeletionMark::read(&self.stored) == Some(DeletionMark::Deleting)
    }
}

/// Other programs store NULL where Keyfold stores nothing: what may be absent, is.
fn remove_nulls(entity: &Entity, attributes: &mut Attributes) {
    if attributes.values().any(|value| *value == AttributeValue::Null) {
        let is_optional =
            |own: &Attribute| own.may_be_absent() || own.computed.is_some() || own.value_type.is_kept_by_runtime();
        let may_be_absent = |name: &str| entity.attribute(name).is_some_and(is_optional);
        attributes.retain(|name, value| *value != AttributeValue::Null || !may_be_absent(name));
    }
}

/// The error of a stored item that does not fit its entity.
pub(crate) fn undecodable(entity: &Entity, stored: &Attributes, cause: impl Into<String>) -> Error {
    Error::Undecodable { key: describe_key(entity, stored), expected: entity.name.clone(), cause: cause.into() }
}
