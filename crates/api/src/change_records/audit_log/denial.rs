//! Denials in the audit log: the first of a kind at once, the others counted.

use keyfold_dynamo::Attributes;
use keyfold_dynamo::operation::PutItemInput;
use keyfold_environment::random_bytes;
use keyfold_runtime::Error;

use super::DENIED;
use super::act::Act;
use super::entry::{Action, Actor, EntryContent, EntryCount};
use super::entry_counts::{CountedEntries, EntryKind, EntryRecord};
use crate::change_records::{ChangeRecords, Open};

/// No tenant has a longer name, in bytes: a denied request that states one is about none.
const LONGEST_TENANT: usize = 1024;

impl ChangeRecords {
    /// Records a denial, in a request of its own. A failure is logged, and does not change the response.
    pub async fn record_denial(&self, denial: Act<'_>) {
        let Some(open) = self.audit_log() else { return };
        let tenant = denial.tenant.filter(|tenant| tenant.len() <= LONGEST_TENANT);
        let mut actor = Actor::new(denial.design, denial.principal, tenant, denial.request_id);
        let Some(subject) = actor.subject.clone() else { return };
        let kind = EntryKind {
            tenant: actor.tenant.clone(),
            by: actor.kind,
            verb: denial.verb.to_owned(),
            entity: denial.entity.to_owned(),
            outcome: DENIED,
        };
        let (now, design) = (open.table.clock.now_ms(), &denial.design.name);
        let (noted, is_overdue) = {
            let mut counts = open.counts.lock();
            (counts.note(now, design, &subject, kind, &actor), counts.is_overdue())
        };
        if let EntryRecord::First(kind) = noted {
            actor.tenant.clone_from(&kind.tenant);
            if let Err(cause) = open.write_act(&denial, &actor, DENIED).await {
                let (design, request_id) = (design.clone(), actor.request_id.clone());
                open.retry_later(CountedEntries { design, subject, kind, count: 1, since_ms: now, request_id }, &cause);
            }
        }
        // Whoever is denied in so many ways waits until that is written.
        if is_overdue {
            self.write_due_counts().await;
        }
    }

    /// Writes what was counted in minutes that have ended.
    pub async fn write_due_counts(&self) {
        let Some(open) = self.audit_log() else { return };
        let due = open.counts.lock().take_due(open.table.clock.now_ms());
        open.write_counts(due).await;
    }

    /// Writes everything that was counted: the process ends.
    pub async fn write_all_counts(&self) {
        let Some(open) = self.audit_log() else { return };
        let all = open.counts.lock().take_all();
        open.write_counts(all).await;
    }
}

impl Open {
    async fn write_counts(&self, counts: Vec<CountedEntries>) {
        for counted in counts {
            if let Err(cause) = self.write_count(&counted).await {
                self.retry_later(counted, &cause);
            }
        }
    }

    async fn write_count(&self, counted: &CountedEntries) -> Result<(), Error> {
        let EntryKind { tenant, by, verb, entity, outcome } = &counted.kind;
        let actor = Actor {
            // Callers without a token have none.
            subject: Some(counted.subject.clone()).filter(|subject| !subject.is_empty()),
            kind: by,
            tenant: tenant.clone(),
            own_tenant: None,
            request_id: counted.request_id.clone(),
        };
        let action = Action { verb, entity, identity: String::new() };
        let content = self.content(&counted.design, &actor, action, outcome)?;
        let several = EntryCount { count: counted.count, since_ms: counted.since_ms };
        self.put_entry(content.counted_item(self, &several)?).await
    }

    pub(super) fn content<'a>(
        &self,
        design: &'a str,
        actor: &'a Actor,
        action: Action<'a>,
        outcome: &'static str,
    ) -> Result<EntryContent<'a>, Error> {
        let random = random_bytes(self.random.as_ref())?;
        Ok(EntryContent { design, actor, tenant: None, action, outcome, unique: (random, 0) })
    }

    pub(super) async fn put_entry(&self, item: Attributes) -> Result<(), Error> {
        self.store_partitions().await?;
        let input = PutItemInput { table_name: self.table.name.clone(), item, ..PutItemInput::default() };
        self.table.backend.put_item(input).await?;
        Ok(())
    }

    fn retry_later(&self, counted: CountedEntries, cause: &Error) {
        let count = counted.count;
        let is_kept = self.counts.lock().put_back(counted);
        tracing::warn!(%cause, count, is_kept, "entries of the audit log could not be written; kept ones are retried");
    }
}
