//! Conditions of actions, and what their failure means.

use keyfold_dynamo::Attributes;
use keyfold_dynamo::expression::Condition;

use crate::error::{Error, ItemName};

/// A condition, and what it means if it does not hold.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    pub condition: Condition,
    pub failure: GuardFailure,
    /// The position in its transaction of the write that the guard is for; absent if the call has one write.
    pub write: Option<usize>,
}

/// Writes that need the same guard share it, so the position of the write is not compared.
impl PartialEq for Guard {
    fn eq(&self, other: &Self) -> bool {
        self.condition == other.condition && self.failure == other.failure
    }
}

/// The meaning of a guard that does not hold.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GuardFailure {
    /// The item does not exist.
    NotFound { entity: String, identity: String },
    /// The item belongs to all tenants, and members cannot change it.
    SharedByAllTenants { entity: String },
    /// The item already exists.
    AlreadyExists { entity: String, identity: String },
    /// The item changed since it was read: plan again.
    ChangedSinceRead,
    /// The item does not have the version that the caller expects.
    VersionMismatch { entity: String, identity: String },
    /// The item does not meet a term of the caller's condition. `item` is what identifies it, and `tenant` the
    /// attribute with its tenant.
    ConditionNotMet { entity: String, item: Attributes, term: String, tenant: Option<String> },
    /// The item has a deletion mark: plan again.
    BeingDeleted { entity: String, identity: String },
    /// Another item has the value. `tenant` is the tenant's attribute, which callers do not set.
    UniqueValueTaken { unique: String, attributes: Vec<String>, tenant: Option<String> },
    /// There is nothing to undo: the item whose counter decreases is gone or was never counted, or the lookup or
    /// derived item to be deleted belongs to another item by now.
    ActionNotNeeded,
    /// The item that an attribute refers to does not exist.
    MissingReference { attribute: String, target: String },
}

impl Guard {
    pub(crate) fn new(condition: Condition, failure: GuardFailure) -> Self {
        Self { condition, failure, write: None }
    }

    /// The caller's error, given the item that was found.
    pub(crate) fn to_error(&self, found: Option<&Attributes>) -> Error {
        let error = self.failure.to_error(found);
        match self.write {
            Some(position) => error.in_write(position),
            None => error,
        }
    }
}

impl GuardFailure {
    /// Whether the failure tells that another item has the key or a unique value.
    pub(crate) fn is_taken(&self) -> bool {
        matches!(self, Self::AlreadyExists { .. } | Self::UniqueValueTaken { .. })
    }

    /// The caller's error, given the item that was found.
    pub(crate) fn to_error(&self, found: Option<&Attributes>) -> Error {
        match self {
            Self::ChangedSinceRead | Self::ActionNotNeeded => Error::Conflict { item: None, current: None },
            Self::NotFound { entity, identity } => {
                Error::NotFound { entity: entity.clone(), identity: identity.clone() }
            }
            Self::SharedByAllTenants { entity } => shared_by_all_tenants(entity),
            Self::AlreadyExists { entity, identity } => {
                Error::Exists { entity: entity.clone(), identity: identity.clone() }
            }
            Self::VersionMismatch { entity, identity } => {
                let item = ItemName { entity: entity.clone(), identity: identity.clone() };
                Error::Conflict { item: Some(item), current: found.cloned() }
            }
            Self::ConditionNotMet { entity, item, term, tenant } => {
                let tenant = tenant.as_ref().and_then(|name| found?.get_key_value(name));
                let mut item = item.clone();
                item.extend(tenant.map(|(name, value)| (name.clone(), value.clone())));
                Error::ConditionNotMet { entity: entity.clone(), item, condition: term.clone(), write: None }
            }
            Self::BeingDeleted { entity, identity } => {
                let item = ItemName { entity: entity.clone(), identity: identity.clone() };
                Error::Conflict { item: Some(item), current: None }
            }
            Self::UniqueValueTaken { unique, attributes, tenant } => {
                // Callers set the value itself, and it comes last: `[libraryId, isbn]`.
                let own = attributes.iter().rev().find(|name| tenant.as_ref() != Some(*name));
                let taken = match attributes.as_slice() {
                    [one] => format!("`{one}` is taken"),
                    several => format!("the combination of `{}` is taken", several.join("`, `")),
                };
                let field = own.or(attributes.first()).map(String::as_str);
                Error::constraint(unique.clone(), field, format!("{taken}: another item has the same {unique}"))
            }
            Self::MissingReference { attribute, target } => Error::constraint(
                attribute.clone(),
                Some(attribute),
                format!("`{attribute}` refers to a {target} that does not exist"),
            ),
        }
    }
}

/// Members see items that belong to all tenants, and cannot change them.
pub(crate) fn shared_by_all_tenants(entity: &str) -> Error {
    Error::NotAllowed(format!("this {entity} belongs to all tenants"))
}
