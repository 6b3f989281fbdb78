//! Writes to other tables that happen together with a change: a log of it, a note that a request has been answered.

use keyfold_dynamo::operation::TransactWrite;

use crate::record::Record;

/// Says what is written beside a change, once it is known what the change leaves. It may be asked several times, since a
/// change is planned again where others were faster; only the last answer is written.
pub trait Beside: Send + Sync {
    /// For each write of the call the item as it is then, `None` for deletes.
    fn writes(&self, left: &[Option<Record>]) -> Vec<TransactWrite>;

    /// Whether there is anything to write: then the item has to be known before the change is made.
    fn is_any(&self) -> bool {
        true
    }
}

/// Nothing.
pub(super) struct Alone;

impl Beside for Alone {
    fn writes(&self, _: &[Option<Record>]) -> Vec<TransactWrite> {
        Vec::new()
    }

    fn is_any(&self) -> bool {
        false
    }
}
