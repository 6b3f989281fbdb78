//! Work on the records while the server runs: what was counted is written, and the audit log is sealed.

use std::time::Duration;

use super::ChangeRecords;

/// The time between two rounds of maintenance.
pub(super) const ROUND: Duration = Duration::from_secs(5);

impl ChangeRecords {
    /// Maintains the records until `stop` completes, and writes what is left to write then.
    pub(crate) async fn maintain(&self, stop: impl Future<Output = ()>) {
        if self.keeps_audit_log() {
            tokio::pin!(stop);
            // The pause is one of tokio's clock: the other one stands still in tests.
            while tokio::time::timeout(ROUND, &mut stop).await.is_err() {
                self.write_due_counts().await;
                self.store_new_partitions().await;
                self.seal_if_due().await;
            }
            self.write_all_counts().await;
        }
    }
}
