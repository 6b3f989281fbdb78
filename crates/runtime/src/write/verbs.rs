//! The verbs that write.

use keyfold_design::model::{Attribute, Verb};
use keyfold_dynamo::Attributes;
use keyfold_environment::Random;

use super::batch::{BatchOutcome, BatchWriter};
use super::command::{DeleteOptions, PatchOptions, Write};
use super::executor::Executor;
use super::planner::Planner;
use super::side_writes::{NoSideWrites, SideWrites};
use super::writer::Writer;
use crate::authorize::{Access, UnsettableAttributes, authorize};
use crate::caller::Caller;
use crate::error::Error;
use crate::items::Items;
use crate::names::entity_named;
use crate::record::Record;
use crate::runtime::Runtime;

impl Runtime {
    /// Creates an item that must not exist, and returns it as it is stored.
    pub async fn create(&self, caller: &Caller, entity: &str, attributes: Attributes) -> Result<Record, Error> {
        self.write_one(caller, Write::Create { entity: entity.to_owned(), attributes }).await
    }

    /// Creates an item or replaces it as a whole, and returns it. Its creation stamps, its counters and the attributes
    /// that the caller may not see or set stay; attributes that the design does not declare are removed.
    pub async fn put(&self, caller: &Caller, entity: &str, attributes: Attributes) -> Result<Record, Error> {
        self.write_one(caller, Write::Put { entity: entity.to_owned(), attributes }).await
    }

    /// The attributes that [`Runtime::put`] keeps if it does not state them, because the caller does not see them or
    /// may not set them. The item is read only if that depends on it; of one that does not exist, all such attributes
    /// count.
    pub async fn attributes_kept_by_put(
        &self,
        caller: &Caller,
        entity: &str,
        mut identity: Attributes,
    ) -> Result<Vec<String>, Error> {
        let entity = entity_named(&self.design, entity)?;
        let access = Access { caller, verb: Verb::Update, entity, pattern: None };
        let authorized = authorize(self.authorizer.as_ref(), access)?;
        let keeps = |attribute: &Attribute, item: Option<&Attributes>| authorized.keeps(&self.design, attribute, item);
        let item = if entity.attributes.iter().any(|attribute| keeps(attribute, None).is_none()) {
            let target = self.writer().planner.targets().bind(&authorized, &mut identity)?;
            let found = self.items().find(entity, &target.identity).await?;
            found.filter(|found| target.confined.sees(entity, &found.attributes))
        } else {
            None
        };
        let item = item.as_ref().map(|record| &record.attributes);
        let kept = entity.attributes.iter().filter(|attribute| keeps(attribute, item) != Some(false));
        Ok(kept.map(|attribute| attribute.name.clone()).collect())
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

    /// The attributes of an entity that `settable by` keeps the caller from setting with a verb. `item` is the stored
    /// item of an update, or the new item of a create. Without it, an attribute is included if the caller may not set
    /// it in every item. None where the verb sets nothing.
    pub fn unsettable_attributes(
        &self,
        caller: &Caller,
        verb: Verb,
        entity: &str,
        item: Option<&Attributes>,
    ) -> Result<UnsettableAttributes, Error> {
        let entity = entity_named(&self.design, entity)?;
        match verb {
            Verb::Create | Verb::Update => {
                Ok(Access { caller, verb, entity, pattern: None }.unsettable_attributes(&self.design, item))
            }
            Verb::Get | Verb::List | Verb::Delete => Ok(UnsettableAttributes::default()),
        }
    }

    /// Many independent writes; returns their outcomes in order. Puts and deletes that need no condition, no stored
    /// value and no second item are sent in batches. All others are written one by one, with the same result. A delete
    /// of an item that does not exist succeeds.
    pub async fn batch_write(&self, caller: &Caller, writes: Vec<Write>) -> Vec<BatchOutcome> {
        BatchWriter { writer: self.writer() }.write(caller, writes).await
    }

    /// Changes the given attributes of an item that must exist, even if the design says that they never change.
    pub(crate) async fn correct(&self, caller: &Caller, entity: &str, attributes: Attributes) -> Result<(), Error> {
        let options = PatchOptions::default();
        self.writer().correct(caller, Write::Patch { entity: entity.to_owned(), attributes, options }).await.map(drop)
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
