//! The options of an engine, and the errors of opening one.

use std::sync::Arc;
use std::time::Duration;

use keyfold_environment::{Clock, Random, SystemClock, SystemRandom};

use crate::rows::key_text::hexadecimal;
use crate::store::{Durability, StoreError, StoreSettings};

/// How an engine runs. The default is durable, sweeps every second and uses the operating system's clock and
/// randomness.
#[derive(Clone)]
pub struct Options {
    /// Whether a write is on disk before it is acknowledged; it is by default.
    pub durability: Durability,
    /// The settings that bound memory and disk.
    pub store: StoreSettings,
    /// Free disk space below which writes other than deletes are refused; 256 MiB by default, and at most a tenth of
    /// the disk. 0 refuses none.
    pub disk_reserve_bytes: u64,
    /// A store that does not finish a commit, or a look at its files, for this long is given up, and so is one whose
    /// flushes or merges of tables make no progress; 30 s by default.
    pub unresponsive_after: Duration,
    /// The pause between two passes over all table files that look for damaged blocks; a day by default. The first one
    /// begins after a minute, or after this pause, if it is shorter.
    pub scrub_interval: Duration,
    /// The pause between two passes of background work, which fills indexes, deletes expired items and returns space; a
    /// second by default. Without one there is no such thread, and
    /// [`Engine::run_maintenance`](crate::Engine::run_maintenance) does the work.
    pub sweep_interval: Option<Duration>,
    /// The region that appears in ARNs; by default `local`.
    pub region: String,
    /// The account number that appears in ARNs; by default twelve zeros.
    pub account: String,
    /// The time by which items expire. Nothing expires for ten minutes after it was set forward by more than a minute;
    /// see [`Engine::confirm_clock`](crate::Engine::confirm_clock).
    pub clock: Arc<dyn Clock>,
    /// The source of table ids.
    pub random: Arc<dyn Random>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            durability: Durability::Durable,
            store: StoreSettings::default(),
            disk_reserve_bytes: 256 << 20,
            unresponsive_after: Duration::from_secs(30),
            scrub_interval: Duration::from_secs(24 * 60 * 60),
            sweep_interval: Some(Duration::from_secs(1)),
            region: "local".to_owned(),
            account: "000000000000".to_owned(),
            clock: Arc::new(SystemClock),
            random: Arc::new(SystemRandom),
        }
    }
}

/// Why an engine could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The store could not be opened, or failed while the definitions were read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Another version of Keyfold wrote the data.
    #[error(
        "the data is in format {found}, but this version reads format {expected}; open the folder with the version of \
         Keyfold that wrote it"
    )]
    Format {
        /// The format of the data.
        found: u32,
        /// The format that this version reads and writes.
        expected: u32,
    },
    /// An internal record, such as a table's definition, is damaged.
    #[error(
        "{what} at {row} cannot be decoded; list all damage with `keyfold engine check`; restore the folder from a \
         backup, or salvage it with `keyfold engine repair`"
    )]
    Damaged {
        /// The record.
        what: &'static str,
        /// Its key in the store, in hexadecimal.
        row: String,
    },
    /// The operating system refused a thread.
    #[error("a thread could not be started")]
    Thread(#[from] std::io::Error),
}

impl OpenError {
    pub(crate) fn undecodable(what: &'static str, row: &[u8]) -> Self {
        Self::Damaged { what, row: hexadecimal(row) }
    }

    pub(crate) fn undecodable_definition(row: &[u8]) -> Self {
        Self::undecodable("the definition of a table", row)
    }
}

#[cfg(test)]
mod tests {
    use crate::Engine;
    use crate::rows::layout;
    use crate::store::{Change, MemoryStore, Store as _};

    use super::*;

    fn refusal(version: Vec<u8>) -> String {
        let store = MemoryStore::default();
        store.commit(vec![Change::Put(layout::format_version(), version)], Durability::Relaxed).unwrap();
        Engine::with_store(Arc::new(store), Options::default()).err().unwrap().to_string()
    }

    #[test]
    fn refusals_name_the_record_and_the_remedy() {
        assert_eq!(
            refusal(vec![7]),
            format!(
                "the version of the format at {} cannot be decoded; list all damage with `keyfold engine check`; restore \
                 the folder from a backup, or salvage it with `keyfold engine repair`",
                hexadecimal(&layout::format_version())
            )
        );
        assert_eq!(
            refusal(9u32.to_be_bytes().to_vec()),
            "the data is in format 9, but this version reads format 2; open the folder with the version of Keyfold that \
             wrote it"
        );
    }
}
