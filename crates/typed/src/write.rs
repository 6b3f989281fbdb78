//! Writes of a transaction.

use std::marker::PhantomData;

use keyfold_dynamo::Attributes;
use keyfold_runtime::{DeleteOptions, PatchOptions};

use crate::entity::{Design, Entity, Identity, New, Patch, Removable};

/// One write of a transaction on a design.
#[derive(Debug, Clone, PartialEq)]
pub struct Write<D> {
    pub(crate) write: keyfold_runtime::Write,
    design: PhantomData<D>,
}

impl<D: Design> Write<D> {
    fn wrap(write: keyfold_runtime::Write) -> Self {
        Self { write, design: PhantomData }
    }

    /// The item must not exist.
    pub fn create<N: New<Entity: Entity<Design = D>>>(new: &N) -> Self {
        Self::wrap(keyfold_runtime::Write::Create { entity: name::<N::Entity>(), attributes: whole(new) })
    }

    /// Creates the item or replaces it.
    pub fn put<N: New<Entity: Entity<Design = D>>>(new: &N) -> Self {
        Self::wrap(keyfold_runtime::Write::Put { entity: name::<N::Entity>(), attributes: whole(new) })
    }

    /// Creates the item or changes what is given.
    pub fn upsert<N: New<Entity: Entity<Design = D>>>(new: &N) -> Self {
        Self::wrap(keyfold_runtime::Write::Upsert { entity: name::<N::Entity>(), attributes: whole(new) })
    }

    /// Changes an item that must exist.
    pub fn patch<I, P>(identity: &I, patch: &P, options: PatchOptions) -> Self
    where
        I: Identity<Entity: Entity<Design = D>>,
        P: Patch<Entity = I::Entity>,
    {
        let mut attributes = Attributes::new();
        identity.write(&mut attributes);
        patch.write(&mut attributes);
        Self::wrap(keyfold_runtime::Write::Patch { entity: name::<I::Entity>(), attributes, options })
    }

    /// Removes an item that must exist.
    pub fn delete<I: Identity<Entity: Removable + Entity<Design = D>>>(identity: &I, options: DeleteOptions) -> Self {
        let mut attributes = Attributes::new();
        identity.write(&mut attributes);
        Self::wrap(keyfold_runtime::Write::Delete { entity: name::<I::Entity>(), identity: attributes, options })
    }
}

fn name<E: Entity>() -> String {
    E::NAME.to_owned()
}

fn whole<N: New>(new: &N) -> Attributes {
    let mut attributes = Attributes::new();
    new.write(&mut attributes);
    attributes
}
