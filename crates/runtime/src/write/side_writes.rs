//! Writes to other tables in the transaction of a change, such as an audit log entry or the response of a request.

use keyfold_dynamo::operation::TransactWrite;

use crate::error::Error;
use crate::record::Record;

/// The side writes of a change. They are asked for each time that the change is planned, which may be several times;
/// only the last ones are written.
pub trait SideWrites: Send + Sync {
    /// The writes, given the record that each write of the call leaves; `None` for deletes. An error rejects the
    /// change.
    fn writes(&self, left: &[Option<Record>]) -> Result<Vec<TransactWrite>, Error>;

    /// The writes for an item that is deleted with the one that the call names. They are part of the transaction that
    /// deletes it, which may be sent several times.
    fn removal(&self, _removed: &Record) -> Result<Vec<TransactWrite>, Error> {
        Ok(Vec::new())
    }

    /// Whether there are any. If so, the item is read before it is changed, so that the record is known.
    fn is_any(&self) -> bool {
        true
    }
}

/// A change without side writes.
pub(crate) struct NoSideWrites;

impl SideWrites for NoSideWrites {
    fn writes(&self, _: &[Option<Record>]) -> Result<Vec<TransactWrite>, Error> {
        Ok(Vec::new())
    }

    fn is_any(&self) -> bool {
        false
    }
}
