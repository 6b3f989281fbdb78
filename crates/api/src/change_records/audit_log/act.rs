//! Entries of acts: those that are not changes of items are written before the act.

use keyfold_design::Design;
use keyfold_runtime::Error;

use super::ALLOWED;
use super::entry::{Action, Actor};
use crate::change_records::{ChangeRecords, Open};
use crate::identity::principal::Principal;

/// An act of a caller, or what they were denied.
pub struct Act<'a> {
    pub design: &'a Design,
    pub principal: &'a Principal,
    /// The tenant that it concerns, where that is not the caller's.
    pub tenant: Option<&'a str>,
    /// `create`, `get`, `list`, …
    pub verb: &'a str,
    pub entity: &'a str,
    /// As in the path; empty where the request is about no particular item.
    pub identity: &'a str,
    pub request_id: &'a str,
}

impl ChangeRecords {
    /// Writes the entry of an act. Where it fails, the act must not take place.
    pub async fn record_act(&self, act: Act<'_>) -> Result<(), Error> {
        let Some(open) = self.audit_log() else { return Ok(()) };
        let actor = Actor::new(act.design, act.principal, act.tenant, act.request_id);
        open.write_act(&act, &actor, ALLOWED).await
    }
}

impl Open {
    pub(super) async fn write_act(&self, act: &Act<'_>, actor: &Actor, outcome: &'static str) -> Result<(), Error> {
        let action = Action { verb: act.verb, entity: act.entity, identity: act.identity.to_owned() };
        let content = self.content(&act.design.name, actor, action, outcome)?;
        self.put_entry(content.item(self)?).await
    }
}
