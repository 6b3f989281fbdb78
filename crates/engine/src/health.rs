//! The state of an engine's store, for embedders, probes and supervisors.

use std::fmt;

use keyfold_environment::error_chain;

use crate::damage::Damage;
use crate::store::StoreError;

/// What an engine can do at the moment, from [`Engine::health`](crate::Engine::health).
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Health {
    /// Reads and writes are served.
    Serving,
    /// The disk is nearly full. Reads and deletes are served, other writes are refused until there is space again.
    NearlyFull {
        /// What can still be written.
        free_bytes: u64,
        /// What is kept free for merging tables and shutting down.
        reserved_bytes: u64,
    },
    /// The store has failed: reads are served, writes are refused. [`Engine::reopen`](crate::Engine::reopen) recovers
    /// from it.
    Failed(StoreError),
    /// The store is being opened again; reads and writes are refused for a moment.
    Reopening,
    /// A merge of tables met a damaged block: reads elsewhere are served, writes are refused. Opening the data again
    /// leads to the same; restore a backup, or salvage what can be read.
    ReadOnly {
        /// What the store found.
        cause: StoreError,
        /// The damaged blocks, with their rows; empty until they are found.
        damage: Vec<Damage>,
    },
    /// The store cannot be used any more, and `reopen` refuses to: what is on disk is not known. Drop the engine, and
    /// open it again once the cause is remedied. Reads may still be served.
    Broken(StoreError),
}

impl Health {
    /// Whether all reads and writes are served.
    pub fn is_serving(&self) -> bool {
        matches!(self, Self::Serving)
    }

    /// Whether reads are served.
    pub fn is_readable(&self) -> bool {
        matches!(self, Self::Serving | Self::NearlyFull { .. } | Self::Failed(_) | Self::ReadOnly { .. })
    }

    /// A short name of the state, for metrics.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Serving => "serving",
            Self::NearlyFull { .. } => "nearly_full",
            Self::Failed(_) => "failed",
            Self::Reopening => "reopening",
            Self::ReadOnly { .. } => "read_only",
            Self::Broken(_) => "broken",
        }
    }
}

/// For operators: it names causes and files.
impl fmt::Display for Health {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Serving => out.write_str("serving"),
            Self::NearlyFull { free_bytes, reserved_bytes } => write!(
                out,
                "the disk is nearly full: {} MiB are free, and {} MiB are reserved; only reads and deletes are served",
                free_bytes >> 20,
                reserved_bytes >> 20
            ),
            Self::Failed(cause) => write!(out, "only reads are served: {}", error_chain(cause)),
            Self::Reopening => out.write_str("the store is being reopened"),
            Self::ReadOnly { cause, damage } if damage.is_empty() => {
                write!(out, "only reads are served, because data is damaged: {}", error_chain(cause))
            }
            Self::ReadOnly { damage, .. } => {
                out.write_str("only reads are served, because data is damaged")?;
                damage
                    .iter()
                    .enumerate()
                    .try_for_each(|(number, found)| write!(out, "{} {found}", if number == 0 { ":" } else { ";" }))
            }
            Self::Broken(cause) => write!(out, "the store cannot be used any more: {}", error_chain(cause)),
        }
    }
}
