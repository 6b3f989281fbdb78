//! What the journal keeps.

use serde::Deserialize;

/// Both parts can be switched off, each by itself.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct JournalSettings {
    pub table: String,
    /// Answers by `Idempotency-Key`, for 24 hours.
    pub idempotency: bool,
    /// Who changed what.
    pub audit: bool,
    /// How long that is kept.
    pub audit_days: u32,
    /// The roles that may read it in their own tenant; operators may in all.
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
