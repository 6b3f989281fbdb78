// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use std::collections::BTreeMap;

use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::enumerations::*;

/// An Account.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    pub account_id: String,
    pub name: String,
    pub status: AccountStatus,
    pub user_count: i64,
    pub role_count: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Account {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "Account";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            account_id: typed::required(item, "accountId")?,
            name: typed::required(item, "name")?,
            status: typed::or_default(item, "status", AccountStatus::Active)?,
            user_count: typed::or_default(item, "userCount", 0)?,
            role_count: typed::or_default(item, "roleCount", 0)?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// An Address.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Address {
    pub account_id: String,
    pub address_id: String,
    pub kind: AddressKind,
    pub street: String,
    pub postal_code: String,
    pub city: String,
    pub country: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Address {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "Address";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            account_id: typed::required(item, "accountId")?,
            address_id: typed::required(item, "addressId")?,
            kind: typed::or_default(item, "kind", AddressKind::Office)?,
            street: typed::required(item, "street")?,
            postal_code: typed::required(item, "postalCode")?,
            city: typed::required(item, "city")?,
            country: typed::required(item, "country")?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A technical user, who acts for an account.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TechUser {
    pub account_id: String,
    pub user_id: String,
    pub name: String,
    pub email: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for TechUser {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "TechUser";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            account_id: typed::required(item, "accountId")?,
            user_id: typed::required(item, "userId")?,
            name: typed::required(item, "name")?,
            email: typed::required(item, "email")?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// An Enterprise.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Enterprise {
    pub enterprise_id: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub license_count: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workstream_count: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Enterprise {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "Enterprise";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            enterprise_id: typed::required(item, "enterpriseId")?,
            name: typed::required(item, "name")?,
            license_count: typed::optional(item, "licenseCount")?,
            workstream_count: typed::optional(item, "workstreamCount")?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// An EnterpriseProduct.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnterpriseProduct {
    pub enterprise_id: String,
    pub product_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
}

impl typed::Entity for EnterpriseProduct {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "EnterpriseProduct";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            enterprise_id: typed::required(item, "enterpriseId")?,
            product_id: typed::required(item, "productId")?,
            created_at: typed::optional(item, "createdAt")?,
        })
    }
}

/// An EnterpriseService.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnterpriseService {
    pub enterprise_id: String,
    pub service_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
}

impl typed::Entity for EnterpriseService {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "EnterpriseService";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            enterprise_id: typed::required(item, "enterpriseId")?,
            service_id: typed::required(item, "serviceId")?,
            created_at: typed::optional(item, "createdAt")?,
        })
    }
}

/// A License.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct License {
    pub account_id: String,
    pub license_id: String,
    pub enterprise_id: String,
    pub status: LicenseStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_date: Option<typed::Date>,
    pub end_date: typed::Date,
    pub seats: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for License {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "License";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            account_id: typed::required(item, "accountId")?,
            license_id: typed::required(item, "licenseId")?,
            enterprise_id: typed::required(item, "enterpriseId")?,
            status: typed::or_default(item, "status", LicenseStatus::Active)?,
            start_date: typed::optional(item, "startDate")?,
            end_date: typed::required(item, "endDate")?,
            seats: typed::required(item, "seats")?,
            note: typed::optional(item, "note")?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A Workstream.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Workstream {
    pub account_id: String,
    pub workstream_id: String,
    pub enterprise_id: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub user_count: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Workstream {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "Workstream";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            account_id: typed::required(item, "accountId")?,
            workstream_id: typed::required(item, "workstreamId")?,
            enterprise_id: typed::required(item, "enterpriseId")?,
            name: typed::required(item, "name")?,
            description: typed::optional(item, "description")?,
            user_count: typed::or_default(item, "userCount", 0)?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A Tool.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    pub account_id: String,
    pub workstream_id: String,
    pub tool_id: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Tool {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "Tool";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            account_id: typed::required(item, "accountId")?,
            workstream_id: typed::required(item, "workstreamId")?,
            tool_id: typed::required(item, "toolId")?,
            name: typed::required(item, "name")?,
            url: typed::optional(item, "url")?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A User.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    pub user_id: String,
    pub account_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role_id: Option<String>,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    pub status: UserStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_date: Option<typed::Date>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for User {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "User";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            user_id: typed::required(item, "userId")?,
            account_id: typed::required(item, "accountId")?,
            role_id: typed::optional(item, "roleId")?,
            email: typed::required(item, "email")?,
            first_name: typed::required(item, "firstName")?,
            last_name: typed::required(item, "lastName")?,
            status: typed::or_default(item, "status", UserStatus::Active)?,
            end_date: typed::optional(item, "endDate")?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A user works on a workstream.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UserWorkstream {
    pub account_id: String,
    pub user_id: String,
    pub workstream_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assigned_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assigned_by: Option<String>,
}

impl typed::Entity for UserWorkstream {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "UserWorkstream";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            account_id: typed::required(item, "accountId")?,
            user_id: typed::required(item, "userId")?,
            workstream_id: typed::required(item, "workstreamId")?,
            assigned_at: typed::optional(item, "assignedAt")?,
            assigned_by: typed::optional(item, "assignedBy")?,
        })
    }
}

/// A set of permissions; of one account, or of all where no account is named.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Role {
    pub role_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_count: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Role {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "Role";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            role_id: typed::required(item, "roleId")?,
            account_id: typed::optional(item, "accountId")?,
            name: typed::required(item, "name")?,
            user_count: typed::optional(item, "userCount")?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A Permission.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Permission {
    pub role_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    pub menu_key: String,
    pub actions: Vec<PermissionActions>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
}

impl typed::Entity for Permission {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "Permission";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            role_id: typed::required(item, "roleId")?,
            account_id: typed::optional(item, "accountId")?,
            menu_key: typed::required(item, "menuKey")?,
            actions: typed::required(item, "actions")?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
        })
    }
}

/// A Group.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    pub group_id: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Group {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "Group";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            group_id: typed::required(item, "groupId")?,
            name: typed::required(item, "name")?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A Product.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Product {
    pub product_id: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enterprise_count: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Product {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "Product";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            product_id: typed::required(item, "productId")?,
            name: typed::required(item, "name")?,
            enterprise_count: typed::optional(item, "enterpriseCount")?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A Service.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Service {
    pub service_id: String,
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enterprise_count: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Service {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "Service";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            service_id: typed::required(item, "serviceId")?,
            name: typed::required(item, "name")?,
            enterprise_count: typed::optional(item, "enterpriseCount")?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// What was sent to whom, or why not; never changed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NotificationAudit {
    pub id: String,
    pub notification_type: String,
    pub recipient_email: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient_first_name: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient_last_name: Option<String>,
    pub account_id: String,
    pub account_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    pub delivery_status: NotificationAuditDeliveryStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ses_message_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skip_reason: Option<String>,
    pub sender_email: String,
    pub subject: String,
    pub sent_at: typed::DateTime,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<BTreeMap<String, typed::Any>>,
}

impl typed::Entity for NotificationAudit {
    type Design = super::PlatformDesign;
    const NAME: &'static str = "NotificationAudit";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            id: typed::required(item, "id")?,
            notification_type: typed::required(item, "notificationType")?,
            recipient_email: typed::required(item, "recipientEmail")?,
            recipient_first_name: typed::optional(item, "recipientFirstName")?,
            recipient_last_name: typed::optional(item, "recipientLastName")?,
            account_id: typed::required(item, "accountId")?,
            account_name: typed::required(item, "accountName")?,
            user_id: typed::optional(item, "userId")?,
            delivery_status: typed::required(item, "deliveryStatus")?,
            ses_message_id: typed::optional(item, "sesMessageId")?,
            error_message: typed::optional(item, "errorMessage")?,
            skip_reason: typed::optional(item, "skipReason")?,
            sender_email: typed::required(item, "senderEmail")?,
            subject: typed::required(item, "subject")?,
            sent_at: typed::required(item, "sentAt")?,
            created_at: typed::optional(item, "createdAt")?,
            metadata: typed::optional(item, "metadata")?,
        })
    }
}
