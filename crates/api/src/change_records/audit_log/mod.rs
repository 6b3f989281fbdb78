//! The audit log: who did what to which item, when, allowed or denied.

mod act;
mod chain;
mod denial;
mod entry;
mod entry_counts;
mod erase;
mod export;
mod query;
mod read;

use keyfold_design::model::Verb;
use keyfold_runtime::WriteVerb;

pub use self::act::Act;
pub use self::chain::{ChainFinding, ChainHead, ChainReport};
pub(in crate::change_records) use self::chain::{ERASED, KnownPartitions, SealSchedule};
pub(crate) use self::entry::identity_of;
pub(in crate::change_records) use self::entry::{Action, Actor, EntryContent, tenant_of};
pub(in crate::change_records) use self::entry_counts::EntryCounts;
pub(in crate::change_records) use self::erase::{erase_identity, erase_subject};
pub use self::export::{AuditExport, ExportedEntry};
pub use self::query::{AuditEntry, AuditFilter, AuditPage, AuditQuery, AuditScope};
pub(in crate::change_records) use self::read::names_item;
pub use self::read::{ItemRead, ShownItem};

/// The verb of a transaction that was denied before its writes were read.
pub(crate) const TRANSACT: &str = "transact";
/// The verbs of entries: those of changes, and those of denied reads and transactions.
pub(crate) const VERBS: [&str; 8] = {
    let [create, put, upsert, patch, delete] = WriteVerb::ALL;
    let (get, list) = (Verb::Get.as_str(), Verb::List.as_str());
    [create.name(), put.name(), upsert.name(), patch.name(), delete.name(), TRANSACT, get, list]
};
pub(crate) const ALLOWED: &str = "allowed";
pub(crate) const DENIED: &str = "denied";
pub(crate) const OUTCOMES: [&str; 2] = [ALLOWED, DENIED];
/// The number of entries on a page where the request states none.
pub(crate) const DEFAULT_PAGE: u32 = 50;
/// The maximum number of entries on a page.
pub(crate) const PAGE_LIMIT: u32 = 100;
