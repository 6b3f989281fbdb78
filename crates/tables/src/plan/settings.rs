//! Billing, expiry, tags, protection.

use std::collections::BTreeMap;

use keyfold_dynamo::operation::CreateTableInput;
use keyfold_dynamo::table::{
    BillingMode, IndexSpec, TableDescription, Tags, Throughput, ThroughputDescription, TimeToLiveStatus,
};

use super::action::{Action, Billing};
use super::indexes::IndexShape;
use super::{DesiredTable, LiveTable, Loss, TableChange, text};

pub(super) fn protection(desired: &DesiredTable, live: &LiveTable) -> Option<TableChange> {
    let on = desired.create.deletion_protection;
    (on != live.description.deletion_protection).then(|| TableChange {
        text: format!("{} deletion protection", if on { "enable" } else { "disable" }),
        action: Action::SetDeletionProtection(on),
        loss: None,
    })
}

/// Billing of the table, with all its indexes; or the throughput of the table and of each index by itself.
pub(super) fn billing(desired: &CreateTableInput, live: &TableDescription) -> Vec<TableChange> {
    let mode = desired.billing_mode.unwrap_or(BillingMode::Provisioned);
    if mode != live.billing_mode {
        let throughput = desired.throughput.filter(|_| mode == BillingMode::Provisioned);
        let of_indexes = throughput.map(|throughput| indexes_of(desired, live, throughput)).unwrap_or_default();
        return vec![TableChange {
            text: format!(
                "change billing from {} to {}",
                text::billing(live.billing_mode, Some(provisioned(&live.throughput))),
                text::billing(mode, throughput)
            ),
            action: Action::SetBilling(Billing { mode: Some(mode), throughput, indexes: of_indexes }),
            loss: None,
        }];
    }
    if mode == BillingMode::PayPerRequest {
        return Vec::new();
    }
    let of_table =
        desired.throughput.filter(|wanted| *wanted != provisioned(&live.throughput)).map(|wanted| TableChange {
            text: format!(
                "change the table's throughput from {} to {}",
                text::throughput(provisioned(&live.throughput)),
                text::throughput(wanted)
            ),
            action: Action::SetBilling(Billing { mode: None, throughput: Some(wanted), indexes: Vec::new() }),
            loss: None,
        });
    of_table.into_iter().chain(index_throughput(desired, live)).collect()
}

/// The initial throughput of each live index: its own if it stays, the table's if it is to be deleted.
fn indexes_of(desired: &CreateTableInput, live: &TableDescription, table: Throughput) -> Vec<(String, Throughput)> {
    let wanted = |name: &str| {
        let spec = desired.global_indexes.iter().flatten().find(|spec| spec.name == name);
        spec.and_then(|spec| spec.throughput).unwrap_or(table)
    };
    live.global_indexes.iter().map(|index| (index.name.clone(), wanted(&index.name))).collect()
}

fn index_throughput(desired: &CreateTableInput, live: &TableDescription) -> Vec<TableChange> {
    let mut changes = Vec::new();
    for spec in desired.global_indexes.iter().flatten() {
        let found = live.global_indexes.iter().find(|index| index.name == spec.name);
        let (Some(found), Some(wanted)) = (found.and_then(|index| index.throughput.as_ref()), spec.throughput) else {
            continue;
        };
        let found = provisioned(found);
        if found != wanted && !is_replaced(desired, live, spec) {
            changes.push(TableChange {
                text: format!(
                    "change the throughput of index `{}` from {} to {}",
                    spec.name,
                    text::throughput(found),
                    text::throughput(wanted)
                ),
                action: Action::SetIndexThroughput { name: spec.name.clone(), throughput: wanted },
                loss: None,
            });
        }
    }
    changes
}

/// A recreated index gets its throughput on creation.
fn is_replaced(desired: &CreateTableInput, live: &TableDescription, spec: &IndexSpec) -> bool {
    let wanted = IndexShape::desired(spec, &desired.attribute_definitions);
    live.global_indexes
        .iter()
        .filter(|index| index.name == spec.name)
        .any(|index| wanted.difference(&IndexShape::live(index, &live.attribute_definitions)).is_some())
}

fn provisioned(description: &ThroughputDescription) -> Throughput {
    Throughput { read: description.read, write: description.write }
}

/// Only where the desired table states them; otherwise the table keeps its own.
pub(super) fn class_and_limits(desired: &CreateTableInput, live: &TableDescription) -> Vec<TableChange> {
    let mut changes = Vec::new();
    // DynamoDB reports no class for a table that never had another one.
    let class = live.table_class.as_deref().unwrap_or("STANDARD");
    if let Some(wanted) = desired.table_class.as_deref().filter(|wanted| *wanted != class) {
        changes.push(TableChange {
            text: format!("change the table class from {class} to {wanted}"),
            action: Action::SetTableClass(wanted.to_owned()),
            loss: None,
        });
    }
    if let Some(wanted) = desired.on_demand.filter(|wanted| live.on_demand != Some(*wanted)) {
        changes.push(TableChange {
            text: "change the limits of on-demand throughput".to_owned(),
            action: Action::SetOnDemandLimits(wanted),
            loss: None,
        });
    }
    changes
}

pub(super) fn time_to_live(desired: &DesiredTable, live: &LiveTable) -> Vec<TableChange> {
    use TimeToLiveStatus::{Enabled, Enabling};
    let found = matches!(live.time_to_live.status, Enabled | Enabling)
        .then_some(live.time_to_live.attribute_name.as_deref())
        .flatten();
    let wanted = desired.time_to_live.as_deref();
    if found == wanted {
        return Vec::new();
    }
    let end = found.map(|attribute| TableChange {
        text: format!("stop expiring items by `{attribute}`"),
        action: Action::DisableTimeToLive { attribute: attribute.to_owned() },
        loss: None,
    });
    end.into_iter().chain(wanted.map(|attribute| expire_by(attribute, Some(live)))).collect()
}

pub(super) fn expire_by(attribute: &str, live: Option<&LiveTable>) -> TableChange {
    let loss = live.filter(|live| !live.empty).map(|_| Loss {
        name: format!("ttl:{attribute}"),
        text: format!("items whose `{attribute}` has passed are deleted"),
    });
    TableChange {
        text: format!("expire items by `{attribute}`"),
        action: Action::EnableTimeToLive { attribute: attribute.to_owned() },
        loss,
    }
}

/// Additional tags are kept.
pub(super) fn tags(desired: &DesiredTable, live: &LiveTable) -> Option<TableChange> {
    let found = live.tags.as_ref()?;
    let differing: Tags = desired
        .create
        .tags
        .iter()
        .filter(|(key, value)| found.get(*key) != Some(value))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect::<BTreeMap<_, _>>();
    let named: Vec<String> = differing.iter().map(|(key, value)| format!("{key}={value}")).collect();
    (!differing.is_empty()).then(|| TableChange {
        text: format!("set tags {}", named.join(", ")),
        action: Action::SetTags(differing),
        loss: None,
    })
}

/// Desired settings that no operation of a backend changes.
pub(super) fn unmanaged(desired: &DesiredTable, live: Option<&LiveTable>) -> Vec<String> {
    let mut notes = Vec::new();
    if desired.point_in_time_recovery && live.and_then(|live| live.point_in_time_recovery) != Some(true) {
        notes.push("point-in-time recovery is required; enable it through the infrastructure".to_owned());
    }
    if let Some(view) = &desired.stream {
        notes.push(format!("a stream of {view} is required; enable it through the infrastructure"));
    }
    if !desired.create.tags.is_empty() && live.is_some_and(|live| live.tags.is_none()) {
        notes.push("tags are required but cannot be read; they are left unchanged".to_owned());
    }
    let foreign: Vec<&str> = live
        .filter(|_| !desired.create.tags.is_empty())
        .iter()
        .flat_map(|live| live.tags.iter().flat_map(Tags::keys))
        .map(String::as_str)
        .filter(|key| !desired.create.tags.contains_key(*key) && !key.starts_with("aws:"))
        .collect();
    if !foreign.is_empty() {
        notes.push(format!("additional tags are kept: {}", foreign.join(", ")));
    }
    notes
}
