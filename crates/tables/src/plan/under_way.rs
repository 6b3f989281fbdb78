//! What is going on at a table. DynamoDB takes one change at a time, so a plan waits for it.

use std::fmt;

use keyfold_dynamo::table::{TableStatus, TimeToLiveStatus};

use super::LiveTable;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnderWay {
    TableCreating,
    TableUpdating,
    TableDeleting,
    IndexFilling { name: String },
    IndexUpdating { name: String },
    IndexDeleting { name: String },
    TimeToLiveEnding { attribute: String },
}

pub(super) fn of(live: &LiveTable) -> Vec<UnderWay> {
    let table = match live.description.status {
        TableStatus::Creating => Some(UnderWay::TableCreating),
        TableStatus::Updating => Some(UnderWay::TableUpdating),
        TableStatus::Deleting => Some(UnderWay::TableDeleting),
        TableStatus::Active => None,
    };
    let indexes = live.description.global_indexes.iter().filter_map(|index| {
        let name = index.name.clone();
        match index.status {
            Some(TableStatus::Creating) => Some(UnderWay::IndexFilling { name }),
            Some(TableStatus::Updating) => Some(UnderWay::IndexUpdating { name }),
            Some(TableStatus::Deleting) => Some(UnderWay::IndexDeleting { name }),
            Some(TableStatus::Active) | None => None,
        }
    });
    let indexes: Vec<UnderWay> = indexes.collect();
    // What happens to an index says more than that the table is being updated.
    let table = table.filter(|state| *state != UnderWay::TableUpdating || indexes.is_empty());
    let ending = (live.time_to_live.status == TimeToLiveStatus::Disabling).then(|| UnderWay::TimeToLiveEnding {
        attribute: live.time_to_live.attribute_name.clone().unwrap_or_default(),
    });
    table.into_iter().chain(indexes).chain(ending).collect()
}

impl fmt::Display for UnderWay {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TableCreating => write!(out, "the table is being created"),
            Self::TableUpdating => write!(out, "the table is being changed"),
            Self::TableDeleting => write!(out, "the table is being deleted"),
            Self::IndexFilling { name } => write!(out, "index `{name}` is being filled"),
            Self::IndexUpdating { name } => write!(out, "index `{name}` is being changed"),
            Self::IndexDeleting { name } => write!(out, "index `{name}` is being deleted"),
            Self::TimeToLiveEnding { attribute } => write!(out, "expiry by `{attribute}` is being switched off"),
        }
    }
}
