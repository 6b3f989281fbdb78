//! Settings of idempotency and the audit log.

use serde::Deserialize;

/// Idempotency and the audit log can be switched off separately.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct ChangeRecordSettings {
    /// The table of stored responses and the audit log; `keyfold_audit` by default.
    pub table: String,
    /// Whether responses are stored by `Idempotency-Key`, for 24 hours; on by default.
    pub idempotency: bool,
    /// Whether an audit log is kept; on by default.
    pub audit: bool,
    /// How long entries of the audit log are kept, in days; 365 by default.
    pub audit_days: u32,
    /// The roles that may read the audit log of their own tenant; `auditor` by default, none if empty. Operators may
    /// read that of every tenant.
    pub audit_readers: Vec<String>,
}

impl Default for ChangeRecordSettings {
    fn default() -> Self {
        Self {
            table: "keyfold_audit".to_owned(),
            idempotency: true,
            audit: true,
            audit_days: 365,
            audit_readers: vec!["auditor".to_owned()],
        }
    }
}
