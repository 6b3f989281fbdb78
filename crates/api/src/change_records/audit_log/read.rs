//! Reads in the audit log, of entities with `audit reads`: written before the response is sent.

use std::collections::BTreeMap;

use keyfold_design::Design;
use keyfold_design::model::{EntityId, Verb};
use keyfold_dynamo::Attributes;
use keyfold_runtime::Error;

use super::ALLOWED;
use super::entry::{Action, Actor, Listed, identity_of, tenant_of};
use super::entry_counts::{EntryKind, EntryRecord};
use crate::change_records::{ChangeRecords, Open};
use crate::identity::principal::Principal;

/// Of a page, so many bytes of the identities of items are in its entry.
const LONGEST_LIST: usize = 1024;
/// A page with items of more tenants has one entry for those of the others together.
const MOST_TENANTS: usize = 20;
/// Between the identities of items, in which it does not occur: there it is `%2C`.
const SEPARATOR: char = ',';

/// An item that a caller sees.
#[derive(Clone, Copy)]
pub struct ShownItem<'a> {
    pub entity: EntityId,
    /// With its identity, and its tenant where it has one.
    pub attributes: &'a Attributes,
}

/// A read of items.
pub struct ItemRead<'a> {
    pub design: &'a Design,
    pub principal: &'a Principal,
    /// The tenant that an operator states.
    pub tenant: Option<&'a str>,
    /// The access pattern; `None` for one item by its identity.
    pub pattern: Option<&'a str>,
    pub request_id: &'a str,
}

type Groups = BTreeMap<(EntityId, Option<String>), Group>;

/// Items of one entity and one tenant.
struct Group {
    identities: String,
    items: u64,
    is_complete: bool,
}

impl ChangeRecords {
    /// Records a read of the items whose entity has `audit reads`. Where it fails, the items must not be shown.
    pub async fn record_read(&self, read: &ItemRead<'_>, items: &[ShownItem<'_>]) -> Result<(), Error> {
        self.record_groups(read, groups(read, items)).await
    }

    /// Records how many items of entities with `audit reads` a pattern has counted, by entity and tenant. Where it
    /// fails, the number must not be shown.
    pub async fn record_count(
        &self,
        read: &ItemRead<'_>,
        counted: &BTreeMap<(EntityId, Option<String>), u64>,
    ) -> Result<(), Error> {
        let mut groups = BTreeMap::new();
        for ((entity, tenant), count) in counted {
            let group = group_of(&mut groups, *entity, tenant.clone());
            group.items += count;
            group.is_complete = false;
        }
        self.record_groups(read, groups).await
    }

    async fn record_groups(&self, read: &ItemRead<'_>, groups: Groups) -> Result<(), Error> {
        let Some(open) = self.audit_log() else { return Ok(()) };
        for ((entity, tenant), group) in groups {
            open.record_group(read, entity, tenant, &group).await?;
        }
        // Whoever reads so much waits until what was counted is written.
        if open.counts.lock().is_overdue() {
            self.write_due_counts().await;
        }
        Ok(())
    }
}

/// The audited items of a read, by entity and tenant.
fn groups(read: &ItemRead<'_>, items: &[ShownItem<'_>]) -> Groups {
    let mut groups = Groups::new();
    let design = read.design;
    for item in items.iter().filter(|item| design[item.entity].audit_reads) {
        let tenant = tenant_of(design, item.attributes);
        let identity = identity_of(design, &design[item.entity], item.attributes);
        let identity = if read.pattern.is_some() { in_list(&identity) } else { identity };
        let group = group_of(&mut groups, item.entity, tenant);
        group.items += 1;
        if read.pattern.is_some() && group.identities.len() + identity.len() >= LONGEST_LIST {
            group.is_complete = false;
        } else if group.is_complete {
            if !group.identities.is_empty() {
                group.identities.push(SEPARATOR);
            }
            group.identities.push_str(&identity);
        }
    }
    groups
}

/// The group of an item, which is that of items without a tenant where there are too many.
fn group_of(groups: &mut Groups, entity: EntityId, tenant: Option<String>) -> &mut Group {
    let mut key = (entity, tenant);
    if groups.len() >= MOST_TENANTS && !groups.contains_key(&key) {
        key.1 = None;
    }
    groups.entry(key).or_insert_with(|| Group { identities: String::new(), items: 0, is_complete: true })
}

/// Whether the identity of an entry names an item, alone or among others.
pub(in crate::change_records) fn names_item(listed: &str, identity: &str) -> bool {
    listed.split(SEPARATOR).any(|one| one == in_list(identity))
}

/// An identity among others.
fn in_list(identity: &str) -> String {
    identity.replace(SEPARATOR, "%2C")
}

impl Open {
    async fn record_group(
        &self,
        read: &ItemRead<'_>,
        entity: EntityId,
        tenant: Option<String>,
        group: &Group,
    ) -> Result<(), Error> {
        let (design, entity) = (&read.design.name, read.design[entity].name.as_str());
        let tenant = tenant.as_deref().or(read.tenant);
        let mut actor = Actor::new(read.design, read.principal, tenant, read.request_id);
        let verb = if read.pattern.is_some() { Verb::List } else { Verb::Get }.as_str();
        let kind = EntryKind {
            tenant: actor.tenant.clone(),
            by: actor.kind,
            verb: verb.to_owned(),
            entity: entity.to_owned(),
            outcome: ALLOWED,
        };
        let subject = actor.subject.clone().unwrap_or_default();
        let noted = self.counts.lock().note(self.table.clock.now_ms(), design, &subject, kind, &actor);
        let EntryRecord::First(kind) = noted else { return Ok(()) };
        actor.tenant = kind.tenant;
        let content =
            self.content(design, &actor, Action { verb, entity, identity: group.identities.clone() }, ALLOWED)?;
        let item = match read.pattern {
            Some(pattern) => {
                content.listed_item(self, &Listed { pattern, items: group.items, is_complete: group.is_complete })?
            }
            None => content.item(self)?,
        };
        self.put_entry(item).await
    }
}
