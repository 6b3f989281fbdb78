//! A caller at work on a design.

use std::marker::PhantomData;

use keyfold_design::model;
use keyfold_dynamo::Attributes;
use keyfold_runtime::{Caller, DeleteOptions, Error, ItemProblem, PatchOptions, QueryOptions, Record, Runtime};

use crate::entity::{Design, Entity, Identity, New, Patch, Removable, Returned};
use crate::page::Page;
use crate::type_mismatch::{TypeMismatch, identity_text};
use crate::write::Write;

/// The verbs of a design as one caller. Generated modules add the access patterns.
///
/// A caller who may write an item and not read it writes with [`Session::transact`], which returns no items. The other
/// verbs make the write as well, and then return [`Error::WrittenUnreadable`].
pub struct Session<'r, D> {
    runtime: &'r Runtime,
    caller: Caller,
    design: PhantomData<D>,
}

impl<'r, D: Design> Session<'r, D> {
    /// The runtime has to run the design that the module was generated from.
    pub fn new(runtime: &'r Runtime, caller: Caller) -> Self {
        debug_assert_eq!(runtime.design().name, D::NAME, "the runtime runs another design than the module's");
        Self { runtime, caller, design: PhantomData }
    }

    /// The caller on whose behalf every call is made.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The runtime that executes the calls.
    pub fn runtime(&self) -> &'r Runtime {
        self.runtime
    }

    /// Creates an item that must not exist; the item as it is stored.
    pub async fn create<N: New<Entity: Entity<Design = D>>>(&self, new: &N) -> Result<N::Entity, Error> {
        self.one(Write::create(new)).await
    }

    /// Creates an item or replaces it; when and by whom it was created stays.
    pub async fn put<N: New<Entity: Entity<Design = D>>>(&self, new: &N) -> Result<N::Entity, Error> {
        self.one(Write::put(new)).await
    }

    /// Creates an item or changes what is given.
    pub async fn upsert<N: New<Entity: Entity<Design = D>>>(&self, new: &N) -> Result<N::Entity, Error> {
        self.one(Write::upsert(new)).await
    }

    /// Changes an item that must exist.
    pub async fn patch<I, P>(&self, identity: &I, patch: &P) -> Result<I::Entity, Error>
    where
        I: Identity<Entity: Entity<Design = D>>,
        P: Patch<Entity = I::Entity>,
    {
        self.one(Write::patch(identity, patch, PatchOptions::default())).await
    }

    /// Changes an item that still has the version the caller has seen.
    pub async fn patch_version<I, P>(&self, identity: &I, patch: &P, version: u64) -> Result<I::Entity, Error>
    where
        I: Identity<Entity: Entity<Design = D>>,
        P: Patch<Entity = I::Entity>,
    {
        self.one(Write::patch(identity, patch, PatchOptions::expecting(Some(version)))).await
    }

    /// Changes an item by operators, or under a condition, besides what the patch gives.
    pub async fn update<I, P>(&self, identity: &I, patch: &P, options: PatchOptions) -> Result<I::Entity, Error>
    where
        I: Identity<Entity: Entity<Design = D>>,
        P: Patch<Entity = I::Entity>,
    {
        self.one(Write::patch(identity, patch, options)).await
    }

    /// The item of an identity, if the caller may see one.
    pub async fn get<I: Identity<Entity: Entity<Design = D>>>(&self, identity: &I) -> Result<Option<I::Entity>, Error> {
        let mut attributes = Attributes::new();
        identity.write(&mut attributes);
        let found = self.runtime.get(&self.caller, I::Entity::NAME, attributes).await?;
        found.map(|record| self.read(&record)).transpose()
    }

    /// Removes an item that must exist.
    pub async fn delete<I: Identity<Entity: Removable + Entity<Design = D>>>(
        &self,
        identity: &I,
        options: DeleteOptions,
    ) -> Result<(), Error> {
        let mut attributes = Attributes::new();
        identity.write(&mut attributes);
        self.runtime.delete(&self.caller, I::Entity::NAME, attributes, options).await.map(drop)
    }

    /// Several writes, all or nothing.
    pub async fn transact(&self, writes: Vec<Write<D>>) -> Result<(), Error> {
        let writes = writes.into_iter().map(|write| write.write).collect();
        self.runtime.transact(&self.caller, writes).await.map(drop)
    }

    /// One page of an access pattern.
    pub async fn page<T: Returned<Design = D>>(
        &self,
        pattern: &str,
        arguments: Attributes,
        options: &QueryOptions,
    ) -> Result<Page<T>, Error> {
        let page = self.runtime.query(&self.caller, pattern, arguments, options).await?;
        let keyfold_runtime::Page { records, mut problems, cursor, evaluated, read_units, stop_reason, .. } = page;
        let mut items = Vec::with_capacity(records.len());
        for record in &records {
            let entity = &self.runtime.design()[record.entity];
            match T::read(&entity.name, &record.attributes) {
                Ok(item) => items.push(item),
                Err(mismatch) if mismatch.is_of_module() => {
                    return Err(mismatch.into_error(entity, &record.attributes));
                }
                Err(mismatch) => problems.push(problem(entity, &record.attributes, &mismatch)),
            }
        }
        Ok(Page { items, problems, cursor, evaluated, read_units, stop_reason })
    }

    /// The number of results of a pattern that only counts.
    pub async fn count(&self, pattern: &str, arguments: Attributes) -> Result<usize, Error> {
        let mut options = QueryOptions::default();
        let mut count = 0;
        loop {
            let page = self.runtime.query(&self.caller, pattern, arguments.clone(), &options).await?;
            count += page.count;
            match page.cursor {
                Some(cursor) => options.cursor = Some(cursor),
                None => return Ok(count),
            }
        }
    }

    async fn one<E: Entity<Design = D>>(&self, write: Write<D>) -> Result<E, Error> {
        let records = self.runtime.transact(&self.caller, vec![write.write]).await?;
        match records.into_iter().next().flatten() {
            Some(record) if record.is_readable => self.read(&record),
            Some(record) => {
                let entity = &self.runtime.design()[record.entity];
                let identity = identity_text(entity, &record.attributes);
                Err(Error::WrittenUnreadable { entity: entity.name.clone(), identity })
            }
            None => Err(Error::Unavailable("the write returned no item".to_owned())),
        }
    }

    fn read<T: Returned>(&self, record: &Record) -> Result<T, Error> {
        let entity = &self.runtime.design()[record.entity];
        T::read(&entity.name, &record.attributes).map_err(|mismatch| mismatch.into_error(entity, &record.attributes))
    }
}

/// The problem with an item that does not fit the types of the module.
fn problem(entity: &model::Entity, attributes: &Attributes, mismatch: &TypeMismatch) -> ItemProblem {
    ItemProblem {
        key: key_of(entity, attributes),
        item: Some((entity.id, attributes.clone())),
        expected: entity.name.clone(),
        cause: mismatch.to_string(),
    }
}

/// The table's key of an item. What the caller sees may not give it: then the identity.
fn key_of(entity: &model::Entity, attributes: &Attributes) -> Attributes {
    match entity.layout.key(|name| attributes.get(name)) {
        Ok(Some(key)) => key,
        Ok(None) | Err(_) => {
            let identity = entity.identity.iter().filter_map(|name| attributes.get_key_value(name));
            identity.map(|(name, value)| (name.clone(), value.clone())).collect()
        }
    }
}
