//! Explanations: the requests that a call would send, and an estimate of their cost.

use keyfold_design::access::PartitionSet;
use keyfold_design::model::{Index, Projection, Verb};
use keyfold_dynamo::Attributes;
use keyfold_dynamo::expression::Printer;
use keyfold_dynamo::operation::{QueryInput, TransactWrite, TransactWriteKind};
use keyfold_dynamo::value::item_size;

use crate::authorize::{Access, authorize};
use crate::caller::Caller;
use crate::description::plain_text;
use crate::error::Error;
use crate::incoming_references::{guarding_references, needs_deletion_mark};
use crate::runtime::Runtime;
use crate::write::{Action, Effect, Write};

/// The requests of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The requests in the order in which they are sent.
    pub requests: Vec<PlannedRequest>,
    /// The request that reads each result of a pattern; absent if the query returns whole items.
    pub per_result: Option<&'static str>,
    /// The estimated read units, of one page for a pattern.
    pub read_units: f64,
    /// The estimated write units, including indexes.
    pub write_units: f64,
    /// The size in bytes that the estimate assumes of items it does not know; absent if it knows all of them.
    pub assumed_item_bytes: Option<usize>,
}

/// A request in DynamoDB's terms.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedRequest {
    /// The operation, such as `Query`, or `TransactWriteItems: Put` for an action of a transaction.
    pub operation: &'static str,
    /// The index of a query; absent for the table itself.
    pub index: Option<String>,
    /// The key of a write, the key condition of a query, or a description of the request.
    pub on: String,
    /// Whether a query reads from the start of the key range; absent for other requests.
    pub forward: Option<bool>,
    /// The update expression of an update.
    pub update: Option<String>,
    /// The condition expression; absent for an unconditional request.
    pub condition: Option<String>,
    /// The filter expression of a query.
    pub filter: Option<String>,
    /// The names behind the aliases of the expressions, such as `#n0`.
    pub names: Vec<(String, String)>,
    /// The values behind the aliases of the expressions, such as `:v0`.
    pub values: Attributes,
}

/// The description of the read that a plan starts from.
const STORED_ITEM: &str = "the stored item (consistent read)";
/// The assumed size of items whose size is not known.
const TYPICAL_ITEM_BYTES: usize = 1024;
/// The bytes that one unit reads consistently.
const READ_UNIT_BYTES: usize = 4096;
/// The bytes that one unit writes.
const WRITE_UNIT_BYTES: usize = 1024;

impl Runtime {
    /// The requests of a page with at most `take` results.
    pub fn explain_query(
        &self,
        caller: &Caller,
        pattern: &str,
        arguments: Attributes,
        take: usize,
    ) -> Result<Explanation, Error> {
        let prepared = self.prepare_query(caller, pattern, arguments)?;
        let descending = prepared.is_descending(false);
        let mut requests = Vec::new();
        for partition in 0..prepared.partitions.len() {
            requests.push(planned_query(self.request(&prepared, partition, descending)?));
        }
        // Partitions that are read in turn are read from the last one on.
        if descending && !prepared.plan.partitions.as_ref().is_some_and(PartitionSet::is_merged) {
            requests.reverse();
        }
        let blocks = (take * TYPICAL_ITEM_BYTES).div_ceil(READ_UNIT_BYTES).max(requests.len());
        let mut read_units = if requests.is_empty() { 0.0 } else { blocks as f64 / 2.0 };
        let per_result = prepared.plan.reads_again().then_some("GetItem (consistent read)");
        if per_result.is_some() && !requests.is_empty() {
            read_units += (take * TYPICAL_ITEM_BYTES.div_ceil(READ_UNIT_BYTES)) as f64;
        }
        let assumed_item_bytes = (!requests.is_empty()).then_some(TYPICAL_ITEM_BYTES);
        Ok(Explanation { requests, per_result, read_units, write_units: 0.0, assumed_item_bytes })
    }

    /// The requests of writes. Items that the plan depends on are read; nothing is written.
    pub async fn explain_writes(&self, caller: &Caller, writes: Vec<Write>) -> Result<Explanation, Error> {
        if let [Write::Delete { entity, identity, .. }] = writes.as_slice()
            && needs_deletion_mark(&self.design, self.entity(entity)?)
        {
            return self.explain_delete(caller, entity, identity.clone()).await;
        }
        let (reads, actions) = self.writer().plan_only(caller, writes).await?;
        let mut explanation = Explanation {
            per_result: None,
            read_units: reads.len() as f64,
            write_units: 0.0,
            assumed_item_bytes: (!reads.is_empty()).then_some(TYPICAL_ITEM_BYTES),
            requests: reads.into_iter().map(|request| plain_request(request, STORED_ITEM)).collect(),
        };
        let together = actions.len() > 1;
        for action in actions {
            if action.item().is_none() {
                explanation.assumed_item_bytes = Some(TYPICAL_ITEM_BYTES);
            }
            explanation.write_units += self.write_units(&action) * if together { 2.0 } else { 1.0 };
            explanation.requests.push(planned_write(action.transact(&self.table)?, together));
        }
        Ok(explanation)
    }

    /// The delete of an item that others may refer to: the item is marked, referring items are looked for, and all are deleted.
    async fn explain_delete(
        &self,
        caller: &Caller,
        entity: &str,
        mut identity: Attributes,
    ) -> Result<Explanation, Error> {
        let entity = self.entity(entity)?;
        let access = Access { caller, verb: Verb::Delete, entity, pattern: None };
        let authorized = authorize(self.authorizer.as_ref(), access)?;
        let planner = self.planner();
        let target = planner.targets().bind(&authorized, &mut identity)?;
        let found = planner.targets().read(&authorized, target).await?;
        let mut requests = vec![
            plain_request(entity.read_request(), STORED_ITEM),
            plain_request("UpdateItem", "marks the item, so that no new item can refer to it"),
        ];
        for (_, reference) in guarding_references(&self.design, entity) {
            if let Some(range) = &reference.range {
                let ranges = self.items().range_requests(range, &found.attributes)?;
                requests.extend(ranges.into_iter().map(planned_query));
            }
        }
        let read_units = requests.len() as f64 - 1.0;
        requests.push(plain_request(
            "DeleteItem",
            "or TransactWriteItems if referring items are deleted too, at most 100 at a time",
        ));
        let write_units = 2.0 * (1.0 + entity.layout.index_keys.len() as f64);
        let assumed_item_bytes = Some(TYPICAL_ITEM_BYTES);
        Ok(Explanation { requests, per_result: None, read_units, write_units, assumed_item_bytes })
    }

    /// The write to the table, and one for each index entry that is added, removed or changed.
    fn write_units(&self, action: &Action) -> f64 {
        let size = action.item().map_or(TYPICAL_ITEM_BYTES, item_size);
        let entries: usize = match &action.effect {
            Effect::Check => 0,
            Effect::Put(item) => {
                let is_in = |index: &&Index| index.keys().all(|key| item.contains_key(&key.name));
                self.design.indexes.iter().filter(is_in).count()
            }
            Effect::Delete => self.indexes_of(&action.key).count(),
            Effect::Update(changes) => {
                self.indexes_of(&action.key).map(|index| entries_changed(index, |name| changes.touches(name))).sum()
            }
        };
        (size.div_ceil(WRITE_UNIT_BYTES).max(1) * (1 + entries)) as f64
    }

    /// The indexes that an item of this key can be in.
    fn indexes_of(&self, key: &Attributes) -> impl Iterator<Item = &Index> {
        let index_keys = self.design.recognise(key).map(|id| &self.design[id].layout.index_keys);
        index_keys.into_iter().flatten().map(|key| &self.design[key.index])
    }
}

/// A moved entry is removed and added elsewhere; one that holds a changed attribute is written again.
fn entries_changed(index: &Index, touched: impl Fn(&str) -> bool) -> usize {
    if index.keys().any(|key| touched(&key.name)) {
        return 2;
    }
    match &index.projection {
        Projection::All => 1,
        Projection::KeysOnly => 0,
        Projection::Include(names) => usize::from(names.iter().any(|name| touched(name))),
    }
}

/// A request, described for people.
fn plain_request(operation: &'static str, on: &str) -> PlannedRequest {
    PlannedRequest {
        operation,
        index: None,
        on: on.to_owned(),
        forward: None,
        update: None,
        condition: None,
        filter: None,
        names: Vec::new(),
        values: Attributes::new(),
    }
}

fn planned_query(input: QueryInput) -> PlannedRequest {
    let mut printer = Printer::new();
    let on = input.key_condition.print(&mut printer);
    let filter = input.page.filter.map(|filter| filter.print(&mut printer));
    let aliases = printer.into_aliases();
    PlannedRequest {
        operation: "Query",
        index: input.page.index_name,
        on,
        forward: Some(input.forward),
        update: None,
        condition: None,
        filter,
        names: aliases.names.unwrap_or_default().into_iter().collect(),
        values: aliases.values.unwrap_or_default(),
    }
}

fn planned_write(write: TransactWrite, together: bool) -> PlannedRequest {
    let mut printer = Printer::new();
    let (operation, key, update) = match write.kind {
        TransactWriteKind::Put { item } => (if together { "TransactWriteItems: Put" } else { "PutItem" }, item, None),
        TransactWriteKind::Update { key, update } => {
            let update = update.print(&mut printer);
            (if together { "TransactWriteItems: Update" } else { "UpdateItem" }, key, Some(update))
        }
        TransactWriteKind::Delete { key } => {
            (if together { "TransactWriteItems: Delete" } else { "DeleteItem" }, key, None)
        }
        TransactWriteKind::ConditionCheck { key } => ("TransactWriteItems: ConditionCheck", key, None),
    };
    let condition = write.condition.map(|condition| condition.print(&mut printer));
    let aliases = printer.into_aliases();
    let conditions: Vec<String> = key.iter().map(|(name, value)| format!("{name} = {}", plain_text(value))).collect();
    PlannedRequest {
        operation,
        index: None,
        on: conditions.join(", "),
        forward: None,
        update,
        condition,
        filter: None,
        names: aliases.names.unwrap_or_default().into_iter().collect(),
        values: aliases.values.unwrap_or_default(),
    }
}
