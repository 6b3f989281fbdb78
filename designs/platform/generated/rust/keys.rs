// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Key builders.

use keyfold_typed as typed;

use super::enumerations::*;

/// PK of Account: `ACCOUNT#<accountId>`.
pub fn pk_account(account_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ACCOUNT#<accountId>", '#');
    key.literal("ACCOUNT#");
    key.part("accountId", account_id, &[]);
    key.text()
}

/// SK of Account: `METADATA`.
pub fn sk_account() -> &'static str {
    "METADATA"
}

/// Account in GSI1.
pub fn gsi1_account(account_id: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("ENTITY#ACCOUNT", '#');
    gsi1_pk.literal("ENTITY#ACCOUNT");
    let mut gsi1_sk = typed::Key::new("ACCOUNT#<accountId>", '#');
    gsi1_sk.literal("ACCOUNT#");
    gsi1_sk.part("accountId", account_id, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// PK of Address: `ACCOUNT#<accountId>`.
pub fn pk_address(account_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ACCOUNT#<accountId>", '#');
    key.literal("ACCOUNT#");
    key.part("accountId", account_id, &[]);
    key.text()
}

/// SK of Address: `ADDRESS#<addressId>`.
pub fn sk_address(address_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ADDRESS#<addressId>", '#');
    key.literal("ADDRESS#");
    key.part("addressId", address_id, &[]);
    key.text()
}

/// PK of TechUser: `ACCOUNT#<accountId>`.
pub fn pk_tech_user(account_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ACCOUNT#<accountId>", '#');
    key.literal("ACCOUNT#");
    key.part("accountId", account_id, &[]);
    key.text()
}

/// SK of TechUser: `TECH_USER#<userId>`.
pub fn sk_tech_user(user_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("TECH_USER#<userId>", '#');
    key.literal("TECH_USER#");
    key.part("userId", user_id, &[]);
    key.text()
}

/// PK of Enterprise: `ENTERPRISE#<enterpriseId>`.
pub fn pk_enterprise(enterprise_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ENTERPRISE#<enterpriseId>", '#');
    key.literal("ENTERPRISE#");
    key.part("enterpriseId", enterprise_id, &[]);
    key.text()
}

/// SK of Enterprise: `METADATA`.
pub fn sk_enterprise() -> &'static str {
    "METADATA"
}

/// Enterprise in GSI1.
pub fn gsi1_enterprise(enterprise_id: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("ENTITY#ENTERPRISE", '#');
    gsi1_pk.literal("ENTITY#ENTERPRISE");
    let mut gsi1_sk = typed::Key::new("ENTERPRISE#<enterpriseId>", '#');
    gsi1_sk.literal("ENTERPRISE#");
    gsi1_sk.part("enterpriseId", enterprise_id, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// PK of EnterpriseProduct: `ENTERPRISE#<enterpriseId>`.
pub fn pk_enterprise_product(enterprise_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ENTERPRISE#<enterpriseId>", '#');
    key.literal("ENTERPRISE#");
    key.part("enterpriseId", enterprise_id, &[]);
    key.text()
}

/// SK of EnterpriseProduct: `PRODUCT#<productId>`.
pub fn sk_enterprise_product(product_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("PRODUCT#<productId>", '#');
    key.literal("PRODUCT#");
    key.part("productId", product_id, &[]);
    key.text()
}

/// PK of EnterpriseService: `ENTERPRISE#<enterpriseId>`.
pub fn pk_enterprise_service(enterprise_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ENTERPRISE#<enterpriseId>", '#');
    key.literal("ENTERPRISE#");
    key.part("enterpriseId", enterprise_id, &[]);
    key.text()
}

/// SK of EnterpriseService: `SERVICE#<serviceId>`.
pub fn sk_enterprise_service(service_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("SERVICE#<serviceId>", '#');
    key.literal("SERVICE#");
    key.part("serviceId", service_id, &[]);
    key.text()
}

/// PK of License: `ACCOUNT#<accountId>`.
pub fn pk_license(account_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ACCOUNT#<accountId>", '#');
    key.literal("ACCOUNT#");
    key.part("accountId", account_id, &[]);
    key.text()
}

/// SK of License: `LICENSE#<licenseId>`.
pub fn sk_license(license_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("LICENSE#<licenseId>", '#');
    key.literal("LICENSE#");
    key.part("licenseId", license_id, &[]);
    key.text()
}

/// License in GSI1.
pub fn gsi1_license(license_id: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("ENTITY#LICENSE", '#');
    gsi1_pk.literal("ENTITY#LICENSE");
    let mut gsi1_sk = typed::Key::new("LICENSE#<licenseId>", '#');
    gsi1_sk.literal("LICENSE#");
    gsi1_sk.part("licenseId", license_id, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// License in GSI2.
pub fn gsi2_license(
    enterprise_id: &str,
    license_id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi2_pk = typed::Key::new("ENTERPRISE#<enterpriseId>", '#');
    gsi2_pk.literal("ENTERPRISE#");
    gsi2_pk.part("enterpriseId", enterprise_id, &[]);
    let mut gsi2_sk = typed::Key::new("LICENSE#<licenseId>", '#');
    gsi2_sk.literal("LICENSE#");
    gsi2_sk.part("licenseId", license_id, &[]);
    typed::index_key([("GSI2PK", gsi2_pk), ("GSI2SK", gsi2_sk)])
}

/// License in GSI3.
pub fn gsi3_license(
    status: LicenseStatus,
    end_date: typed::Date,
    license_id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi3_pk = typed::Key::new("LICENSE#STATUS#<status>", '#');
    gsi3_pk.literal("LICENSE#STATUS#");
    gsi3_pk.part("status", &status, &[]);
    let mut gsi3_sk = typed::Key::new("<endDate>#<licenseId>", '#');
    gsi3_sk.part("endDate", &end_date, &[]);
    gsi3_sk.literal("#");
    gsi3_sk.part("licenseId", license_id, &[]);
    typed::index_key([("GSI3PK", gsi3_pk), ("GSI3SK", gsi3_sk)])
}

/// PK of Workstream: `ACCOUNT#<accountId>`.
pub fn pk_workstream(account_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ACCOUNT#<accountId>", '#');
    key.literal("ACCOUNT#");
    key.part("accountId", account_id, &[]);
    key.text()
}

/// SK of Workstream: `WORKSTREAM#<workstreamId>`.
pub fn sk_workstream(workstream_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("WORKSTREAM#<workstreamId>", '#');
    key.literal("WORKSTREAM#");
    key.part("workstreamId", workstream_id, &[]);
    key.text()
}

/// Workstream in GSI1.
pub fn gsi1_workstream(workstream_id: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("ENTITY#WORKSTREAM", '#');
    gsi1_pk.literal("ENTITY#WORKSTREAM");
    let mut gsi1_sk = typed::Key::new("WORKSTREAM#<workstreamId>", '#');
    gsi1_sk.literal("WORKSTREAM#");
    gsi1_sk.part("workstreamId", workstream_id, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// Workstream in GSI2.
pub fn gsi2_workstream(
    enterprise_id: &str,
    workstream_id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi2_pk = typed::Key::new("ENTERPRISE#<enterpriseId>", '#');
    gsi2_pk.literal("ENTERPRISE#");
    gsi2_pk.part("enterpriseId", enterprise_id, &[]);
    let mut gsi2_sk = typed::Key::new("WORKSTREAM#<workstreamId>", '#');
    gsi2_sk.literal("WORKSTREAM#");
    gsi2_sk.part("workstreamId", workstream_id, &[]);
    typed::index_key([("GSI2PK", gsi2_pk), ("GSI2SK", gsi2_sk)])
}

/// PK of Tool: `WORKSTREAM#<workstreamId>`.
pub fn pk_tool(workstream_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("WORKSTREAM#<workstreamId>", '#');
    key.literal("WORKSTREAM#");
    key.part("workstreamId", workstream_id, &[]);
    key.text()
}

/// SK of Tool: `TOOL#<toolId>`.
pub fn sk_tool(tool_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("TOOL#<toolId>", '#');
    key.literal("TOOL#");
    key.part("toolId", tool_id, &[]);
    key.text()
}

/// PK of User: `USER#<userId>`.
pub fn pk_user(user_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("USER#<userId>", '#');
    key.literal("USER#");
    key.part("userId", user_id, &[]);
    key.text()
}

/// SK of User: `METADATA`.
pub fn sk_user() -> &'static str {
    "METADATA"
}

/// User in GSI1.
pub fn gsi1_user(user_id: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("ENTITY#USER", '#');
    gsi1_pk.literal("ENTITY#USER");
    let mut gsi1_sk = typed::Key::new("USER#<userId>", '#');
    gsi1_sk.literal("USER#");
    gsi1_sk.part("userId", user_id, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// User in GSI2.
pub fn gsi2_user(
    account_id: &str,
    user_id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi2_pk = typed::Key::new("ACCOUNT#<accountId>#USERS", '#');
    gsi2_pk.literal("ACCOUNT#");
    gsi2_pk.part("accountId", account_id, &[]);
    gsi2_pk.literal("#USERS");
    let mut gsi2_sk = typed::Key::new("USER#<userId>", '#');
    gsi2_sk.literal("USER#");
    gsi2_sk.part("userId", user_id, &[]);
    typed::index_key([("GSI2PK", gsi2_pk), ("GSI2SK", gsi2_sk)])
}

/// User in GSI3.
pub fn gsi3_user(
    status: UserStatus,
    end_date: Option<typed::Date>,
    user_id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi3_pk = typed::Key::new("USER#STATUS#<status>", '#');
    gsi3_pk.literal("USER#STATUS#");
    gsi3_pk.part("status", &status, &[]);
    let mut gsi3_sk = typed::Key::new("<endDate or 9999-12-31>#<userId>", '#');
    gsi3_sk.part_or("endDate", end_date.as_ref(), &[], "9999-12-31");
    gsi3_sk.literal("#");
    gsi3_sk.part("userId", user_id, &[]);
    typed::index_key([("GSI3PK", gsi3_pk), ("GSI3SK", gsi3_sk)])
}

/// PK of UserWorkstream: `USER#<userId>`.
pub fn pk_user_workstream(user_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("USER#<userId>", '#');
    key.literal("USER#");
    key.part("userId", user_id, &[]);
    key.text()
}

/// SK of UserWorkstream: `WORKSTREAM#<workstreamId>`.
pub fn sk_user_workstream(workstream_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("WORKSTREAM#<workstreamId>", '#');
    key.literal("WORKSTREAM#");
    key.part("workstreamId", workstream_id, &[]);
    key.text()
}

/// PK of Role: `ROLE#<roleId>`.
pub fn pk_role(role_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ROLE#<roleId>", '#');
    key.literal("ROLE#");
    key.part("roleId", role_id, &[]);
    key.text()
}

/// SK of Role: `METADATA`.
pub fn sk_role() -> &'static str {
    "METADATA"
}

/// Role in GSI1.
pub fn gsi1_role(role_id: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("ENTITY#ROLE", '#');
    gsi1_pk.literal("ENTITY#ROLE");
    let mut gsi1_sk = typed::Key::new("ROLE#<roleId>", '#');
    gsi1_sk.literal("ROLE#");
    gsi1_sk.part("roleId", role_id, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// Role in GSI2; only items that have all its attributes are in the index.
pub fn gsi2_role(
    account_id: Option<&str>,
    role_id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi2_pk = typed::Key::new("ACCOUNT#<accountId>#ROLES", '#');
    gsi2_pk.literal("ACCOUNT#");
    gsi2_pk.part_if("accountId", account_id, &[]);
    gsi2_pk.literal("#ROLES");
    let mut gsi2_sk = typed::Key::new("ROLE#<roleId>", '#');
    gsi2_sk.literal("ROLE#");
    gsi2_sk.part("roleId", role_id, &[]);
    typed::index_key([("GSI2PK", gsi2_pk), ("GSI2SK", gsi2_sk)])
}

/// PK of Permission: `ROLE#<roleId>`.
pub fn pk_permission(role_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ROLE#<roleId>", '#');
    key.literal("ROLE#");
    key.part("roleId", role_id, &[]);
    key.text()
}

/// SK of Permission: `PERMISSION#<menuKey>`.
pub fn sk_permission(menu_key: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("PERMISSION#<menuKey>", '#');
    key.literal("PERMISSION#");
    key.part("menuKey", menu_key, &[]);
    key.text()
}

/// PK of Group: `GROUP#<groupId>`.
pub fn pk_group(group_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("GROUP#<groupId>", '#');
    key.literal("GROUP#");
    key.part("groupId", group_id, &[]);
    key.text()
}

/// SK of Group: `METADATA`.
pub fn sk_group() -> &'static str {
    "METADATA"
}

/// Group in GSI1.
pub fn gsi1_group(group_id: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("ENTITY#GROUP", '#');
    gsi1_pk.literal("ENTITY#GROUP");
    let mut gsi1_sk = typed::Key::new("GROUP#<groupId>", '#');
    gsi1_sk.literal("GROUP#");
    gsi1_sk.part("groupId", group_id, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// PK of Product: `PRODUCT#<productId>`.
pub fn pk_product(product_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("PRODUCT#<productId>", '#');
    key.literal("PRODUCT#");
    key.part("productId", product_id, &[]);
    key.text()
}

/// SK of Product: `METADATA`.
pub fn sk_product() -> &'static str {
    "METADATA"
}

/// Product in GSI1.
pub fn gsi1_product(product_id: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("ENTITY#PRODUCT", '#');
    gsi1_pk.literal("ENTITY#PRODUCT");
    let mut gsi1_sk = typed::Key::new("PRODUCT#<productId>", '#');
    gsi1_sk.literal("PRODUCT#");
    gsi1_sk.part("productId", product_id, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// PK of Service: `SERVICE#<serviceId>`.
pub fn pk_service(service_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("SERVICE#<serviceId>", '#');
    key.literal("SERVICE#");
    key.part("serviceId", service_id, &[]);
    key.text()
}

/// SK of Service: `METADATA`.
pub fn sk_service() -> &'static str {
    "METADATA"
}

/// Service in GSI1.
pub fn gsi1_service(service_id: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("ENTITY#SERVICE", '#');
    gsi1_pk.literal("ENTITY#SERVICE");
    let mut gsi1_sk = typed::Key::new("SERVICE#<serviceId>", '#');
    gsi1_sk.literal("SERVICE#");
    gsi1_sk.part("serviceId", service_id, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// PK of NotificationAudit: `NOTIFICATION_AUDIT#<id>`.
pub fn pk_notification_audit(id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("NOTIFICATION_AUDIT#<id>", '#');
    key.literal("NOTIFICATION_AUDIT#");
    key.part("id", id, &[]);
    key.text()
}

/// SK of NotificationAudit: `METADATA`.
pub fn sk_notification_audit() -> &'static str {
    "METADATA"
}

/// NotificationAudit in GSI1.
pub fn gsi1_notification_audit(id: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("ENTITY#NOTIFICATION_AUDIT", '#');
    gsi1_pk.literal("ENTITY#NOTIFICATION_AUDIT");
    let mut gsi1_sk = typed::Key::new("NOTIFICATION_AUDIT#<id>", '#');
    gsi1_sk.literal("NOTIFICATION_AUDIT#");
    gsi1_sk.part("id", id, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// NotificationAudit in GSI2.
pub fn gsi2_notification_audit(
    account_id: &str,
    sent_at: typed::DateTime,
    id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi2_pk = typed::Key::new("ACCOUNT#<accountId>#NOTIFICATIONS", '#');
    gsi2_pk.literal("ACCOUNT#");
    gsi2_pk.part("accountId", account_id, &[]);
    gsi2_pk.literal("#NOTIFICATIONS");
    let mut gsi2_sk = typed::Key::new("<sentAt>#<id>", '#');
    gsi2_sk.part("sentAt", &sent_at, &[]);
    gsi2_sk.literal("#");
    gsi2_sk.part("id", id, &[]);
    typed::index_key([("GSI2PK", gsi2_pk), ("GSI2SK", gsi2_sk)])
}

/// NotificationAudit in GSI3.
pub fn gsi3_notification_audit(
    delivery_status: NotificationAuditDeliveryStatus,
    sent_at: typed::DateTime,
    id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi3_pk = typed::Key::new("NOTIFICATION#STATUS#<deliveryStatus>", '#');
    gsi3_pk.literal("NOTIFICATION#STATUS#");
    gsi3_pk.part("deliveryStatus", &delivery_status, &[]);
    let mut gsi3_sk = typed::Key::new("<sentAt>#<id>", '#');
    gsi3_sk.part("sentAt", &sent_at, &[]);
    gsi3_sk.literal("#");
    gsi3_sk.part("id", id, &[]);
    typed::index_key([("GSI3PK", gsi3_pk), ("GSI3SK", gsi3_sk)])
}
