//! Changes that a table is still undergoing. DynamoDB accepts one change at a time, so a plan waits for them.

use std::fmt;

use keyfold_dynamo::table::{TableStatus, TimeToLiveStatus};

use super::LiveTable;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OngoingChange {
    TableCreating,
    TableUpdating,
    TableDeleting,
    IndexFilling {
        name: String,
    },
    IndexUpdating {
        name: String,
    },
    IndexDeleting {
        name: String,
    },
    TimeToLiveDisabling {
        /// `None` where the backend does not report it.
        attribute: Option<String>,
    },
}

pub(super) fn find(live: &LiveTable) -> Vec<OngoingChange> {
    let table = match live.description.status {
        TableStatus::Creating => Some(OngoingChange::TableCreating),
        TableStatus::Updating => Some(OngoingChange::TableUpdating),
        TableStatus::Deleting => Some(OngoingChange::TableDeleting),
        TableStatus::Active => None,
    };
    let indexes = live.description.global_indexes.iter().filter_map(|index| {
        let name = index.name.clone();
        match index.status {
            Some(TableStatus::Creating) => Some(OngoingChange::IndexFilling { name }),
            Some(TableStatus::Updating) => Some(OngoingChange::IndexUpdating { name }),
            Some(TableStatus::Deleting) => Some(OngoingChange::IndexDeleting { name }),
            Some(TableStatus::Active) | None => None,
        }
    });
    let indexes: Vec<OngoingChange> = indexes.collect();
    // The state of an index is more specific than that of its table.
    let table = table.filter(|state| *state != OngoingChange::TableUpdating || indexes.is_empty());
    let ending = (live.time_to_live.status == TimeToLiveStatus::Disabling)
        .then(|| OngoingChange::TimeToLiveDisabling { attribute: live.time_to_live.attribute_name.clone() });
    table.into_iter().chain(indexes).chain(ending).collect()
}

impl fmt::Display for OngoingChange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TableCreating => write!(out, "the table is being created"),
            Self::TableUpdating => write!(out, "the table is being changed"),
            Self::TableDeleting => write!(out, "the table is being deleted"),
            Self::IndexFilling { name } => write!(out, "index `{name}` is being filled"),
            Self::IndexUpdating { name } => write!(out, "index `{name}` is being changed"),
            Self::IndexDeleting { name } => write!(out, "index `{name}` is being deleted"),
            Self::TimeToLiveDisabling { attribute: None } => write!(out, "time to live is being disabled"),
            Self::TimeToLiveDisabling { attribute: Some(attribute) } => {
                write!(out, "time to live by `{attribute}` is being disabled")
            }
        }
    }
}
