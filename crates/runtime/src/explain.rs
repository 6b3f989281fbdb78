//! What a call would do: the requests it would send, the index, and about how much they would cost.

use keyfold_design::model::{Index, Projection, Verb};
use keyfold_dynamo::expression::Printer;
use keyfold_dynamo::operation::{QueryInput, TransactWrite, TransactWriteKind};
use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{AttributeValue, Attributes};

use crate::authorize::{Access, authorize};
use crate::caller::Caller;
use crate::error::Error;
use crate::incoming_references::{guarded, needs_deletion_mark};
use crate::record::entity_named;
use crate::runtime::Runtime;
use crate::write::{Action, Effect, Write};

/// The requests of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    pub requests: Vec<PlannedRequest>,
    /// What each result of a pattern is read by, where the query does not return it whole.
    pub per_result: Option<&'static str>,
    /// About how many read units; for a pattern per page.
    pub read_units: f64,
    /// About how many write units, the indexes included.
    pub write_units: f64,
}

/// A request in DynamoDB's terms.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedRequest {
    pub operation: &'static str,
    pub index: Option<String>,
    /// The key of a write, or the key condition of a query.
    pub on: String,
    pub update: Option<String>,
    pub condition: Option<String>,
    pub filter: Option<String>,
    pub names: Vec<(String, String)>,
    pub values: Attributes,
}

/// The size that items are taken to have where nothing is known of them.
const TYPICAL_ITEM_BYTES: usize = 1024;
/// What one consistent read unit pays for.
const READ_UNIT_BYTES: usize = 4096;
/// What one write unit pays for.
const WRITE_UNIT_BYTES: usize = 1024;

impl Runtime {
    /// What a page of a pattern would ask for.
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
        let blocks = (take * TYPICAL_ITEM_BYTES).div_ceil(READ_UNIT_BYTES).max(requests.len());
        let mut read_units = if requests.is_empty() { 0.0 } else { blocks as f64 / 2.0 };
        let per_result = prepared.plan.reads_again().then_some("GetItem, consistently");
        if per_result.is_some() {
            read_units += (take * TYPICAL_ITEM_BYTES.div_ceil(READ_UNIT_BYTES)) as f64;
        }
        Ok(Explanation { requests, per_result, read_units, write_units: 0.0 })
    }

    /// What writes would send. Items that the plan depends on are read; nothing is written.
    pub async fn explain_writes(&self, caller: &Caller, writes: Vec<Write>) -> Result<Explanation, Error> {
        if let [Write::Delete { entity, identity, .. }] = writes.as_slice()
            && needs_deletion_mark(&self.design, entity_named(&self.design, entity)?)
        {
            return self.explain_delete(caller, entity, identity.clone()).await;
        }
        let (reads, actions) = self.writer().plan_only(caller, writes).await?;
        let together = actions.len() > 1;
        let read_units = reads.len() as f64;
        let mut explanation = Explanation { requests: Vec::new(), per_result: None, read_units, write_units: 0.0 };
        for request in reads {
            explanation.requests.push(plain(request, "the stored item, consistently"));
        }
        for action in actions {
            explanation.write_units += self.write_units(&action) * if together { 2.0 } else { 1.0 };
            explanation.requests.push(planned_write(action.transact(&self.table)?, together));
        }
        Ok(explanation)
    }

    /// The delete of something that others may refer to: marked, looked for, deleted with those who go with it.
    async fn explain_delete(
        &self,
        caller: &Caller,
        entity: &str,
        mut identity: Attributes,
    ) -> Result<Explanation, Error> {
        let entity = entity_named(&self.design, entity)?;
        let access = Access { caller, verb: Verb::Delete, entity, pattern: None };
        let authorized = authorize(self.authorizer.as_ref(), access)?;
        let planner = self.planner();
        let target = planner.bind_target(&authorized, &mut identity)?;
        let found = planner.read_target(&authorized, target).await?;
        let mut requests = vec![
            plain(entity.read_request(), "the stored item, consistently"),
            plain("UpdateItem", "marks the item, so that nobody refers to it any more"),
        ];
        for (_, reference) in guarded(&self.design, entity) {
            if let Some(path) = &reference.path {
                let ranges = self.items().range_requests(path, &found.attributes)?;
                requests.extend(ranges.into_iter().map(planned_query));
            }
        }
        let read_units = requests.len() as f64 - 1.0;
        requests.push(plain("DeleteItem", "or TransactWriteItems with those who go with it, in steps of 100"));
        let entries = entity.layout.index_keys.len() as f64;
        Ok(Explanation { requests, per_result: None, read_units, write_units: 2.0 * (1.0 + entries) })
    }

    /// The table's own write, and one for each entry of an index that comes, goes or changes.
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
        let entity = self.design.recognise(key).and_then(|id| self.design.entity(id));
        let index_keys = entity.map_or(&[] as &[_], |entity| entity.layout.index_keys.as_slice());
        index_keys.iter().filter_map(|key| self.design.index(key.index))
    }
}

/// A moved entry is taken away and put elsewhere; one that holds a changed attribute is written again.
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
fn plain(operation: &'static str, on: &str) -> PlannedRequest {
    PlannedRequest {
        operation,
        index: None,
        on: on.to_owned(),
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
    let conditions: Vec<String> =
        key.iter().map(|(name, value)| format!("{name} = {}", display_value(value))).collect();
    PlannedRequest {
        operation,
        index: None,
        on: conditions.join(", "),
        update,
        condition,
        filter: None,
        names: aliases.names.unwrap_or_default().into_iter().collect(),
        values: aliases.values.unwrap_or_default(),
    }
}

fn display_value(value: &AttributeValue) -> String {
    crate::record::plain_text(value)
}
