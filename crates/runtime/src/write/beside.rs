//! Writes to other tables that happen together with a change: a log of it, a note that a request has been answered.

use keyfold_dynamo::Attributes;
use keyfold_dynamo::operation::TransactWrite;

use super::verbs::{DeleteOptions, Write};
use crate::caller::Caller;
use crate::error::Error;
use crate::record::Record;
use crate::runtime::Runtime;

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

impl Runtime {
    /// The same as [`Runtime::transact`], with writes to other tables in the same transaction. A condition of theirs
    /// that does not hold is [`Error::Beside`], and nothing is written.
    pub async fn transact_beside(
        &self,
        caller: &Caller,
        writes: Vec<Write>,
        beside: &dyn Beside,
    ) -> Result<Vec<Option<Record>>, Error> {
        self.transact_with(caller, writes, beside).await
    }

    /// The same as [`Runtime::delete`]; where the delete takes several steps, the writes are part of the last.
    pub async fn delete_beside(
        &self,
        caller: &Caller,
        entity: &str,
        identity: Attributes,
        options: DeleteOptions,
        beside: &dyn Beside,
    ) -> Result<(), Error> {
        self.delete_with(caller, entity, identity, options, beside).await
    }
}
