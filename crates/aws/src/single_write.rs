//! Writes of one item: retried where that is safe, and recognized by their traces.

use aws_sdk_dynamodb::Client;
use keyfold_dynamo::ServiceError;
use keyfold_dynamo::operation::{DeleteItemInput, PutItemInput, UpdateItemInput, WriteOptions, WriteOutput};
use keyfold_environment::{Backoff, SystemRandom, jitter};
use tokio::time::Instant;

use crate::connect::{ATTEMPTS, INITIAL_BACKOFF, MAX_BACKOFF, OPERATION};
use crate::conversion;
use crate::failures::{Delivery, Failure};
use crate::resend::{self, Finding, Resend, Trace};

const BACKOFF: Backoff = Backoff { first: INITIAL_BACKOFF, longest: MAX_BACKOFF, attempts: ATTEMPTS };

/// PutItem, UpdateItem or DeleteItem.
#[derive(Debug, Clone)]
pub(crate) enum SingleWrite {
    Put(PutItemInput),
    Update(UpdateItemInput),
    Delete(DeleteItemInput),
}

impl SingleWrite {
    fn options(&self) -> &WriteOptions {
        match self {
            Self::Put(input) => &input.options,
            Self::Update(input) => &input.options,
            Self::Delete(input) => &input.options,
        }
    }

    fn options_mut(&mut self) -> &mut WriteOptions {
        match self {
            Self::Put(input) => &mut input.options,
            Self::Update(input) => &mut input.options,
            Self::Delete(input) => &mut input.options,
        }
    }

    fn resend(&self) -> Resend {
        match self {
            Self::Put(input) => resend::resend_put(input),
            Self::Update(input) => resend::resend_update(input),
            Self::Delete(input) => resend::resend_delete(input),
        }
    }
}

impl SingleWrite {
    /// Sends the write through a client that does not retry, and retries it here where that is safe.
    pub(crate) async fn execute(mut self, client: &Client) -> Result<WriteOutput, ServiceError> {
        let started = Instant::now();
        let wants_item = self.options().return_old_on_failure;
        // The trace of an earlier attempt that may have been executed.
        let mut lost: Option<Trace> = None;
        for attempt in 1.. {
            let failure = match self.clone().send(client).await {
                Ok(output) => return Ok(output),
                Err(failure) => failure,
            };
            if let (ServiceError::ConditionalCheckFailed { item }, Some(trace)) = (&failure.error, &lost) {
                return match trace.find(item.as_ref(), self.options().return_values) {
                    Finding::Executed(attributes) => Ok(WriteOutput { attributes, ..WriteOutput::default() }),
                    Finding::ResponseLost => Err(unknown(&failure)),
                    Finding::NotFound => {
                        Err(ServiceError::ConditionalCheckFailed { item: item.clone().filter(|_| wants_item) })
                    }
                };
            }
            match failure.delivery {
                Delivery::Unknown if lost.is_none() => match self.resend() {
                    Resend::Forbidden => return Err(unknown(&failure)),
                    Resend::Allowed(trace) => {
                        lost = Some(trace);
                        let has_condition = self.options().condition.is_some();
                        self.options_mut().return_old_on_failure = has_condition;
                    }
                },
                Delivery::Refused if !failure.error.is_refused_for_now() => return Err(failure.error),
                Delivery::Unknown | Delivery::Unsent | Delivery::Refused => {}
            }
            if attempt >= ATTEMPTS || started.elapsed() >= OPERATION {
                return Err(if lost.is_some() { unknown(&failure) } else { failure.error });
            }
            // As the SDK does it for all other requests.
            tokio::time::sleep(jitter(&SystemRandom, BACKOFF.bound(attempt - 1))).await;
        }
        // The loop does not end otherwise.
        Err(ServiceError::Internal("a write was abandoned without a reason".to_owned()))
    }

    async fn send(self, client: &Client) -> Result<WriteOutput, Failure> {
        let output = match self {
            Self::Put(input) => {
                conversion::put_item_from_sdk(conversion::put_item_to_sdk(input).send_with(client).await?)
            }
            Self::Update(input) => {
                conversion::update_item_from_sdk(conversion::update_item_to_sdk(input).send_with(client).await?)
            }
            Self::Delete(input) => {
                conversion::delete_item_from_sdk(conversion::delete_item_to_sdk(input).send_with(client).await?)
            }
        };
        output.map_err(|error| Failure { error, delivery: Delivery::Refused })
    }
}

fn unknown(failure: &Failure) -> ServiceError {
    Failure { error: failure.error.clone(), delivery: Delivery::Unknown }.into_write_error()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_back_off_is_that_of_the_sdk() {
        assert_eq!(BACKOFF.bound(0), INITIAL_BACKOFF);
        assert_eq!(BACKOFF.bound(1), INITIAL_BACKOFF * 2);
        assert_eq!(BACKOFF.bound(ATTEMPTS + 9), MAX_BACKOFF);
    }
}
