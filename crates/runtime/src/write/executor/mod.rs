//! Plans to requests, and failed conditions back to what they mean.

use keyfold_dynamo::error::CancellationCode;
use keyfold_dynamo::operation::{
    GetItemInput, ReturnConsumedCapacity, ReturnValues, TransactWrite, TransactWriteItemsInput,
};
use keyfold_dynamo::{Attributes, Item, ServiceError};
use keyfold_environment::random_bytes;

use crate::error::Error;
use crate::record::{DELETE_MARK, describe_identity, plain_text};
use crate::runtime::Runtime;
use crate::write::cascade::Marked;
use crate::write::plan::{Action, Effect, GuardFailure, Plan, Request};

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
    pub(crate) async fn execute_asking(
        &self,
        mut plan: Plan,
        asked: ReturnValues,
    ) -> Result<Option<Attributes>, Failure> {
        self.settle_shared_sets(&mut plan).await?;
        plan.refuse_too_many()?;
        if !plan.side_writes.is_empty() {
            return self.execute_together(plan.actions, plan.side_writes).await.map(|()| None);
        }
        match <[Action; 1]>::try_from(plan.actions) {
            Ok([action]) => self.execute_one(action, asked).await,
            Err(actions) if actions.is_empty() => Ok(None),
            Err(actions) => self.execute_together(actions, Vec::new()).await.map(|()| None),
        }
    }

    async fn execute_one(&self, mut action: Action, asked: ReturnValues) -> Result<Option<Attributes>, Failure> {
        let request = action.request(&self.table, asked);
        let answer = match request {
            Request::Put(input) => self.backend.put_item(input).await,
            Request::Update(input) => self.backend.update_item(input).await,
            Request::Delete(input) => self.backend.delete_item(input).await,
        };
        match answer {
            Ok(output) => Ok(output.attributes),
            Err(ServiceError::ConditionalCheckFailed { item }) if action.is_not_needed(item.as_ref()) => Ok(None),
            Err(ServiceError::ConditionalCheckFailed { item }) => Err(self.failure_of(&action, item.as_ref())),
            Err(ServiceError::TransactionConflict(_)) => Err(self.busy(&action.key)),
            Err(error @ ServiceError::OutcomeUnknown(_)) => self.resolve(&action, error).await,
            Err(error) => Err(of_service(error)),
        }
    }

    async fn execute_together(&self, actions: Vec<Action>, side_writes: Vec<TransactWrite>) -> Result<(), Failure> {
        let token = random_bytes(self.random.as_ref()).map_err(Error::from)?;
        let input = TransactWriteItemsInput {
            writes: actions
                .iter()
                .map(|action| action.transact(&self.table))
                .chain(side_writes.iter().cloned())
                .collect(),
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
        let mut refused = None;
        let mut stale = false;
        let mut rest = Vec::with_capacity(actions.len());
        let count = actions.len();
        let mut reasons = reasons.into_iter();
        for (action, reason) in actions.into_iter().zip(reasons.by_ref()) {
            match reason.code {
                CancellationCode::None => {}
                CancellationCode::ConditionalCheckFailed if action.is_not_needed(reason.item.as_ref()) => continue,
                CancellationCode::ConditionalCheckFailed => match self.failure_of(&action, reason.item.as_ref()) {
                    Failure::Final(error) => drop(refused.get_or_insert(error)),
                    failure => {
                        stale |= action.failure(reason.item.as_ref()) == Some(&GuardFailure::ChangedSinceRead);
                        again = Some(failure);
                    }
                },
                CancellationCode::TransactionConflict => again = again.or_else(|| Some(self.busy(&action.key))),
                CancellationCode::ProvisionedThroughputExceeded | CancellationCode::ThrottlingError => {
                    again = again.or(Some(Failure::Again(Box::new(Error::Throttled))));
                }
                CancellationCode::ValidationError | CancellationCode::ItemCollectionSizeLimitExceeded => {
                    return Err(Failure::Final(Error::Invalid(reason.message.unwrap_or_default())));
                }
            }
            rest.push(action);
        }
        // What was planned on an item that has changed since says nothing: an item that was moved is where it should go.
        if let Some(refused) = refused.filter(|_| !stale) {
            return Err(Failure::Final(refused));
        }
        for (index, reason) in reasons.enumerate() {
            match reason.code {
                CancellationCode::None => {}
                CancellationCode::ConditionalCheckFailed => {
                    return Err(Failure::Final(Error::SideWriteFailed { index, item: reason.item }));
                }
                CancellationCode::ValidationError | CancellationCode::ItemCollectionSizeLimitExceeded => {
                    return Err(Failure::Final(Error::Unavailable(reason.message.unwrap_or_default())));
                }
                _ => again = again.or(Some(Failure::Again(Box::new(Error::Throttled)))),
            }
        }
        match again {
            // Only counters of items that are gone stood in the way.
            None if rest.len() < count => {
                let mut plan = Plan::of(rest);
                plan.side_writes = side_writes;
                Box::pin(self.execute(plan)).await.map(|_| ())
            }
            Some(again) => Err(again),
            None => {
                Err(Failure::Final(Error::Unavailable("the table cancelled a transaction without a reason".to_owned())))
            }
        }
    }

    /// Whether an update whose answer got lost was made, by a look at the item: its stamps are as good as its own. If not,
    /// it is planned again, on what is stored now.
    async fn resolve(&self, action: &Action, unknown: ServiceError) -> Result<Option<Attributes>, Failure> {
        let changes = match &action.effect {
            Effect::Update(changes) if !changes.set.is_empty() || !changes.remove.is_empty() => changes,
            _ => return Err(of_service(unknown)),
        };
        let input = GetItemInput {
            table_name: self.table.clone(),
            key: action.key.clone(),
            consistent_read: true,
            ..GetItemInput::default()
        };
        let found = self.get_item(input).await.map_err(of_service)?.item.map(Item::into_attributes);
        let found = found.transpose().map_err(|damage| of_service(damage.into()))?;
        match found {
            Some(stored) if changes.are_applied_to(&stored) => Ok(Some(stored)),
            _ => Err(self.busy(&action.key)),
        }
    }

    /// Someone else is at the item: what it is follows from its key.
    fn busy(&self, key: &Attributes) -> Failure {
        let entity = self.design.recognise(key).and_then(|id| self.design.entity(id));
        let known = entity.and_then(|entity| Some((entity, entity.read_key(key)?)));
        let lookup = || self.design.recognise_lookup(key).and_then(|(id, _)| self.design.entity(id));
        let (entity, identity) = match known {
            Some((entity, attributes)) => (entity.name.clone(), describe_identity(entity, &attributes)),
            None => {
                let texts: Vec<String> = key.values().map(plain_text).collect();
                (lookup().map_or("the item", |entity| &entity.name).to_owned(), texts.join(", "))
            }
        };
        Failure::Again(Box::new(Error::Conflict { entity, identity, current: None }))
    }

    /// The failure of a failed condition, the item being as it was found.
    fn failure_of(&self, action: &Action, found: Option<&Attributes>) -> Failure {
        let Some(failure) = action.failure(found) else { return self.busy(&action.key) };
        match failure {
            GuardFailure::ChangedSinceRead | GuardFailure::ActionNotNeeded => self.busy(&action.key),
            GuardFailure::BeingDeleted { .. } => {
                let error = Box::new(failure.to_error(found));
                match found.and_then(|found| found.get(DELETE_MARK)) {
                    Some(mark) => Failure::Marked(error, Box::new((action.key.clone(), mark.clone()))),
                    None => Failure::Again(error),
                }
            }
            _ => Failure::Final(failure.to_error(found)),
        }
    }
}

fn of_service(error: ServiceError) -> Failure {
    match Error::from(error) {
        Error::Throttled => Failure::Again(Box::new(Error::Throttled)),
        error => Failure::Final(error),
    }
}
