//! Errors: few kinds, each of which tells the caller what to do.

use keyfold_design::model::ConstraintViolation;
use keyfold_design::template::TemplateError;
use keyfold_dynamo::{Attributes, ServiceError};
use keyfold_environment::RandomError;

use crate::cursor::CursorError;

/// Why a call failed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The item does not exist, or the caller may not see it.
    #[error("{entity} {identity} does not exist")]
    NotFound {
        /// The name of the entity.
        entity: String,
        /// The identity as `name=value, name=value`.
        identity: String,
    },
    /// The item already exists.
    #[error("{entity} {identity} already exists")]
    Exists {
        /// The name of the entity.
        entity: String,
        /// The identity as `name=value, name=value`.
        identity: String,
    },
    /// The item changed, or is being changed: read it again.
    #[error("{} was changed by someone else", describe_item(item.as_ref()))]
    Conflict {
        /// The item; absent if it is another one than the call names, and its key does not tell which.
        item: Option<ItemName>,
        /// The current item, as far as the caller may read it; absent if it is not known.
        current: Option<Attributes>,
    },
    /// The item does not meet the condition of a patch.
    #[error("the {entity} does not meet the condition `{condition}`")]
    ConditionNotMet {
        /// The name of the entity.
        entity: String,
        /// The attributes that identify the item.
        item: Attributes,
        /// The first term of the condition that does not hold, as the caller spells it.
        condition: String,
        /// The position of the patch in its transaction, from 0 on; absent if the call has one write.
        write: Option<usize>,
    },
    /// A rule of the design does not hold.
    #[error("{0}")]
    Constraint(Violation),
    /// No item can have the identity of a read: a key cannot hold it.
    #[error("{0}")]
    ImpossibleIdentity(Violation),
    /// The call does not fit the design.
    #[error("{0}")]
    Invalid(String),
    /// An argument of an access pattern is missing or unknown.
    #[error("{message}")]
    InvalidArgument {
        /// The name of the parameter.
        name: String,
        /// The sentence for people.
        message: String,
    },
    /// The cursor does not belong to this query: request the first page again.
    #[error(transparent)]
    Cursor(#[from] CursorError),
    /// No rule of the design allows it.
    #[error("{0}")]
    NotAllowed(String),
    /// The write sets an attribute whose `settable by` excludes the caller.
    #[error("{0}")]
    NotSettable(Violation),
    /// The person of a token is not a user of the design: see [`Runtime::sign_up`](crate::Runtime::sign_up), or create
    /// the user.
    #[error("no {entity} has the {identity} of this token: the person has to be added first")]
    UnknownUser {
        /// The name of the entity of the users.
        entity: String,
        /// The identity as `issuer=value, subject=value`.
        identity: String,
    },
    /// The backend is throttled: try again later.
    #[error("the table is throttled; try again later")]
    Throttled,
    /// The backend cannot be reached or failed: try again, or check the backend.
    #[error("the table is not available: {0}")]
    Unavailable(String),
    /// The account has too many tables or indexes, or changes too many of them at once.
    #[error("a limit on tables is exceeded: {0}")]
    LimitExceeded(String),
    /// The table does not exist: create it with [`Runtime::create_table`](crate::Runtime::create_table), or check its
    /// name.
    #[error("the table does not exist")]
    TableNotFound,
    /// No id, token or cursor can be made, since the system has no random bytes: check the machine.
    #[error(transparent)]
    NoRandomness(#[from] RandomError),
    /// The condition of a side write failed.
    #[error("a write in the same transaction was rejected")]
    SideWriteFailed {
        /// The position of the first such write among the side writes.
        index: usize,
        /// The item that it found; absent if there is none.
        item: Option<Attributes>,
    },
    /// The item was written, and the caller may not read it: the typed verbs, which return items, have none to return.
    #[error("{entity} {identity} was written, but no rule lets the caller read it")]
    WrittenUnreadable {
        /// The name of the entity.
        entity: String,
        /// The identity as `name=value, name=value`.
        identity: String,
    },
    /// A stored item does not fit the design.
    #[error("the item at {key} is not a valid {expected}: {cause}")]
    Undecodable {
        /// The key as `name=value, name=value`.
        key: String,
        /// The entity or entities that it should be.
        expected: String,
        /// What does not fit.
        cause: String,
    },
}

/// The name of an item in an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemName {
    /// The name of the entity.
    pub entity: String,
    /// The identity as `name=value, name=value`; the key of a lookup item, as `value, value`.
    pub identity: String,
}

fn describe_item(item: Option<&ItemName>) -> String {
    match item {
        Some(ItemName { entity, identity }) => format!("{entity} {identity}"),
        None => "an item that this change depends on".to_owned(),
    }
}

/// A rule that does not hold: its name, the attribute it is about and what is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The name that callers match on: an attribute, the name of a unique, the message of a rule, `Child.attribute`.
    pub name: String,
    /// The attribute concerned; absent if the rule is about several or none.
    pub attribute: Option<String>,
    /// The sentence for people, with the value that violates the rule.
    pub message: String,
    /// The position in its transaction of the write that violates the rule, from 0 on; absent if the call has one
    /// write, or if the rule is about all of them.
    pub write: Option<usize>,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.message)
    }
}

impl Error {
    pub(crate) fn constraint(name: impl Into<String>, attribute: Option<&str>, message: impl Into<String>) -> Self {
        Self::Constraint(Violation {
            name: name.into(),
            attribute: attribute.map(str::to_owned),
            message: message.into(),
            write: None,
        })
    }

    /// The error of one write of a transaction: a violated rule names its position.
    pub(crate) fn in_write(self, position: usize) -> Self {
        match self {
            Self::Constraint(violation) => Self::Constraint(Violation { write: Some(position), ..violation }),
            Self::NotSettable(violation) => Self::NotSettable(Violation { write: Some(position), ..violation }),
            Self::ConditionNotMet { entity, item, condition, .. } => {
                Self::ConditionNotMet { entity, item, condition, write: Some(position) }
            }
            other => other,
        }
    }

    /// A short, stable name of the kind, for examples and scripts.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "not found",
            Self::Exists { .. } => "exists",
            Self::Conflict { .. } => "conflict",
            Self::ConditionNotMet { .. } => "condition",
            Self::Constraint(_) | Self::ImpossibleIdentity(_) => "constraint",
            Self::Invalid(_) | Self::InvalidArgument { .. } | Self::Cursor(_) => "invalid",
            Self::NotAllowed(_) | Self::NotSettable(_) | Self::UnknownUser { .. } | Self::WrittenUnreadable { .. } => {
                "not allowed"
            }
            Self::Throttled => "throttled",
            Self::Unavailable(_) | Self::LimitExceeded(_) | Self::TableNotFound | Self::NoRandomness(_) => {
                "unavailable"
            }
            Self::SideWriteFailed { .. } => "side write",
            Self::Undecodable { .. } => "undecodable",
        }
    }
}

impl From<ConstraintViolation> for Error {
    fn from(violation: ConstraintViolation) -> Self {
        let message = violation.to_string();
        Self::constraint(violation.attribute.clone(), Some(&violation.attribute), message)
    }
}

impl From<TemplateError> for Error {
    fn from(error: TemplateError) -> Self {
        Self::Constraint(error.into())
    }
}

/// A value that a key cannot hold.
impl From<TemplateError> for Violation {
    fn from(error: TemplateError) -> Self {
        let attribute = match &error {
            TemplateError::WrongType { attribute, .. }
            | TemplateError::WrongValue { attribute, .. }
            | TemplateError::Delimiter { attribute, .. }
            | TemplateError::BelongsToRival { attribute, .. }
            | TemplateError::Empty { attribute, .. }
            | TemplateError::DoesNotFit { attribute, .. }
            | TemplateError::TooLong { attribute, .. } => attribute.clone(),
        };
        Self { name: attribute.clone(), attribute: Some(attribute), message: error.to_string(), write: None }
    }
}

/// Failures of the backend that no condition of a plan explains.
impl From<ServiceError> for Error {
    fn from(error: ServiceError) -> Self {
        match error {
            throttled if throttled.is_throttling() => Self::Throttled,
            ServiceError::LimitExceeded(message) => Self::LimitExceeded(message),
            ServiceError::Validation(message) => Self::Invalid(message),
            ServiceError::ResourceNotFound(_) => Self::TableNotFound,
            other => Self::Unavailable(other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_conflict_names_its_item_if_that_is_known() {
        let item = ItemName { entity: "License".to_owned(), identity: "licenseId=l1".to_owned() };
        let known = Error::Conflict { item: Some(item), current: None };
        assert_eq!(known.to_string(), "License licenseId=l1 was changed by someone else");
        let unknown = Error::Conflict { item: None, current: None };
        assert_eq!(unknown.to_string(), "an item that this change depends on was changed by someone else");
    }
}
