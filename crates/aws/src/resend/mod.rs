//! Whether a single-item write may be retried after its response was lost, and how to recognize its own traces.
//!
//! DynamoDB recognizes the retry of a transaction by its token. PutItem, UpdateItem and DeleteItem have no token: on a
//! retry, a counter counts twice, and a conditional write fails because of its own first attempt. Sending every write
//! as a transaction would double its price. So a write is retried only if it is
//!
//! - *repeatable*: executed twice, it has the same effect and the same response as once; or
//! - *guarded*: it makes its own condition false, so that it cannot be executed twice. If the retry is refused, the
//!   first attempt was executed if the existing item shows what it wrote.
//!
//! For all other writes the caller gets an error that the outcome is unknown.

mod trace;
mod update;

use keyfold_dynamo::Attributes;
use keyfold_dynamo::operation::{DeleteItemInput, PutItemInput, ReturnValues, WriteOptions};

pub(crate) use trace::{Finding, Trace};
pub(crate) use update::resend_update;

/// Whether a write may be retried.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Resend {
    /// If the retry fails its condition, the existing item shows whether the first attempt was executed.
    Allowed(Trace),
    Forbidden,
}

pub(crate) fn resend_put(input: &PutItemInput) -> Resend {
    resend_replacement(&input.options, &input.item, Trace::Item(input.item.clone()))
}

pub(crate) fn resend_delete(input: &DeleteItemInput) -> Resend {
    resend_replacement(&input.options, &Attributes::new(), Trace::Nothing)
}

/// A write whose result is `left`, whatever existed before.
fn resend_replacement(options: &WriteOptions, left: &Attributes, trace: Trace) -> Resend {
    let guarded = options.condition.as_ref().is_some_and(|condition| !condition.matches(left));
    // On a retry, the old item would be the one that the first attempt wrote.
    let repeatable = options.return_values == ReturnValues::None;
    if guarded || repeatable { Resend::Allowed(trace) } else { Resend::Forbidden }
}

#[cfg(test)]
mod tests;
