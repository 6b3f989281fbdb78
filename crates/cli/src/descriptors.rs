//! File descriptors of a server: connections must leave enough of them for the store.

use keyfold_wire::waiting_connections;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// The most that is asked for: all connections of two endpoints, those that wait for room, and what is reserved.
const WANTED: u64 = 16_384;

/// Kept free of connections: tables that the store has open, tables that it writes and merges, journals, logs, sockets
/// that listen, and clients of key servers.
const RESERVED: u64 = 384;

/// How many files this process may have open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Descriptors(u64);

impl Descriptors {
    /// Raises the limit of this process as far as the operating system allows it without privileges. Call it before
    /// anything is opened.
    pub(crate) fn raise() -> Self {
        let limit = getrlimit(Resource::Nofile);
        // `None` means that there is no limit.
        let (current, maximum) = (limit.current.unwrap_or(WANTED), limit.maximum.unwrap_or(WANTED));
        let wanted = maximum.min(WANTED);
        if current >= wanted {
            return Self(current);
        }
        match setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum: limit.maximum }) {
            Ok(()) => Self(wanted),
            Err(error) => {
                tracing::warn!(%error, current, wanted, "cannot raise the limit of open files");
                Self(current)
            }
        }
    }

    /// How many connections each of some endpoints may serve: the configured number, unless the limit of open files is
    /// too low for it and for the connections that wait for room.
    pub(crate) fn connections(self, configured: usize, endpoints: u64) -> usize {
        let available = self.0.saturating_sub(RESERVED).max(self.0 / 2);
        let share = usize::try_from(available / endpoints.max(1)).unwrap_or(usize::MAX);
        let most = share.saturating_sub(waiting_connections(share)).max(1);
        if most < configured {
            tracing::warn!(
                open_files = self.0,
                connections = most,
                configured,
                "the limit of open files allows fewer connections than configured"
            );
        }
        configured.min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_descriptors_for_the_store() {
        assert_eq!(Descriptors(16_384).connections(4096, 2), 4096);
        assert_eq!(Descriptors(1024).connections(100, 1), 100);
        for open_files in [600, 768, 1024, 4096, 16_384] {
            for (configured, endpoints) in [(100, 1), (4096, 1), (4096, 2), (100_000, 1), (100_000, 2)] {
                let served = Descriptors(open_files).connections(configured, endpoints);
                let sockets = endpoints * u64::try_from(served + waiting_connections(served)).unwrap();
                let reserved = RESERVED.min(open_files / 2);
                assert!(sockets + reserved <= open_files, "{open_files} {configured} {endpoints}: {served}");
                // Nearly all that is not reserved is used.
                let is_enough = served == configured || sockets + reserved > open_files * 9 / 10;
                assert!(is_enough, "{open_files} {configured} {endpoints}: {served}");
            }
        }
    }

    #[test]
    fn a_very_low_limit_is_shared_in_equal_parts() {
        assert_eq!(Descriptors(256).connections(4096, 1), 128 - waiting_connections(128));
        assert_eq!(Descriptors(1).connections(4096, 2), 1);
    }
}
