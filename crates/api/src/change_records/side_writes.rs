//! The records of a change, written in its transaction.

use std::sync::atomic::{AtomicUsize, Ordering};

use keyfold_design::model::{Entity, EntityId, Verb};
use keyfold_dynamo::Attributes;
use keyfold_dynamo::operation::{TransactWrite, TransactWriteKind};
use keyfold_runtime::{Error, Record, SideWrites, Write, WriteVerb};

use super::audit_log::{ALLOWED, Action, EntryContent, identity_of, tenant_of};
use super::idempotency::Mark;
use super::{Open, PendingChange, StoredResponse};

/// Builds a response from the items after a change: one for each write, `None` for deletes.
pub type ResponseBuilder<'e> = dyn Fn(&[Option<Record>]) -> StoredResponse + Send + Sync + 'e;

/// The records of a change: its response, where the request had a key, and an audit entry for each item.
pub struct PendingRecords<'e> {
    pending: &'e PendingChange<'e>,
    /// By position among the writes.
    planned: Vec<Planned>,
    /// The number of entries so far of items that were deleted with another.
    removals: AtomicUsize,
    respond: &'e ResponseBuilder<'e>,
}

/// A write, as far as it is known before it is executed.
struct Planned {
    verb: &'static str,
    entity: Option<EntityId>,
    given: Attributes,
    is_change: bool,
}

impl PendingChange<'_> {
    /// The records of these writes. The response is built once their outcome is known, perhaps several times.
    pub fn side_writes<'e>(&'e self, writes: &[Write], respond: &'e ResponseBuilder<'e>) -> PendingRecords<'e> {
        let is_recorded = self.keyed.is_some() || self.change_records.audit_log().is_some();
        let recorded = if is_recorded { writes } else { &[] };
        let planned = recorded.iter().map(|write| Planned {
            verb: write.verb().name(),
            entity: self.design.entity_named(write.entity()).map(|entity| entity.id),
            given: write.attributes().clone(),
            is_change: !write.is_empty_patch(&self.design),
        });
        PendingRecords { pending: self, planned: planned.collect(), removals: AtomicUsize::new(0), respond }
    }
}

impl PendingRecords<'_> {
    /// Whether none of the writes changes its item, so that nothing is written at all.
    pub(crate) fn changes_nothing(&self) -> bool {
        self.planned.iter().all(|planned| !planned.is_change)
    }

    /// Whom the response is about.
    fn marks(&self, left: &[Option<Record>]) -> Vec<Mark> {
        let (design, actor) = (&self.pending.design, &self.pending.actor);
        let of_subject = actor.subject().map(|subject| Mark::of_subject(design, subject));
        let of_items = left.iter().zip(&self.planned).filter_map(|(left, planned)| {
            let entity = &design[planned.entity?];
            Some(match left {
                Some(record) => {
                    let tenant = tenant_of(design, &record.attributes);
                    Mark::of_item(design, tenant.as_deref(), entity, &record.attributes)
                }
                None => {
                    let implied = actor.tenant().filter(|_| entity.scope.has_tenant());
                    let tenant = tenant_of(design, &planned.given);
                    Mark::of_item(design, tenant.as_deref().or(implied), entity, &planned.given)
                }
            })
        });
        of_subject.into_iter().chain(of_items).collect()
    }

    fn audit_entry(&self, open: &Open, position: usize, left: Option<&Record>) -> Result<Option<TransactWrite>, Error> {
        let design = &self.pending.design;
        let Some(planned) = self.planned.get(position) else { return Ok(None) };
        let Some(entity) = planned.entity.map(|id| &design[id]) else { return Ok(None) };
        let is_read = || entity.audit_reads && left.is_some_and(|record| record.is_readable);
        let verb = match planned.is_change {
            true => planned.verb,
            // The response shows the item all the same.
            false if is_read() => Verb::Get.as_str(),
            false => return Ok(None),
        };
        let attributes = left.map_or(&planned.given, |record| &record.attributes);
        self.entry(open, position, verb, entity, attributes).map(Some)
    }

    fn entry(
        &self,
        open: &Open,
        position: usize,
        verb: &str,
        entity: &Entity,
        attributes: &Attributes,
    ) -> Result<TransactWrite, Error> {
        let design = &self.pending.design;
        let action = Action { verb, entity: &entity.name, identity: identity_of(design, entity, attributes) };
        let content = EntryContent {
            design: &design.name,
            actor: &self.pending.actor,
            tenant: tenant_of(design, attributes),
            action,
            outcome: ALLOWED,
            unique: (self.pending.random, position),
        };
        Ok(TransactWrite {
            table_name: open.table.name.clone(),
            kind: TransactWriteKind::Put { item: content.item(open)? },
            condition: None,
            return_old_on_failure: false,
        })
    }
}

impl SideWrites for PendingRecords<'_> {
    fn writes(&self, left: &[Option<Record>]) -> Result<Vec<TransactWrite>, Error> {
        let mut writes = Vec::new();
        if let (Some(open), Some(keyed)) = (&self.pending.change_records.open, &self.pending.keyed) {
            writes.push(keyed.write(open, &(self.respond)(left), self.marks(left)));
        }
        if let Some(open) = self.pending.change_records.audit_log() {
            for (position, record) in left.iter().enumerate() {
                writes.extend(self.audit_entry(open, position, record.as_ref())?);
            }
        }
        Ok(writes)
    }

    fn removal(&self, removed: &Record) -> Result<Vec<TransactWrite>, Error> {
        let Some(open) = self.pending.change_records.audit_log() else { return Ok(Vec::new()) };
        // Each entry has a number of its own, also after another attempt: the entries of steps that were carried out
        // stay.
        let position = self.planned.len() + self.removals.fetch_add(1, Ordering::Relaxed);
        let entity = &self.pending.design[removed.entity];
        Ok(vec![self.entry(open, position, WriteVerb::Delete.name(), entity, &removed.attributes)?])
    }

    fn is_any(&self) -> bool {
        self.pending.keyed.is_some() || self.pending.change_records.audit_log().is_some()
    }
}
