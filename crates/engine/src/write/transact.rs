//! TransactWriteItems: all actions or none, isolated from other writes.

use std::collections::BTreeMap;
use std::sync::Arc;

use keyfold_dynamo::capacity::{Consistency, TRANSACTION_FACTOR, read_units};
use keyfold_dynamo::error::CancellationReason;
use keyfold_dynamo::limits;
use keyfold_dynamo::operation::{
    ConsumedCapacity, ReturnConsumedCapacity, TransactWrite, TransactWriteItemsInput, TransactWriteItemsOutput,
    TransactWriteKind,
};
use keyfold_dynamo::value::item_size;
use keyfold_dynamo::{Attributes, ServiceError};

use super::intent::{Action, Intent, Refusal};
use super::pending::Pending;
use super::single::collection_metrics;
use super::token::Token;
use super::{Newest, read_newest, row_changes};
use crate::capacity::{Consumption, Direction, WriteCost};
use crate::catalog::{Table, TableDefinition};
use crate::commit::{Commit, CommitHandle};
use crate::in_flight::ItemLock;
use crate::shared::Shared;

/// One write of a batch or a transaction, checked and with its row.
pub(crate) struct PlannedWrite {
    pub intent: Intent,
    pub definition: Arc<TableDefinition>,
    pub row: Vec<u8>,
}

/// The cost and the size of one evaluated write.
pub(crate) struct WriteOutcome {
    pub cost: WriteCost,
    pub new_size: usize,
}

impl Shared {
    pub(crate) fn transact_write_items(
        &self,
        input: TransactWriteItemsInput,
    ) -> Result<Pending<TransactWriteItemsOutput>, ServiceError> {
        let token = input.client_request_token.as_deref().map(|token| Token::new(token, &input.writes));
        let names: Vec<String> = input.writes.iter().map(|write| write.table_name.clone()).collect();
        let intents = input.writes.into_iter().map(intent).collect::<Result<Vec<_>, _>>()?;
        let tables = self.tables_in_order(&names)?;
        // The gates stay open until the commit is enqueued.
        let gates = tables.values().map(|table| table.enter()).collect::<Result<Vec<_>, _>>()?;
        let definitions: BTreeMap<&str, &Arc<TableDefinition>> =
            gates.iter().map(|gate| (gate.definition.name.as_str(), &gate.definition)).collect();

        let mut token_lock = token.as_ref().map(|token| self.in_flight.lock(&token.row()));
        if let (Some(token), Some(lock)) = (&token, &token_lock)
            && let Some(handle) = self.replayed(token, lock)?
        {
            let output = self.replay_output(&intents, &names, &definitions, input.return_consumed_capacity)?;
            return Ok(Pending::new(Ok(output), handle));
        }
        let parts = parts(intents, &names, &definitions)?;
        refuse_duplicates(&parts, "Transaction request cannot include multiple operations on one item")?;
        // A delete may come with a counter, a record of the change or a lookup.
        if parts.iter().any(|part| part.intent.adds_data()) && !parts.iter().any(|part| part.intent.is_delete()) {
            self.disk_reserve.require_space()?;
        }
        let mut locks = self.lock_all(&parts);
        let mut commit = Commit::default();
        let applied = match self.evaluate(&parts, &mut locks, &mut commit)? {
            Evaluation::Refused { reasons, uncommitted } => {
                let handle = if uncommitted { Some(self.committer.barrier()?) } else { None };
                return Ok(Pending::new(Err(ServiceError::TransactionCanceled { reasons }), handle));
            }
            Evaluation::Applied(applied) => applied,
        };
        let bytes = applied.outcomes.iter().map(|done| done.new_size).sum::<usize>();
        if bytes > limits::TRANSACTION_BYTES {
            return Err(ServiceError::validation(format!(
                "Transaction payload size cannot exceed 4MB. Payload Size: {bytes}"
            )));
        }
        if let (Some(token), Some(lock)) = (&token, &token_lock) {
            token.record(self, &mut commit);
            commit.slots.extend(lock.slot());
        }
        let handle = self.enqueue_all(commit, applied.new_values)?;
        if let (Some(token), Some(lock)) = (&token, &mut token_lock) {
            lock.publish(Some(Arc::new(token.in_flight_record())), handle.0);
        }
        let output = output(&parts, &applied.outcomes, input.return_consumed_capacity, input.return_collection_metrics);
        Ok(Pending::new(Ok(output), Some(handle.1)))
    }

    /// Whether this transaction was applied before; if so, the commit to wait for, unless it is on disk.
    fn replayed(&self, token: &Token, lock: &ItemLock<'_>) -> Result<Option<Option<CommitHandle>>, ServiceError> {
        if let Some(uncommitted) = lock.uncommitted() {
            token.check_request_in_flight(uncommitted.item.as_deref())?;
            return Ok(Some(Some(self.committer.barrier()?)));
        }
        Ok(token.was_applied(self)?.then_some(None))
    }

    /// The output of a replay, which DynamoDB charges as a read of the items.
    fn replay_output(
        &self,
        intents: &[Intent],
        names: &[String],
        definitions: &BTreeMap<&str, &Arc<TableDefinition>>,
        wanted: ReturnConsumedCapacity,
    ) -> Result<TransactWriteItemsOutput, ServiceError> {
        let mut output = TransactWriteItemsOutput::default();
        if wanted == ReturnConsumedCapacity::None {
            return Ok(output);
        }
        let mut consumed = Vec::with_capacity(intents.len());
        for (intent, name) in intents.iter().zip(names) {
            let definition = definitions.get(name.as_str()).ok_or_else(ServiceError::no_such_table)?;
            let row = intent.row(definition)?;
            let stored = read_newest(self, &self.in_flight.lock(&row), &row)?.item;
            let units = read_units(stored.as_deref().map_or(0, item_size), Consistency::Transactional);
            consumed.push((name.clone(), Consumption::for_table(units)));
        }
        output.consumed_capacity = report_by_table(consumed.into_iter(), wanted, Direction::Read);
        Ok(output)
    }

    /// The tables by name, each once. Gates are entered in this order.
    pub(crate) fn tables_in_order(&self, names: &[String]) -> Result<BTreeMap<String, Arc<Table>>, ServiceError> {
        names.iter().map(|name| Ok((name.clone(), self.catalog.table(name)?))).collect()
    }

    /// Locks the items of all parts, in the order of their rows; returns the locks in the order of the parts.
    pub(crate) fn lock_all(&self, parts: &[PlannedWrite]) -> Vec<ItemLock<'_>> {
        let mut rows: Vec<(usize, &[u8])> = parts.iter().map(|part| part.row.as_slice()).enumerate().collect();
        rows.sort_unstable_by_key(|(_, row)| *row);
        let mut locks: Vec<_> = rows.into_iter().map(|(number, row)| (number, self.in_flight.lock(row))).collect();
        locks.sort_unstable_by_key(|(number, _)| *number);
        locks.into_iter().map(|(_, lock)| lock).collect()
    }

    /// Computes the new value of every locked item, and adds the changes to the commit.
    pub(crate) fn evaluate<'l, 'e>(
        &self,
        parts: &[PlannedWrite],
        locks: &'l mut [ItemLock<'e>],
        commit: &mut Commit,
    ) -> Result<Evaluation<'l, 'e>, ServiceError> {
        let mut reasons = Vec::with_capacity(parts.len());
        let mut done = Vec::with_capacity(parts.len());
        let mut new_values = Vec::with_capacity(parts.len());
        let mut uncommitted = false;
        for (part, lock) in parts.iter().zip(locks) {
            let newest = read_newest(self, lock, &part.row)?;
            uncommitted |= newest.uncommitted;
            match part.intent.apply(&part.definition, newest.item.as_deref()) {
                Ok(new) => {
                    reasons.push(CancellationReason::NONE);
                    let cost = row_changes(self, &part.definition, &part.row, &newest, new.as_ref(), commit)?;
                    done.push(WriteOutcome { cost, new_size: part_size(part, new.as_ref(), &newest) });
                    if !matches!(part.intent.action, Action::Check { .. }) {
                        commit.slots.extend(lock.slot());
                        new_values.push(NewValue { lock, item: new.map(Arc::new) });
                    }
                }
                Err(refusal) => reasons.push(reason(refusal, &part.intent, newest.item.as_deref())),
            }
        }
        if done.len() < parts.len() {
            return Ok(Evaluation::Refused { reasons, uncommitted });
        }
        Ok(Evaluation::Applied(AppliedWrites { outcomes: done, new_values }))
    }

    /// Enqueues the commit and publishes the new values for the next writers.
    pub(crate) fn enqueue_all(
        &self,
        commit: Commit,
        new_values: Vec<NewValue<'_, '_>>,
    ) -> Result<(u64, CommitHandle), ServiceError> {
        let (number, handle) = self.committer.enqueue(commit)?;
        for NewValue { lock, item } in new_values {
            lock.publish(item, number);
        }
        Ok((number, handle))
    }
}

pub(crate) enum Evaluation<'l, 'e> {
    Refused { reasons: Vec<CancellationReason>, uncommitted: bool },
    Applied(AppliedWrites<'l, 'e>),
}

pub(crate) struct AppliedWrites<'l, 'e> {
    pub outcomes: Vec<WriteOutcome>,
    pub new_values: Vec<NewValue<'l, 'e>>,
}

/// A locked item and the value that a write gives it; `None` for a deletion.
pub(crate) struct NewValue<'l, 'e> {
    lock: &'l mut ItemLock<'e>,
    item: Option<Arc<Attributes>>,
}

fn part_size(part: &PlannedWrite, new: Option<&Attributes>, newest: &Newest) -> usize {
    match part.intent.action {
        Action::Check { .. } => 0,
        Action::Delete { .. } => newest.item.as_deref().map_or(0, item_size),
        Action::Put { .. } | Action::Update { .. } => new.map_or(0, item_size),
    }
}

fn intent(write: TransactWrite) -> Result<Intent, ServiceError> {
    let action = match write.kind {
        TransactWriteKind::Put { item } => Action::Put { item },
        TransactWriteKind::Delete { key } => Action::Delete { key },
        TransactWriteKind::ConditionCheck { key } => Action::Check { key },
        TransactWriteKind::Update { key, update } => Action::Update { key, update: Some(update) },
    };
    Intent::new(action, write.condition, write.return_old_on_failure)
}

fn parts(
    intents: Vec<Intent>,
    names: &[String],
    definitions: &BTreeMap<&str, &Arc<TableDefinition>>,
) -> Result<Vec<PlannedWrite>, ServiceError> {
    let mut parts = Vec::with_capacity(intents.len());
    let mut invalid = Vec::with_capacity(intents.len());
    for (intent, name) in intents.into_iter().zip(names) {
        let definition = definitions.get(name.as_str()).ok_or_else(ServiceError::no_such_table)?;
        match intent.check(definition) {
            Ok(()) => {
                let row = intent.row(definition)?;
                parts.push(PlannedWrite { intent, definition: Arc::clone(definition), row });
                invalid.push(CancellationReason::NONE);
            }
            Err(error) => invalid.push(CancellationReason::validation(error.to_string())),
        }
    }
    if parts.len() < invalid.len() {
        return Err(ServiceError::TransactionCanceled { reasons: invalid });
    }
    Ok(parts)
}

/// An item may be written once only.
pub(super) fn refuse_duplicates(parts: &[PlannedWrite], message: &str) -> Result<(), ServiceError> {
    let rows: std::collections::BTreeSet<&Vec<u8>> = parts.iter().map(|part| &part.row).collect();
    if rows.len() < parts.len() { Err(ServiceError::validation(message)) } else { Ok(()) }
}

fn reason(refusal: Refusal, intent: &Intent, old: Option<&Attributes>) -> CancellationReason {
    match refusal {
        Refusal::Condition => {
            CancellationReason::condition_failed(if intent.return_old_on_failure { old.cloned() } else { None })
        }
        Refusal::Invalid(error) => CancellationReason::validation(error.to_string()),
    }
}

fn output(
    parts: &[PlannedWrite],
    done: &[WriteOutcome],
    wanted: ReturnConsumedCapacity,
    metrics: bool,
) -> TransactWriteItemsOutput {
    let consumed = parts
        .iter()
        .zip(done)
        .map(|(part, done)| (part.definition.name.clone(), Consumption::for_write(&done.cost, TRANSACTION_FACTOR)));
    let mut output = TransactWriteItemsOutput {
        consumed_capacity: report_by_table(consumed, wanted, Direction::Write),
        ..TransactWriteItemsOutput::default()
    };
    if metrics {
        for part in parts {
            if let Some(touched) = collection_metrics(&part.definition, &part.intent) {
                let of_table = output.item_collection_metrics.entry(part.definition.name.clone()).or_default();
                if !of_table.contains(&touched) {
                    of_table.push(touched);
                }
            }
        }
    }
    output
}

/// Adds up consumption by table.
pub(crate) fn report_by_table(
    consumed: impl Iterator<Item = (String, Consumption)>,
    wanted: ReturnConsumedCapacity,
    direction: Direction,
) -> Vec<ConsumedCapacity> {
    let mut by_table: BTreeMap<String, Consumption> = BTreeMap::new();
    for (name, consumption) in consumed {
        by_table.entry(name).or_default().add(&consumption);
    }
    by_table.iter().filter_map(|(name, consumption)| consumption.report(name, wanted, direction)).collect()
}
