//! The verbs that write.

use keyfold_dynamo::Attributes;
use keyfold_environment::Random;

use super::batch::{BatchOutcome, BatchWriter};
use super::command::{DeleteOptions, PatchOptions, Write};
use super::executor::Executor;
use super::planner::Planner;
use super::side_writes::{NoSideWrites, SideWrites};
use super::writer::Writer;
use crate::caller::Caller;
use crate::error::Error;
use crate::items::Items;
use crate::record::Record;
use crate::runtime::Runtime;

impl Runtime {
    /// Creates an item that must not exist, and returns it as it is stored.
    pub async fn create(&self, caller: &Caller, entity: &str, attributes: Attributes) -> Result<Record, Error> {
        self.write_one(caller, Write::Create { entity: entity.to_owned(), attributes }).await
    }

    /// Creates an item or replaces it as a whole, and returns it. Its creation stamps, its counters and the attributes that
    /// the caller may not see stay; attributes that the design does not declare are removed.
    pub async fn put(&self, caller: &Caller, entity: &str, attributes: Attributes) -> Result<Record, Error> {
        self.write_one(caller, Write::Put { entity: entity.to_owned(), attributes }).await
    }

    /// Creates an item or changes the given attributes of it, and returns it.
    pub async fn upsert(&self, caller: &Caller, entity: &str, attributes: Attributes) -> Result<Record, Error> {
        self.write_one(caller, Write::Upsert { entity: entity.to_owned(), attributes }).await
    }

    /// Changes the given attributes of an item that must exist, and returns it. `NULL` removes an attribute.
    pub async fn patch(
        &self,
        caller: &Caller,
        entity: &str,
        attributes: Attributes,
        options: PatchOptions,
    ) -> Result<Record, Error> {
        self.write_one(caller, Write::Patch { entity: entity.to_owned(), attributes, options }).await
    }

    /// Deletes an item that must exist.
    pub async fn delete(
        &self,
        caller: &Caller,
        entity: &str,
        identity: Attributes,
        options: DeleteOptions,
    ) -> Result<(), Error> {
        self.delete_with(caller, entity, identity, options, &NoSideWrites).await
    }

    /// The same as [`Runtime::delete`], with writes to other tables in the transaction. If the delete takes several
    /// transactions, they are part of the last.
    pub async fn delete_with(
        &self,
        caller: &Caller,
        entity: &str,
        identity: Attributes,
        options: DeleteOptions,
        side_writes: &dyn SideWrites,
    ) -> Result<(), Error> {
        self.writer().delete(caller, entity, identity, options, side_writes).await
    }

    /// Several writes, all or nothing; returns the record that each leaves, `None` for deletes.
    pub async fn transact(&self, caller: &Caller, writes: Vec<Write>) -> Result<Vec<Option<Record>>, Error> {
        self.transact_with(caller, writes, &NoSideWrites).await
    }

    /// The same as [`Runtime::transact`], with writes to other tables in the same transaction. If a condition of theirs
    /// fails, nothing is written and the error is [`Error::SideWriteFailed`].
    pub async fn transact_with(
        &self,
        caller: &Caller,
        writes: Vec<Write>,
        side_writes: &dyn SideWrites,
    ) -> Result<Vec<Option<Record>>, Error> {
        self.writer().transact(caller, writes, side_writes).await
    }

    /// Many independent writes; returns their outcomes in order. Puts and deletes that need no condition, no stored value
    /// and no second item are sent in batches. All others are written one by one, with the same result. A delete of an item
    /// that does not exist succeeds.
    pub async fn batch_write(&self, caller: &Caller, writes: Vec<Write>) -> Vec<BatchOutcome> {
        BatchWriter { writer: self.writer() }.write(caller, writes).await
    }

    async fn write_one(&self, caller: &Caller, write: Write) -> Result<Record, Error> {
        let records = self.transact(caller, vec![write]).await?;
        let record = records.into_iter().next().flatten();
        record.ok_or_else(|| Error::Unavailable("the table returned no item".to_owned()))
    }

    fn writer(&self) -> Writer<'_> {
        self.writer_on(self.items(), self.random.as_ref())
    }

    /// Writes items with ids and marks from a source of randomness.
    pub(crate) fn writer_on<'r>(&'r self, items: Items<'r>, random: &'r dyn Random) -> Writer<'r> {
        let planner = Planner {
            design: &self.design,
            items,
            authorizer: self.authorizer.as_ref(),
            clock: self.clock.as_ref(),
            random,
            combined_attributes: &self.combined_attributes,
        };
        Writer { planner, executor: Executor { design: &self.design, items } }
    }
}
