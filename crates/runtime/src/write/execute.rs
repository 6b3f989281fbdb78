//! Plans to requests, and failed conditions back to what they mean.

use keyfold_dynamo::error::CancellationCode;
use keyfold_dynamo::operation::{ReturnConsumedCapacity, ReturnValues, TransactWriteItemsInput};
use keyfold_dynamo::{Attributes, ServiceError};

use super::action::{Action, Meaning, Request};
use super::marks::Marked;
use super::plan::Plan;
use crate::error::Error;
use crate::record::DELETE_MARK;
use crate::runtime::Runtime;

/// Why a plan did not go through.
#[derive(Debug)]
pub enum Failure {
    /// What was read is no longer so, or others were at it: plan again.
    Again(Box<Error>),
    /// Another call has marked an item, at this key with this mark: plan again.
    Marked(Box<Error>, Box<Marked>),
    Final(Error),
}

impl Failure {
    pub fn into_error(self) -> Error {
        match self {
            Self::Again(error) | Self::Marked(error, _) => *error,
            Self::Final(error) => error,
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Final(error)
    }
}

impl Runtime {
    /// Carries out a plan; the answer is the new item where a single update tells it.
    pub(crate) async fn execute(&self, plan: Plan) -> Result<Option<Attributes>, Failure> {
        self.execute_asking(plan, ReturnValues::AllNew).await
    }

    /// Carries out a plan; updates answer with what is asked for.
    pub(crate) async fn execute_asking(&self, plan: Plan, asked: ReturnValues) -> Result<Option<Attributes>, Failure> {
        plan.refuse_too_many()?;
        match <[Action; 1]>::try_from(plan.actions) {
            Ok([action]) => self.execute_one(action, asked).await,
            Err(actions) if actions.is_empty() => Ok(None),
            Err(actions) => self.execute_together(actions).await.map(|()| None),
        }
    }

    async fn execute_one(&self, action: Action, asked: ReturnValues) -> Result<Option<Attributes>, Failure> {
        let request = action.request(&self.table, asked);
        let answer = match request {
            Request::Put(input) => self.backend.put_item(input).await,
            Request::Update(input) => self.backend.update_item(input).await,
            Request::Delete(input) => self.backend.delete_item(input).await,
        };
        match answer {
            Ok(output) => Ok(output.attributes),
            Err(ServiceError::ConditionalCheckFailed { item }) if action.counts_nothing(item.as_ref()) => Ok(None),
            Err(ServiceError::ConditionalCheckFailed { item }) => Err(meaning_of(&action, item.as_ref())),
            Err(error) => Err(of_service(error)),
        }
    }

    async fn execute_together(&self, actions: Vec<Action>) -> Result<(), Failure> {
        let mut token = [0; 16];
        self.random.fill(&mut token);
        let input = TransactWriteItemsInput {
            writes: actions.iter().map(|action| action.transact(&self.table)).collect(),
            // A request whose answer got lost can be sent again by the client without being applied twice.
            client_request_token: Some(uuid::Builder::from_random_bytes(token).into_uuid().to_string()),
            return_consumed_capacity: ReturnConsumedCapacity::Total,
            return_collection_metrics: false,
        };
        let reasons = match self.backend.transact_write_items(input).await {
            Ok(_) => return Ok(()),
            Err(ServiceError::TransactionCanceled { reasons }) => reasons,
            Err(error) => return Err(of_service(error)),
        };
        let mut again = None;
        let mut rest = Vec::with_capacity(actions.len());
        let count = actions.len();
        for (action, reason) in actions.into_iter().zip(reasons) {
            match reason.code {
                CancellationCode::None => {}
                CancellationCode::ConditionalCheckFailed if action.counts_nothing(reason.item.as_ref()) => continue,
                CancellationCode::ConditionalCheckFailed => match meaning_of(&action, reason.item.as_ref()) {
                    Failure::Final(error) => return Err(Failure::Final(error)),
                    failure => again = Some(failure),
                },
                CancellationCode::TransactionConflict => again = again.or(Some(busy())),
                CancellationCode::ProvisionedThroughputExceeded | CancellationCode::ThrottlingError => {
                    again = again.or(Some(Failure::Again(Box::new(Error::Throttled))));
                }
                CancellationCode::ValidationError | CancellationCode::ItemCollectionSizeLimitExceeded => {
                    return Err(Failure::Final(Error::Invalid(reason.message.unwrap_or_default())));
                }
            }
            rest.push(action);
        }
        match again {
            // Only counters of items that are gone stood in the way.
            None if rest.len() < count => Box::pin(self.execute(Plan::of(rest))).await.map(|_| ()),
            again => Err(again.unwrap_or_else(busy)),
        }
    }
}

fn busy() -> Failure {
    Failure::Again(Box::new(Error::Conflict {
        entity: "the item".to_owned(),
        identity: "or one that goes with it".to_owned(),
        current: None,
    }))
}

fn of_service(error: ServiceError) -> Failure {
    match Error::from(error) {
        Error::Throttled => Failure::Again(Box::new(Error::Throttled)),
        error => Failure::Final(error),
    }
}

/// A member sees what belongs to all tenants, and does not change it.
pub fn shared(entity: &str) -> Error {
    Error::NotAllowed(format!("this {entity} belongs to all tenants"))
}

/// The meaning of a failed condition, the item being as it was found.
fn meaning_of(action: &Action, found: Option<&Attributes>) -> Failure {
    let Some(meaning) = action.failed(found) else { return busy() };
    let error = error_of(meaning, found);
    match meaning {
        Meaning::Changed | Meaning::Uncounted => busy(),
        Meaning::Busy { .. } => match found.and_then(|found| found.get(DELETE_MARK)) {
            Some(mark) => Failure::Marked(Box::new(error), Box::new((action.key.clone(), mark.clone()))),
            None => Failure::Again(Box::new(error)),
        },
        _ => Failure::Final(error),
    }
}

/// What callers are told.
pub fn error_of(meaning: &Meaning, found: Option<&Attributes>) -> Error {
    match meaning {
        Meaning::Changed | Meaning::Uncounted => busy().into_error(),
        Meaning::Missing { entity, identity } => Error::NotFound { entity: entity.clone(), identity: identity.clone() },
        Meaning::Shared { entity } => shared(entity),
        Meaning::Present { entity, identity } => Error::Exists { entity: entity.clone(), identity: identity.clone() },
        Meaning::Unexpected { entity, identity } => {
            Error::Conflict { entity: entity.clone(), identity: identity.clone(), current: found.cloned() }
        }
        Meaning::Busy { entity, identity } => {
            Error::Conflict { entity: entity.clone(), identity: identity.clone(), current: None }
        }
        Meaning::Taken { unique, attributes } => Error::constraint(
            unique.clone(),
            attributes.first().map(String::as_str),
            format!("`{}` is taken: another item has the same {unique}", attributes.join("`, `")),
        ),
        Meaning::Dangling { attribute, target } => Error::constraint(
            attribute.clone(),
            Some(attribute),
            format!("`{attribute}` refers to a {target} that does not exist"),
        ),
    }
}
