//! Settings of the journal.

use serde::Deserialize;

/// Idempotency and the audit log can be switched off separately.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct JournalSettings {
    /// The table of both.
    pub table: String,
    /// Whether responses are stored by `Idempotency-Key`, for 24 hours.
    pub idempotency: bool,
    /// Whether an audit log is kept.
    pub audit: bool,
    /// How long entries of the audit log are kept, in days.
    pub audit_days: u32,
    /// The roles that may read the audit log of their own tenant; operators read that of every tenant.
    pub audit_readers: Vec<String>,
}

impl Default for JournalSettings {
    fn default() -> Self {
        Self {
            table: "keyfold_journal".to_owned(),
            idempotency: true,
            audit: true,
            audit_days: 365,
            audit_readers: vec!["auditor".to_owned()],
        }
    }
}
