// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

/// `status` of Account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum AccountStatus {
    #[serde(rename = "active")]
    Active,
    #[serde(rename = "closed")]
    Closed,
}

impl typed::Enumeration for AccountStatus {
    const ALL: &'static [Self] = &[Self::Active, Self::Closed];

    fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Closed => "closed",
        }
    }
}

/// `kind` of Address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum AddressKind {
    #[serde(rename = "billing")]
    Billing,
    #[serde(rename = "shipping")]
    Shipping,
    #[serde(rename = "office")]
    Office,
}

impl typed::Enumeration for AddressKind {
    const ALL: &'static [Self] = &[Self::Billing, Self::Shipping, Self::Office];

    fn as_str(self) -> &'static str {
        match self {
            Self::Billing => "billing",
            Self::Shipping => "shipping",
            Self::Office => "office",
        }
    }
}

/// `status` of License.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum LicenseStatus {
    #[serde(rename = "active")]
    Active,
    #[serde(rename = "expired")]
    Expired,
}

impl typed::Enumeration for LicenseStatus {
    const ALL: &'static [Self] = &[Self::Active, Self::Expired];

    fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Expired => "expired",
        }
    }
}

/// `status` of User.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum UserStatus {
    #[serde(rename = "active")]
    Active,
    #[serde(rename = "inactive")]
    Inactive,
}

impl typed::Enumeration for UserStatus {
    const ALL: &'static [Self] = &[Self::Active, Self::Inactive];

    fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Inactive => "inactive",
        }
    }
}

/// `actions` of Permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum PermissionActions {
    #[serde(rename = "read")]
    Read,
    #[serde(rename = "write")]
    Write,
}

impl typed::Enumeration for PermissionActions {
    const ALL: &'static [Self] = &[Self::Read, Self::Write];

    fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// `deliveryStatus` of NotificationAudit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
pub enum NotificationAuditDeliveryStatus {
    #[serde(rename = "sent")]
    Sent,
    #[serde(rename = "failed")]
    Failed,
    #[serde(rename = "skipped")]
    Skipped,
}

impl typed::Enumeration for NotificationAuditDeliveryStatus {
    const ALL: &'static [Self] = &[Self::Sent, Self::Failed, Self::Skipped];

    fn as_str(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }
}
