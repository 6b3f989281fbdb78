//! The one place where changes go to the runtime.

use keyfold_design::model::EntityId;
use keyfold_dynamo::Attributes;
use keyfold_runtime::{DeleteOptions, Error, Record, Write};

use crate::exchange::Exchange;
use crate::problem::Problem;
use crate::refusal;

impl Exchange {
    /// Makes changes, all or none; each item as it is then, `None` for deletes.
    pub async fn change(&self, writes: Vec<Write>) -> Result<Vec<Option<Record>>, Problem> {
        let entities = self.entities_of(&writes);
        let outcome = self.served.runtime.transact(&self.caller, writes).await;
        self.changed(&entities, outcome)
    }

    /// Deletes an item, in several steps where much goes with it.
    pub async fn delete(&self, entity: &str, identity: Attributes, options: DeleteOptions) -> Result<(), Problem> {
        let entities: Vec<EntityId> =
            self.served.design().entity_named(entity).map(|entity| entity.id).into_iter().collect();
        let outcome = self.served.runtime.delete(&self.caller, entity, identity, options).await;
        self.changed(&entities, outcome)
    }

    fn changed<T>(&self, entities: &[EntityId], outcome: Result<T, Error>) -> Result<T, Problem> {
        self.served.known.changed(entities.iter().copied());
        outcome.map_err(|error| refusal::of(&self.served, &self.caller, entities, error))
    }

    fn entities_of(&self, writes: &[Write]) -> Vec<EntityId> {
        let design = self.served.design();
        writes.iter().filter_map(|write| design.entity_named(entity_of(write))).map(|entity| entity.id).collect()
    }
}

fn entity_of(write: &Write) -> &str {
    match write {
        Write::Create { entity, .. }
        | Write::Put { entity, .. }
        | Write::Upsert { entity, .. }
        | Write::Patch { entity, .. }
        | Write::Delete { entity, .. } => entity,
    }
}
