//! Plans the ordered changes that make a live table match the desired one. Pure.

mod action;
mod indexes;
mod obstacles;
mod ongoing;
mod serving;
mod settings;
#[cfg(test)]
mod tests;
mod text;

pub use action::{Action, Billing, TableRequest};
pub use ongoing::OngoingChange;
pub use serving::missing_for_serving;

pub(crate) use obstacles::same_keys;
pub(crate) use text::keys as keys_text;

use keyfold_dynamo::operation::{CreateTableInput, TimeToLiveDescription};
use keyfold_dynamo::table::{TableDescription, TableStatus, Tags};

/// The desired state of a table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DesiredTable {
    pub create: CreateTableInput,
    /// The attribute by which items expire.
    pub time_to_live: Option<String>,
    /// No backend can enable it; a plan reports its absence.
    pub point_in_time_recovery: bool,
    /// The view of a stream. No backend can enable it; a plan says so.
    pub stream: Option<String>,
}

/// The current state of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveTable {
    pub description: TableDescription,
    pub time_to_live: TimeToLiveDescription,
    /// `None` where the backend does not report it.
    pub tags: Option<Tags>,
    /// `None` where the backend does not report it.
    pub point_in_time_recovery: Option<bool>,
    /// Whether the table has no items: then nothing can be lost.
    pub empty: bool,
}

/// The changes to make, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    pub table: String,
    /// Changes in progress; the first planned change begins after they end.
    pub ongoing: Vec<OngoingChange>,
    pub changes: Vec<TableChange>,
    /// Differences that need a new table. A plan with an obstacle cannot be applied.
    pub obstacles: Vec<String>,
    /// Differences that a plan reports and does not change.
    pub notes: Vec<String>,
}

/// One request, with a description of its effect.
#[derive(Debug, Clone, PartialEq)]
pub struct TableChange {
    pub action: Action,
    pub text: String,
    pub loss: Option<Loss>,
}

/// A data loss that a change causes, to be confirmed by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// `index:GSI1`, `ttl:expiresAt`.
    pub name: String,
    pub text: String,
}

impl Plan {
    pub fn losses(&self) -> impl Iterator<Item = &Loss> {
        self.changes.iter().filter_map(|change| change.loss.as_ref())
    }

    /// Whether the table matches.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.obstacles.is_empty()
    }
}

/// Compares the desired with the live table.
pub fn plan(desired: &DesiredTable, live: Option<&LiveTable>) -> Plan {
    let mut plan = Plan { table: desired.create.table_name.clone(), ..Plan::default() };
    match live {
        Some(live) if live.description.status != TableStatus::Deleting => compare(desired, live, &mut plan),
        gone => {
            plan.ongoing.extend(gone.map(|_| OngoingChange::TableDeleting));
            plan.changes = creation(desired);
            plan.notes = settings::unmanaged(desired, None);
        }
    }
    plan
}

fn compare(desired: &DesiredTable, live: &LiveTable, plan: &mut Plan) {
    plan.ongoing = ongoing::find(live);
    plan.obstacles = obstacles::find(&desired.create, &live.description);
    plan.notes = settings::unmanaged(desired, Some(live));
    // Deletion protection changes first; billing changes before indexes are created under it; time to live is enabled
    // last, when everything else is in place.
    plan.changes.extend(settings::protection(desired, live));
    plan.changes.extend(settings::billing(&desired.create, &live.description));
    plan.changes.extend(settings::class_and_limits(&desired.create, &live.description));
    plan.changes.extend(indexes::changes(&desired.create, live));
    plan.changes.extend(settings::time_to_live(desired, live));
    plan.changes.extend(settings::tags(desired, live));
}

fn creation(desired: &DesiredTable) -> Vec<TableChange> {
    let create = TableChange {
        text: text::creation(&desired.create),
        action: Action::CreateTable(Box::new(desired.create.clone())),
        loss: None,
    };
    let expiry = desired.time_to_live.as_ref().map(|attribute| settings::expire_by(attribute, None));
    std::iter::once(create).chain(expiry).collect()
}
