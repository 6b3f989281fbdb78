//! Plans of several actions, sent as one transaction.

use keyfold_dynamo::ServiceError;
use keyfold_dynamo::error::{CancellationCode, CancellationReason};
use keyfold_dynamo::operation::{ReturnConsumedCapacity, ReturnValues, TransactWrite, TransactWriteItemsInput};
use keyfold_environment::random_bytes;

use super::{Executor, Failure};
use crate::error::Error;
use crate::write::plan::{Action, GuardFailure, Plan};

/// The cancellation reasons of a transaction, by action.
#[derive(Default)]
struct Cancellation {
    /// Why planning again may help.
    retry: Option<Failure>,
    /// The first guard that failed for good, other than those in `taken`.
    rejected: Option<Error>,
    /// The first guard that failed because another item has the key or a unique value.
    taken: Option<Error>,
    /// Whether an item changed since it was read.
    changed: bool,
    /// Whether actions were left out that are not needed.
    left_out: bool,
    /// All other actions.
    remaining: Vec<Action>,
}

impl Cancellation {
    /// The error of a guard that failed for good. That a key or a value is taken is reported only if nothing else is
    /// wrong: otherwise a write that refers to nothing would find out what exists in other tenants, and leave no trace.
    fn take_rejection(&mut self) -> Option<Error> {
        // A rejection that was planned on an outdated item means nothing: a moved item, for example, is found at its
        // new key.
        if self.changed {
            return None;
        }
        self.rejected.take().or_else(|| self.taken.take().filter(|_| self.retry.is_none()))
    }
}

impl Executor<'_> {
    pub(super) async fn send_transaction(
        &self,
        actions: Vec<Action>,
        side_writes: Vec<TransactWrite>,
    ) -> Result<(), Failure> {
        let token = random_bytes(self.items.retry.random).map_err(Error::from)?;
        let own = actions.iter().map(|action| action.transact(self.items.table));
        let mut writes = own.collect::<Result<Vec<_>, _>>()?;
        writes.extend(side_writes.iter().cloned());
        let input = TransactWriteItemsInput {
            writes,
            // The client may send the request again if its response got lost, without applying it twice.
            client_request_token: Some(uuid::Builder::from_random_bytes(token).into_uuid().to_string()),
            return_consumed_capacity: ReturnConsumedCapacity::Total,
            return_collection_metrics: false,
        };
        let reasons = match self.items.backend.transact_write_items(input).await {
            Ok(_) => return Ok(()),
            Err(ServiceError::TransactionCanceled { reasons }) => reasons,
            Err(error) => return Err(error.into()),
        };
        // Each reason belongs to an action by its position: a list of another length says nothing about any of them.
        if reasons.len() != actions.len() + side_writes.len() {
            return Err(Failure::Final(without_reason()));
        }
        let mut reasons = reasons.into_iter();
        let mut cancellation = self.cancellation(actions, reasons.by_ref())?;
        if let Some(rejected) = cancellation.take_rejection() {
            return Err(Failure::Final(rejected));
        }
        let side_write_retry = side_write_failure(reasons)?;
        match cancellation.retry.or(side_write_retry) {
            Some(retry) => Err(retry),
            // Only actions failed that are not needed.
            None if cancellation.left_out => {
                let mut plan = Plan::from_actions(cancellation.remaining);
                plan.side_writes = side_writes;
                Box::pin(self.execute(plan, ReturnValues::None)).await.map(|_| ())
            }
            None => Err(Failure::Final(without_reason())),
        }
    }

    fn cancellation(
        &self,
        actions: Vec<Action>,
        reasons: impl Iterator<Item = CancellationReason>,
    ) -> Result<Cancellation, Failure> {
        let mut found = Cancellation::default();
        for (action, reason) in actions.into_iter().zip(reasons) {
            match reason.code {
                CancellationCode::None => {}
                CancellationCode::ConditionalCheckFailed if action.is_not_needed(reason.item.as_ref()) => {
                    found.left_out = true;
                    continue;
                }
                CancellationCode::ConditionalCheckFailed => match self.guard_failure(&action, reason.item.as_ref()) {
                    Failure::Final(error) if action.fails_as_taken(reason.item.as_ref()) => {
                        found.taken = found.taken.take().or(Some(error));
                    }
                    Failure::Final(error) => found.rejected = found.rejected.take().or(Some(error)),
                    retry => {
                        found.changed |= action.fails_because(&GuardFailure::ChangedSinceRead, reason.item.as_ref());
                        found.retry = Some(retry);
                    }
                },
                CancellationCode::TransactionConflict => {
                    found.retry = found.retry.or_else(|| Some(self.conflict(&action.key)));
                }
                CancellationCode::ProvisionedThroughputExceeded | CancellationCode::ThrottlingError => {
                    found.retry = found.retry.or_else(|| Some(Failure::throttled()));
                }
                CancellationCode::ValidationError | CancellationCode::ItemCollectionSizeLimitExceeded => {
                    return Err(Failure::Final(Error::Invalid(message_of(reason))));
                }
            }
            found.remaining.push(action);
        }
        Ok(found)
    }
}

/// Why planning again may help the side writes; an error if they cannot be written.
fn side_write_failure(reasons: impl Iterator<Item = CancellationReason>) -> Result<Option<Failure>, Failure> {
    let mut retry = None;
    for (index, reason) in reasons.enumerate() {
        match reason.code {
            CancellationCode::None => {}
            CancellationCode::ConditionalCheckFailed => {
                return Err(Failure::Final(Error::SideWriteFailed { index, item: reason.item }));
            }
            CancellationCode::ValidationError | CancellationCode::ItemCollectionSizeLimitExceeded => {
                return Err(Failure::Final(Error::Unavailable(message_of(reason))));
            }
            CancellationCode::TransactionConflict
            | CancellationCode::ProvisionedThroughputExceeded
            | CancellationCode::ThrottlingError => retry = retry.or_else(|| Some(Failure::throttled())),
        }
    }
    Ok(retry)
}

fn without_reason() -> Error {
    Error::Unavailable("the table cancelled a transaction without a reason".to_owned())
}

fn message_of(reason: CancellationReason) -> String {
    reason.message.unwrap_or_else(|| "the table rejected a write without a message".to_owned())
}
