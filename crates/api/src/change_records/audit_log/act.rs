//! Entries of acts that are not changes of items: each is written before the act.

use keyfold_design::Design;
use keyfold_runtime::Error;

use super::ALLOWED;
use super::entry::{Action, Actor};
use crate::change_records::ChangeRecords;
use crate::identity::principal::Principal;

/// An act of a caller.
pub struct Act<'a> {
    pub design: &'a Design,
    pub principal: &'a Principal,
    /// The tenant that it concerns, where that is not the caller's.
    pub tenant: Option<&'a str>,
    /// `create`, `patch`, `delete`
    pub verb: &'a str,
    pub entity: &'a str,
    pub identity: &'a str,
    pub request_id: &'a str,
}

impl ChangeRecords {
    /// Writes the entry of an act. Where it fails, the act must not take place.
    pub async fn record_act(&self, act: Act<'_>) -> Result<(), Error> {
        let Some(open) = self.audit_log() else { return Ok(()) };
        let actor = Actor::new(act.design, act.principal, act.tenant, act.request_id);
        let action = Action { verb: act.verb, entity: act.entity, identity: act.identity.to_owned() };
        let content = open.content(&act.design.name, &actor, action, ALLOWED)?;
        open.put_entry(content.item(open)?).await
    }
}
