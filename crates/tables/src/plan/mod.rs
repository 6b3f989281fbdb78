//! What it takes to make a live table what it should be: an ordered list of changes. Pure.

mod action;
mod indexes;
mod obstacles;
mod settings;
#[cfg(test)]
mod tests;
mod text;
mod under_way;

pub use action::{Action, Billing};
pub use under_way::UnderWay;

pub(crate) use obstacles::same_keys;
pub(crate) use text::keys as keys_text;

use keyfold_dynamo::operation::{CreateTableInput, TimeToLiveDescription};
use keyfold_dynamo::table::{TableDescription, TableStatus, Tags};

/// A table as it should be.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DesiredTable {
    pub create: CreateTableInput,
    /// The attribute by which items expire.
    pub time_to_live: Option<String>,
    /// No backend can switch it, but its absence is told.
    pub point_in_time_recovery: bool,
    /// The view of a stream; no backend can switch it, but that is told.
    pub stream: Option<String>,
}

/// A table as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveTable {
    pub description: TableDescription,
    pub time_to_live: TimeToLiveDescription,
    /// `None` where the backend does not tell.
    pub tags: Option<Tags>,
    /// `None` where the backend does not tell.
    pub point_in_time_recovery: Option<bool>,
    /// Whether there is not a single item: then nothing can be lost.
    pub empty: bool,
}

/// What is to be done, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    pub table: String,
    /// What is going on at the table; it ends before the first change begins.
    pub under_way: Vec<UnderWay>,
    pub changes: Vec<Change>,
    /// Differences that no change of this table can mend: a new table is needed. One is enough to make the plan void.
    pub obstacles: Vec<String>,
    /// Differences that are not looked after here, and left alone.
    pub notes: Vec<String>,
}

/// One request, and what it means.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub action: Action,
    pub text: String,
    pub loss: Option<Loss>,
}

/// Something that is gone after a change, and must be agreed to by name.
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

    /// Whether the table is as it should be.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.obstacles.is_empty()
    }
}

/// Compares a table as it should be with what there is.
pub fn plan(desired: &DesiredTable, live: Option<&LiveTable>) -> Plan {
    let mut plan = Plan { table: desired.create.table_name.clone(), ..Plan::default() };
    match live {
        Some(live) if live.description.status != TableStatus::Deleting => compare(desired, live, &mut plan),
        gone => {
            plan.under_way.extend(gone.map(|_| UnderWay::TableDeleting));
            plan.changes = creation(desired);
            plan.notes = settings::unmanaged(desired, None);
        }
    }
    plan
}

fn compare(desired: &DesiredTable, live: &LiveTable, plan: &mut Plan) {
    plan.under_way = under_way::of(live);
    plan.obstacles = obstacles::of(&desired.create, &live.description);
    plan.notes = settings::unmanaged(desired, Some(live));
    // Protection that is wanted comes first and protection that is in the way goes first; billing comes before the
    // indexes that are made under it, and items expire only once everything else stands.
    plan.changes.extend(settings::protection(desired, live));
    plan.changes.extend(settings::billing(&desired.create, &live.description));
    plan.changes.extend(settings::class_and_limits(&desired.create, &live.description));
    plan.changes.extend(indexes::changes(&desired.create, live));
    plan.changes.extend(settings::time_to_live(desired, live));
    plan.changes.extend(settings::tags(desired, live));
}

fn creation(desired: &DesiredTable) -> Vec<Change> {
    let create = Change {
        text: text::creation(&desired.create),
        action: Action::CreateTable(Box::new(desired.create.clone())),
        loss: None,
    };
    let expiry = desired.time_to_live.as_ref().map(|attribute| settings::expire_by(attribute, None));
    std::iter::once(create).chain(expiry).collect()
}
