// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::entities::*;

/// A result of the access pattern "account with everything".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum AccountWithEverything {
    Account(Box<Account>),
    Address(Box<Address>),
    TechUser(Box<TechUser>),
    License(Box<License>),
    Workstream(Box<Workstream>),
}

impl typed::Returned for AccountWithEverything {
    type Design = super::PlatformDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Account" => typed::boxed(item).map(Self::Account),
            "Address" => typed::boxed(item).map(Self::Address),
            "TechUser" => typed::boxed(item).map(Self::TechUser),
            "License" => typed::boxed(item).map(Self::License),
            "Workstream" => typed::boxed(item).map(Self::Workstream),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

/// A result of the access pattern "enterprise with products and services".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum EnterpriseWithProductsAndServices {
    Enterprise(Box<Enterprise>),
    EnterpriseProduct(Box<EnterpriseProduct>),
    EnterpriseService(Box<EnterpriseService>),
}

impl typed::Returned for EnterpriseWithProductsAndServices {
    type Design = super::PlatformDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Enterprise" => typed::boxed(item).map(Self::Enterprise),
            "EnterpriseProduct" => typed::boxed(item).map(Self::EnterpriseProduct),
            "EnterpriseService" => typed::boxed(item).map(Self::EnterpriseService),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

/// A result of the access pattern "role with permissions".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum RoleWithPermissions {
    Role(Box<Role>),
    Permission(Box<Permission>),
}

impl typed::Returned for RoleWithPermissions {
    type Design = super::PlatformDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Role" => typed::boxed(item).map(Self::Role),
            "Permission" => typed::boxed(item).map(Self::Permission),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

/// A result of the access pattern "user with workstreams".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum UserWithWorkstreams {
    User(Box<User>),
    UserWorkstream(Box<UserWorkstream>),
}

impl typed::Returned for UserWithWorkstreams {
    type Design = super::PlatformDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "User" => typed::boxed(item).map(Self::User),
            "UserWorkstream" => typed::boxed(item).map(Self::UserWorkstream),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

impl super::Platform<'_> {
    /// all accounts: `GSI1PK = ENTITY#ACCOUNT, across tenants`. Crosses tenants: for operators.
    pub async fn all_accounts(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Account>, typed::Error> {
        let pattern = "all accounts";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// all enterprises: `GSI1PK = ENTITY#ENTERPRISE`.
    pub async fn all_enterprises(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Enterprise>, typed::Error> {
        let pattern = "all enterprises";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// all licenses: `GSI1PK = ENTITY#LICENSE, across tenants`. Crosses tenants: for operators.
    pub async fn all_licenses(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<License>, typed::Error> {
        let pattern = "all licenses";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// all workstreams: `GSI1PK = ENTITY#WORKSTREAM, across tenants`. Crosses tenants: for operators.
    pub async fn all_workstreams(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Workstream>, typed::Error> {
        let pattern = "all workstreams";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// all users: `GSI1PK = ENTITY#USER, across tenants`. Crosses tenants: for operators.
    pub async fn all_users(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<User>, typed::Error> {
        let pattern = "all users";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// all roles: `GSI1PK = ENTITY#ROLE, own tenant only`. Members get only the items of their own tenant.
    pub async fn all_roles(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Role>, typed::Error> {
        let pattern = "all roles";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// all groups: `GSI1PK = ENTITY#GROUP`.
    pub async fn all_groups(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Group>, typed::Error> {
        let pattern = "all groups";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// all products: `GSI1PK = ENTITY#PRODUCT`.
    pub async fn all_products(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Product>, typed::Error> {
        let pattern = "all products";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// all services: `GSI1PK = ENTITY#SERVICE`.
    pub async fn all_services(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Service>, typed::Error> {
        let pattern = "all services";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// all notification audits: `GSI1PK = ENTITY#NOTIFICATION_AUDIT, across tenants`. Crosses tenants: for operators.
    pub async fn all_notification_audits(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<NotificationAudit>, typed::Error> {
        let pattern = "all notification audits";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// account with everything: `PK = ACCOUNT#<accountId> -> Account, Address, TechUser, License, Workstream`.
    pub async fn account_with_everything(
        &self,
        account_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<AccountWithEverything>, typed::Error> {
        let pattern = "account with everything";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "accountId", account_id);
        self.page(pattern, arguments, options).await
    }

    /// enterprise with products and services: `PK = ENTERPRISE#<enterpriseId> -> Enterprise, EnterpriseProduct, EnterpriseService`.
    pub async fn enterprise_with_products_and_services(
        &self,
        enterprise_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<EnterpriseWithProductsAndServices>, typed::Error> {
        let pattern = "enterprise with products and services";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "enterpriseId", enterprise_id);
        self.page(pattern, arguments, options).await
    }

    /// licenses by account: `PK = ACCOUNT#<accountId> and begins_with(SK, LICENSE#)`.
    pub async fn licenses_by_account(
        &self,
        account_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<License>, typed::Error> {
        let pattern = "licenses by account";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "accountId", account_id);
        self.page(pattern, arguments, options).await
    }

    /// workstreams by account: `PK = ACCOUNT#<accountId> and begins_with(SK, WORKSTREAM#)`.
    pub async fn workstreams_by_account(
        &self,
        account_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Workstream>, typed::Error> {
        let pattern = "workstreams by account";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "accountId", account_id);
        self.page(pattern, arguments, options).await
    }

    /// role with permissions: `PK = ROLE#<roleId>, own tenant only -> Role, Permission`. Members get only the items of their own tenant.
    pub async fn role_with_permissions(
        &self,
        role_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<RoleWithPermissions>, typed::Error> {
        let pattern = "role with permissions";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "roleId", role_id);
        self.page(pattern, arguments, options).await
    }

    /// user with workstreams: `PK = USER#<userId>, own tenant only -> User, UserWorkstream`. Members get only the items of their own tenant.
    pub async fn user_with_workstreams(
        &self,
        user_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<UserWithWorkstreams>, typed::Error> {
        let pattern = "user with workstreams";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "userId", user_id);
        self.page(pattern, arguments, options).await
    }

    /// workstreams of a user: `PK = USER#<userId> and begins_with(SK, WORKSTREAM#), own tenant only -> Workstream`. Members get only the items of their own tenant.
    pub async fn workstreams_of_a_user(
        &self,
        user_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Workstream>, typed::Error> {
        let pattern = "workstreams of a user";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "userId", user_id);
        self.page(pattern, arguments, options).await
    }

    /// tools of a workstream: `PK = WORKSTREAM#<workstreamId> and begins_with(SK, TOOL#), own tenant only`. Members get only the items of their own tenant.
    pub async fn tools_of_a_workstream(
        &self,
        workstream_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Tool>, typed::Error> {
        let pattern = "tools of a workstream";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "workstreamId", workstream_id);
        self.page(pattern, arguments, options).await
    }

    /// users by account: `GSI2PK = ACCOUNT#<accountId>#USERS`.
    pub async fn users_by_account(
        &self,
        account_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<User>, typed::Error> {
        let pattern = "users by account";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "accountId", account_id);
        self.page(pattern, arguments, options).await
    }

    /// roles by account: `GSI2PK = ACCOUNT#<accountId>#ROLES`.
    pub async fn roles_by_account(
        &self,
        account_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Role>, typed::Error> {
        let pattern = "roles by account";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "accountId", account_id);
        self.page(pattern, arguments, options).await
    }

    /// licenses by enterprise: `GSI2PK = ENTERPRISE#<enterpriseId> and begins_with(GSI2SK, LICENSE#), own tenant only`. Members get only the items of their own tenant.
    pub async fn licenses_by_enterprise(
        &self,
        enterprise_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<License>, typed::Error> {
        let pattern = "licenses by enterprise";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "enterpriseId", enterprise_id);
        self.page(pattern, arguments, options).await
    }

    /// workstreams by enterprise: `GSI2PK = ENTERPRISE#<enterpriseId> and begins_with(GSI2SK, WORKSTREAM#), own tenant only`. Members get only the items of their own tenant.
    pub async fn workstreams_by_enterprise(
        &self,
        enterprise_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Workstream>, typed::Error> {
        let pattern = "workstreams by enterprise";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "enterpriseId", enterprise_id);
        self.page(pattern, arguments, options).await
    }

    /// notifications by account: `GSI2PK = ACCOUNT#<accountId>#NOTIFICATIONS`.
    pub async fn notifications_by_account(
        &self,
        account_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<NotificationAudit>, typed::Error> {
        let pattern = "notifications by account";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "accountId", account_id);
        self.page(pattern, arguments, options).await
    }

    /// expiring licenses: `GSI3PK = LICENSE#STATUS#active and GSI3SK <= <before>, across tenants`. Crosses tenants: for operators.
    pub async fn expiring_licenses(
        &self,
        before: typed::Date,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<License>, typed::Error> {
        let pattern = "expiring licenses";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "before", &before);
        self.page(pattern, arguments, options).await
    }

    /// expired licenses: `GSI3PK = LICENSE#STATUS#expired, across tenants`. Crosses tenants: for operators.
    pub async fn expired_licenses(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<License>, typed::Error> {
        let pattern = "expired licenses";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// active users by end date: `GSI3PK = USER#STATUS#active, across tenants`. Crosses tenants: for operators.
    pub async fn active_users_by_end_date(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<User>, typed::Error> {
        let pattern = "active users by end date";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// inactive users: `GSI3PK = USER#STATUS#inactive, across tenants`. Crosses tenants: for operators.
    pub async fn inactive_users(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<User>, typed::Error> {
        let pattern = "inactive users";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// sent notifications between: `GSI3PK = NOTIFICATION#STATUS#sent and GSI3SK between <start> and <end>, across tenants`. Crosses tenants: for operators.
    pub async fn sent_notifications_between(
        &self,
        start: impl Into<typed::Moment>,
        end: impl Into<typed::Moment>,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<NotificationAudit>, typed::Error> {
        let pattern = "sent notifications between";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "start", &Into::<typed::Moment>::into(start));
        typed::set(&mut arguments, "end", &Into::<typed::Moment>::into(end));
        self.page(pattern, arguments, options).await
    }

    /// failed notifications: `GSI3PK = NOTIFICATION#STATUS#failed, across tenants`. Crosses tenants: for operators.
    pub async fn failed_notifications(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<NotificationAudit>, typed::Error> {
        let pattern = "failed notifications";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }

    /// skipped notifications: `GSI3PK = NOTIFICATION#STATUS#skipped, across tenants`. Crosses tenants: for operators.
    pub async fn skipped_notifications(
        &self,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<NotificationAudit>, typed::Error> {
        let pattern = "skipped notifications";
        let arguments = typed::Attributes::new();
        self.page(pattern, arguments, options).await
    }
}
