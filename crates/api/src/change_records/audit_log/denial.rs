//! Denials in the audit log: the first of a kind at once, the others counted.

use keyfold_design::Design;
use keyfold_dynamo::Attributes;
use keyfold_dynamo::operation::PutItemInput;
use keyfold_environment::random_bytes;
use keyfold_runtime::Error;

use super::DENIED;
use super::denial_counts::{CountedDenials, DenialKind, Noted};
use super::entry::{Action, Actor, Counted, EntryContent};
use crate::change_records::{ChangeRecords, Open};
use crate::identity::principal::Principal;

/// No tenant has a longer name, in bytes: a denied request that states one is about none.
const LONGEST_TENANT: usize = 1024;

/// A denied request.
pub struct Denial<'a> {
    pub design: &'a Design,
    pub principal: &'a Principal,
    pub tenant: Option<&'a str>,
    /// `create`, `get`, `list`, …
    pub verb: &'a str,
    pub entity: &'a str,
    /// As in the path; empty where the request is about no particular item.
    pub identity: &'a str,
    pub request_id: &'a str,
}

impl ChangeRecords {
    /// Records a denial, in a request of its own. A failure is logged, and does not change the response.
    pub async fn record_denial(&self, denial: Denial<'_>) {
        let Some(open) = self.audit_log() else { return };
        let Some(subject) = denial.principal.caller.subject.clone() else { return };
        let tenant = denial.tenant.filter(|tenant| tenant.len() <= LONGEST_TENANT);
        let actor = Actor::new(denial.design, denial.principal, tenant, denial.request_id);
        let kind = DenialKind {
            tenant: actor.tenant.clone(),
            by: actor.kind,
            verb: denial.verb.to_owned(),
            entity: denial.entity.to_owned(),
        };
        let (now, design) = (open.clock.now_ms(), &denial.design.name);
        let (noted, is_overdue) = {
            let mut counts = open.denials.lock();
            (counts.note(now, design, &subject, kind.clone(), &actor), counts.is_overdue())
        };
        if noted == Noted::First
            && let Err(cause) = open.write_denial(&denial, &actor).await
        {
            let request_id = actor.request_id.clone();
            let design = design.clone();
            open.retry_later(CountedDenials { design, subject, kind, count: 1, since_ms: now, request_id }, &cause);
        }
        // Whoever is denied in so many ways waits until that is written.
        if is_overdue {
            self.write_due_denials().await;
        }
    }

    /// Writes what was counted in minutes that have ended.
    pub async fn write_due_denials(&self) {
        let Some(open) = self.audit_log() else { return };
        let due = open.denials.lock().take_due(open.clock.now_ms());
        open.write_counts(due).await;
    }

    /// Writes everything that was counted: the process ends.
    pub async fn write_all_denials(&self) {
        let Some(open) = self.audit_log() else { return };
        let all = open.denials.lock().take_all();
        open.write_counts(all).await;
    }
}

impl Open {
    async fn write_denial(&self, denial: &Denial<'_>, actor: &Actor) -> Result<(), Error> {
        let action = Action { verb: denial.verb, entity: denial.entity, identity: denial.identity.to_owned() };
        let content = self.denied(&denial.design.name, actor, action)?;
        self.put_entry(content.item(self)?).await
    }

    async fn write_counts(&self, counts: Vec<CountedDenials>) {
        for counted in counts {
            if let Err(cause) = self.write_count(&counted).await {
                self.retry_later(counted, &cause);
            }
        }
    }

    async fn write_count(&self, counted: &CountedDenials) -> Result<(), Error> {
        let DenialKind { tenant, by, verb, entity } = &counted.kind;
        let actor = Actor {
            subject: Some(counted.subject.clone()),
            kind: by,
            tenant: tenant.clone(),
            own_tenant: None,
            request_id: counted.request_id.clone(),
        };
        let content = self.denied(&counted.design, &actor, Action { verb, entity, identity: String::new() })?;
        let several = Counted { count: counted.count, since_ms: counted.since_ms };
        self.put_entry(content.counted_item(self, &several)?).await
    }

    fn denied<'a>(&self, design: &'a str, actor: &'a Actor, action: Action<'a>) -> Result<EntryContent<'a>, Error> {
        let random = random_bytes(self.random.as_ref())?;
        Ok(EntryContent { design, actor, tenant: None, action, outcome: DENIED, unique: (random, 0) })
    }

    async fn put_entry(&self, item: Attributes) -> Result<(), Error> {
        self.store_partitions().await?;
        let input = PutItemInput { table_name: self.settings.table.clone(), item, ..PutItemInput::default() };
        self.backend.put_item(input).await?;
        Ok(())
    }

    fn retry_later(&self, counted: CountedDenials, cause: &Error) {
        let count = counted.count;
        let is_kept = self.denials.lock().put_back(counted);
        tracing::warn!(%cause, count, is_kept, "denials could not be recorded in the audit log; kept ones are retried");
    }
}
