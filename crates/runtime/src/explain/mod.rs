//! Explanations: the requests that a call would send, and their cost.

mod planned_request;
mod rehearsal;
mod write_cost;

use std::collections::BTreeSet;

use keyfold_design::access::{FurtherRead, ItemSource, PartitionSet};
use keyfold_design::model::{Attribute, Entity, OnDelete, Verb};
use keyfold_dynamo::Attributes;
use keyfold_dynamo::capacity::{Consistency, read_units};
use keyfold_environment::SeededRandom;

pub use self::planned_request::PlannedRequest;
pub(crate) use self::rehearsal::NotedRequests;
use self::rehearsal::Rehearsal;
use self::write_cost::TYPICAL_ITEM_BYTES;
use crate::authorize::{Access, Authorized, authorize, describe};
use crate::caller::Caller;
use crate::error::Error;
use crate::incoming_references::guarding_references;
use crate::items::Items;
use crate::runtime::Runtime;
use crate::write::{DeleteOptions, NoSideWrites, Write};

/// The requests of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The requests in the order in which they are sent.
    pub requests: Vec<PlannedRequest>,
    /// The request that reads each result of a pattern; absent if the query returns whole items.
    pub per_result: Option<String>,
    /// The entities of which the index, or the lookups, of a pattern hold some items only, each with the condition that
    /// those meet; empty if it holds all that have the attributes of its key, and for writes.
    pub entry_conditions: Vec<(String, String)>,
    /// The read units: estimated for one page of a pattern, measured for the reads of a write.
    pub read_units: f64,
    /// The estimated write units, including indexes; 0 for a pattern.
    pub write_units: f64,
    /// The size in bytes that the estimate assumes of items it does not know; absent if it knows all of them.
    pub assumed_item_bytes: Option<usize>,
}

impl Runtime {
    /// The requests of a page with at most `take` results.
    pub fn explain_query(
        &self,
        caller: &Caller,
        pattern: &str,
        arguments: Attributes,
        take: usize,
    ) -> Result<Explanation, Error> {
        let prepared = self.prepare_query(caller, pattern, arguments, None)?;
        let descending = prepared.is_descending(false);
        let mut requests = Vec::new();
        for partition in 0..prepared.partitions.len() {
            requests.push(PlannedRequest::query(&prepared.request(&self.table, partition, descending)?));
        }
        // Partitions that are read in turn are read from the last one on.
        if descending && !prepared.plan.partitions.as_ref().is_some_and(PartitionSet::is_merged) {
            requests.reverse();
        }
        let smallest = read_units(0, Consistency::Eventual) * requests.len() as f64;
        let items = read_units(take * TYPICAL_ITEM_BYTES, Consistency::Eventual);
        let mut cost = if requests.is_empty() { 0.0 } else { items.max(smallest) };
        let per_result = further_requests(
            prepared.results.iter().map(|(_, result)| (&result.source, prepared.reads_again(result.entity))),
        );
        if per_result.is_some() && !requests.is_empty() {
            cost += take as f64 * read_units(TYPICAL_ITEM_BYTES, Consistency::Strong);
        }
        let assumed_item_bytes = (!requests.is_empty()).then_some(TYPICAL_ITEM_BYTES);
        let entry_conditions = prepared.results.iter().flat_map(|(authorized, result)| {
            let name = &authorized.entity().name;
            result.entry_conditions.iter().map(move |condition| (name.clone(), condition.clone()))
        });
        let entry_conditions = entry_conditions.collect();
        Ok(Explanation {
            requests,
            per_result,
            entry_conditions,
            read_units: cost,
            write_units: 0.0,
            assumed_item_bytes,
        })
    }

    /// The requests of writes. They take the path of real writes, on a backend that reads the table and writes nothing;
    /// conditions are not evaluated. The delete of an item together with others is explained to callers who may read
    /// every item that could be among them.
    pub async fn explain_writes(&self, caller: &Caller, writes: Vec<Write>) -> Result<Explanation, Error> {
        if let [Write::Delete { entity, options, .. }] = writes.as_slice() {
            self.require_readable(caller, self.entity(entity)?, *options)?;
        }
        let (noted, outcome) = self.rehearse(caller, writes).await;
        outcome?;
        Ok(Explanation {
            requests: noted.requests,
            per_result: None,
            entry_conditions: Vec::new(),
            read_units: noted.read_units,
            write_units: noted.write_units,
            assumed_item_bytes: noted.assumed_item_bytes,
        })
    }

    /// The requests of writes, and whether the writes would succeed: one that is rejected sends requests as well.
    pub(crate) async fn rehearse(&self, caller: &Caller, writes: Vec<Write>) -> (NotedRequests, Result<(), Error>) {
        let rehearsal = Rehearsal::new(&self.design, self.backend.as_ref());
        // Nothing is written, so that ids and marks need not be unique: the same call has the same explanation.
        let random = SeededRandom::new(0);
        let writer = self.writer_on(Items { backend: &rehearsal, ..self.items() }, &random);
        let outcome = match writes.as_slice() {
            [Write::Delete { entity, identity, options }] => {
                writer.delete(caller, entity, identity.clone(), *options, &NoSideWrites).await
            }
            _ => writer.transact(caller, writes, &NoSideWrites).await.map(drop),
        };
        (rehearsal.into_noted(), outcome)
    }

    /// An error unless the caller may read all items of the entities that are deleted with an item: the explanation
    /// names them. This is decided for the entities as a whole, so that the outcome tells nothing about stored items.
    fn require_readable(&self, caller: &Caller, entity: &Entity, options: DeleteOptions) -> Result<(), Error> {
        let mut known = BTreeSet::from([entity.id]);
        let mut open = vec![entity];
        while let Some(entity) = open.pop() {
            for (child, reference) in guarding_references(&self.design, entity) {
                let is_deleted = options.cascade || reference.on_delete == OnDelete::Cascade;
                if !is_deleted || !known.insert(child.id) {
                    continue;
                }
                let access = Access { caller, verb: Verb::Get, entity: child, pattern: None };
                let is_visible = |reader: &Authorized<'_>, attribute: &Attribute| {
                    reader.sees_attribute(&self.design, &attribute.name, None) == Some(true)
                };
                let reader = authorize(self.authorizer.as_ref(), access)?;
                if reader.reads_items() || !child.attributes.iter().all(|attribute| is_visible(&reader, attribute)) {
                    let (caller, name) = (describe(caller), &child.name);
                    return Err(Error::NotAllowed(format!(
                        "{caller} may not read every {name} that is deleted as well"
                    )));
                }
                open.push(child);
            }
        }
        Ok(())
    }
}

/// The requests that read the results of a pattern, besides its query.
fn further_requests<'p>(sources: impl Iterator<Item = (&'p ItemSource, bool)>) -> Option<String> {
    let mut requests: Vec<&str> = Vec::new();
    for (source, reads_again) in sources {
        let search = match source {
            ItemSource::Projected { moved, .. } if reads_again => moved.as_ref(),
            source => source.partition_search(),
        };
        if let ItemSource::Reference { read: FurtherRead::Key, .. } = source {
            requests.push("BatchGetItem of what the items of a response refer to (consistent read)");
            continue;
        }
        let gets_items = source.gets_items() || reads_again && matches!(source, ItemSource::Projected { .. });
        let request = match (gets_items, search) {
            (false, None) => continue,
            (true, None) => "GetItem (consistent read)",
            (false, Some(_)) => "Query of its partition (consistent read)",
            (true, Some(_)) => "GetItem (consistent read), and a Query of its partition if it has moved",
        };
        if !requests.contains(&request) {
            requests.push(request);
        }
    }
    (!requests.is_empty()).then(|| requests.join(", or "))
}
