//! Why a plan was not carried out, and whether planning again can help.

use keyfold_dynamo::{Attributes, ServiceError};

use super::Executor;
use crate::deletion_mark::DeletionMark;
use crate::description::{describe_identity, plain_text};
use crate::error::{Error, ItemName};
use crate::write::plan::{Action, GuardFailure};

/// Why a plan was not carried out.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An item changed since it was read, or is being written: plan again.
    Retry(Box<Error>),
    /// Another call has put a deletion mark on an item: plan again.
    Marked(Box<Error>, Box<MarkedItem>),
    Final(Error),
}

/// An item with its deletion mark.
#[derive(Debug, Clone)]
pub(crate) struct MarkedItem {
    pub key: Attributes,
    pub mark: DeletionMark,
}

impl Failure {
    pub(crate) fn throttled() -> Self {
        Self::Retry(Box::new(Error::Throttled))
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Final(error)
    }
}

/// A failure of the backend that no guard explains.
impl From<ServiceError> for Failure {
    fn from(error: ServiceError) -> Self {
        match Error::from(error) {
            Error::Throttled => Self::throttled(),
            error => Self::Final(error),
        }
    }
}

impl Executor<'_> {
    /// The failure of an action whose condition did not hold, given the item that was found.
    pub(super) fn guard_failure(&self, action: &Action, found: Option<&Attributes>) -> Failure {
        let Some(guard) = action.failed_guard(found) else { return self.conflict(&action.key) };
        match guard.failure {
            GuardFailure::ChangedSinceRead | GuardFailure::ActionNotNeeded => self.conflict(&action.key),
            GuardFailure::BeingDeleted { .. } => {
                let error = Box::new(guard.to_error(found));
                match found.and_then(DeletionMark::read) {
                    Some(mark) => Failure::Marked(error, Box::new(MarkedItem { key: action.key.clone(), mark })),
                    None => Failure::Retry(error),
                }
            }
            GuardFailure::NotFound { .. }
            | GuardFailure::SharedByAllTenants { .. }
            | GuardFailure::AlreadyExists { .. }
            | GuardFailure::VersionMismatch { .. }
            | GuardFailure::ConditionNotMet { .. }
            | GuardFailure::UniqueValueTaken { .. }
            | GuardFailure::MissingReference { .. } => Failure::Final(guard.to_error(found)),
        }
    }

    /// Another caller is writing the item; its key tells which one it is.
    pub(crate) fn conflict(&self, key: &Attributes) -> Failure {
        let item = self.named_item(key).or_else(|| self.named_lookup(key));
        Failure::Retry(Box::new(Error::Conflict { item, current: None }))
    }

    fn named_item(&self, key: &Attributes) -> Option<ItemName> {
        let entity = &self.design[self.design.recognize(key)?];
        let identity = describe_identity(entity, &entity.read_key(key)?);
        Some(ItemName { entity: entity.name.clone(), identity })
    }

    fn named_lookup(&self, key: &Attributes) -> Option<ItemName> {
        let (id, _) = self.design.recognize_lookup(key)?;
        let texts: Vec<String> = key.values().map(plain_text).collect();
        Some(ItemName { entity: self.design[id].name.clone(), identity: texts.join(", ") })
    }
}
