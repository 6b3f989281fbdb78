//! Whether a single-item write whose answer got lost may be sent again, and how to tell its own traces from others'.
//!
//! DynamoDB knows transactions again by their token. It knows nothing of the kind for PutItem, UpdateItem and
//! DeleteItem: sent again, a counter counts twice, and a conditional write is refused for what it did itself. Sending
//! every write as a transaction would double its price. So a write is sent again only if it is
//!
//! - *repeatable*: carried out twice, it leaves and answers what it would have left and answered once; or
//! - *guarded*: it makes its own condition false, so that it cannot be carried out twice. Refused the second time, it
//!   was carried out the first time if the item that stands in its way shows what it wrote.
//!
//! For all others the caller is told that the outcome is unknown.

mod trace;
mod update;

use keyfold_dynamo::Attributes;
use keyfold_dynamo::operation::{DeleteItemInput, PutItemInput, ReturnValues, WriteOptions};

pub use trace::{Finding, Trace};
pub use update::of_update;

/// Whether a write may be sent again.
#[derive(Debug, Clone, PartialEq)]
pub enum Resend {
    /// It may; refused for its condition then, the item found tells whether it was carried out before.
    May(Trace),
    MayNot,
}

pub fn of_put(input: &PutItemInput) -> Resend {
    of_replacement(&input.options, &input.item, Trace::Item(input.item.clone()))
}

pub fn of_delete(input: &DeleteItemInput) -> Resend {
    of_replacement(&input.options, &Attributes::new(), Trace::Nothing)
}

/// A write that leaves `left`, whatever there was before.
fn of_replacement(options: &WriteOptions, left: &Attributes, trace: Trace) -> Resend {
    let guarded = options.condition.as_ref().is_some_and(|condition| !condition.matches(left));
    // The second time, the old item would be the one that it wrote itself.
    let repeatable = options.return_values == ReturnValues::None;
    if guarded || repeatable { Resend::May(trace) } else { Resend::MayNot }
}

#[cfg(test)]
mod tests;
