// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
//! Key builders.

use keyfold_typed as typed;

/// PK of Tenant: `TENANT#<tenantId>`.
pub fn pk_tenant(tenant_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("TENANT#<tenantId>", '#');
    key.literal("TENANT#");
    key.part("tenantId", tenant_id, &[]);
    key.text()
}

/// SK of Tenant: `METADATA#<tenantId>`.
pub fn sk_tenant(tenant_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("METADATA#<tenantId>", '#');
    key.literal("METADATA#");
    key.part("tenantId", tenant_id, &[]);
    key.text()
}

/// PK of Album: `TENANT#<tenantId>`.
pub fn pk_album(tenant_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("TENANT#<tenantId>", '#');
    key.literal("TENANT#");
    key.part("tenantId", tenant_id, &[]);
    key.text()
}

/// SK of Album: `ALBUM#<albumId>`.
pub fn sk_album(album_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("ALBUM#<albumId>", '#');
    key.literal("ALBUM#");
    key.part("albumId", album_id, &[]);
    key.text()
}

/// Album in GSI1.
pub fn gsi1_album_child(
    parent_id: Option<&str>,
    tenant_id: &str,
    album_id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("ALBUM#<parentId>", '#');
    gsi1_pk.literal("ALBUM#");
    gsi1_pk.part_if("parentId", parent_id, &[]);
    let mut otherwise = typed::Key::new("TENANT#<tenantId>", '#');
    otherwise.literal("TENANT#");
    otherwise.part("tenantId", tenant_id, &[]);
    gsi1_pk.or(otherwise);
    let mut gsi1_sk = typed::Key::new("ALBUM#<albumId>", '#');
    gsi1_sk.literal("ALBUM#");
    gsi1_sk.part("albumId", album_id, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// PK of Image: `TENANT#<tenantId>`.
pub fn pk_image(tenant_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("TENANT#<tenantId>", '#');
    key.literal("TENANT#");
    key.part("tenantId", tenant_id, &[]);
    key.text()
}

/// SK of Image: `IMAGE#<imageId>`.
pub fn sk_image(image_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("IMAGE#<imageId>", '#');
    key.literal("IMAGE#");
    key.part("imageId", image_id, &[]);
    key.text()
}

/// Image in GSI1.
pub fn gsi1_image_by_album(
    album_id: &str,
    image_id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi1_pk = typed::Key::new("ALBUM#<albumId>", '#');
    gsi1_pk.literal("ALBUM#");
    gsi1_pk.part("albumId", album_id, &[]);
    let mut gsi1_sk = typed::Key::new("IMAGE#<imageId>", '#');
    gsi1_sk.literal("IMAGE#");
    gsi1_sk.part("imageId", image_id, &[]);
    typed::index_key([("GSI1PK", gsi1_pk), ("GSI1SK", gsi1_sk)])
}

/// PK of User: `USER#<userId>`.
pub fn pk_user(user_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("USER#<userId>", '#');
    key.literal("USER#");
    key.part("userId", user_id, &[]);
    key.text()
}

/// SK of User: `METADATA#<userId>`.
pub fn sk_user_metadata(user_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("METADATA#<userId>", '#');
    key.literal("METADATA#");
    key.part("userId", user_id, &[]);
    key.text()
}

/// The attributes by which a User can be looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UserLookupScope {
    Email,
    OidcSub,
}

/// The partition of a lookup: `LOOKUP#USER#<scope>#<value>`.
pub fn user_lookup_partition(
    scope: UserLookupScope,
    value: &str,
) -> Result<String, typed::TemplateError> {
    let scope = match scope {
        UserLookupScope::Email => "EMAIL",
        UserLookupScope::OidcSub => "OIDC_SUB",
    };
    let mut key = typed::Key::new("LOOKUP#USER#<scope>#<value>", '#');
    key.literal("LOOKUP#USER#");
    key.literal(scope);
    key.literal("#");
    key.part("value", value, &[]);
    key.text()
}

/// The item that a lookup refers to: `USER#<userId>`.
pub fn user_lookup_sort(user_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("USER#<userId>", '#');
    key.literal("USER#");
    key.part("userId", user_id, &[]);
    key.text()
}

/// The key of the lookup of User by email.
pub fn lookup_user_by_email(email: &str) -> Result<typed::Attributes, typed::TemplateError> {
    let mut pk = typed::Key::new("LOOKUP#USER#EMAIL#<email:lower>", '#');
    pk.literal("LOOKUP#USER#EMAIL#");
    pk.part("email", email, &[typed::Format::Lower]);
    let mut sk = typed::Key::new("LOOKUP", '#');
    sk.literal("LOOKUP");
    typed::index_key([("PK", pk), ("SK", sk)])
}

/// The index key of the lookup of User by email.
pub fn gsi2_user_by_email(
    email: &str,
    user_id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi2_pk = typed::Key::new("LOOKUP#USER#EMAIL#<email:lower>", '#');
    gsi2_pk.literal("LOOKUP#USER#EMAIL#");
    gsi2_pk.part("email", email, &[typed::Format::Lower]);
    let mut gsi2_sk = typed::Key::new("USER#<userId>", '#');
    gsi2_sk.literal("USER#");
    gsi2_sk.part("userId", user_id, &[]);
    typed::index_key([("GSI2PK", gsi2_pk), ("GSI2SK", gsi2_sk)])
}

/// The key of the lookup of User by oidcSub.
pub fn lookup_user_by_oidc_sub(
    issuer: &str,
    subject: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut pk = typed::Key::new("LOOKUP#USER#OIDC_SUB#<issuer:url>#<subject:url>", '#');
    pk.literal("LOOKUP#USER#OIDC_SUB#");
    pk.part("issuer", issuer, &[typed::Format::Url]);
    pk.literal("#");
    pk.part("subject", subject, &[typed::Format::Url]);
    let mut sk = typed::Key::new("LOOKUP", '#');
    sk.literal("LOOKUP");
    typed::index_key([("PK", pk), ("SK", sk)])
}

/// The index key of the lookup of User by oidcSub.
pub fn gsi2_user_by_oidc_sub(
    issuer: &str,
    subject: &str,
    user_id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi2_pk = typed::Key::new("LOOKUP#USER#OIDC_SUB#<issuer:url>#<subject:url>", '#');
    gsi2_pk.literal("LOOKUP#USER#OIDC_SUB#");
    gsi2_pk.part("issuer", issuer, &[typed::Format::Url]);
    gsi2_pk.literal("#");
    gsi2_pk.part("subject", subject, &[typed::Format::Url]);
    let mut gsi2_sk = typed::Key::new("USER#<userId>", '#');
    gsi2_sk.literal("USER#");
    gsi2_sk.part("userId", user_id, &[]);
    typed::index_key([("GSI2PK", gsi2_pk), ("GSI2SK", gsi2_sk)])
}

/// PK of Membership: `MEMBERSHIP#<membershipId>`.
pub fn pk_membership(membership_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("MEMBERSHIP#<membershipId>", '#');
    key.literal("MEMBERSHIP#");
    key.part("membershipId", membership_id, &[]);
    key.text()
}

/// SK of Membership: `METADATA#<membershipId>`.
pub fn sk_membership(membership_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("METADATA#<membershipId>", '#');
    key.literal("METADATA#");
    key.part("membershipId", membership_id, &[]);
    key.text()
}

/// The key of the lookup of Membership by user in tenant.
pub fn lookup_membership_by_user_in_tenant(
    tenant_id: &str,
    user_id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut pk = typed::Key::new("LOOKUP#MEMBERSHIP#TENANT_USER#<tenantId>#<userId>", '#');
    pk.literal("LOOKUP#MEMBERSHIP#TENANT_USER#");
    pk.part("tenantId", tenant_id, &[]);
    pk.literal("#");
    pk.part("userId", user_id, &[]);
    let mut sk = typed::Key::new("LOOKUP", '#');
    sk.literal("LOOKUP");
    typed::index_key([("PK", pk), ("SK", sk)])
}

/// PK of MembershipByTenant: `MEMBERSHIP#<membershipId>`.
pub fn pk_membership_by_tenant(membership_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("MEMBERSHIP#<membershipId>", '#');
    key.literal("MEMBERSHIP#");
    key.part("membershipId", membership_id, &[]);
    key.text()
}

/// SK of MembershipByTenant: `LOOKUP#TENANT`.
pub fn sk_membership_by_tenant() -> &'static str {
    "LOOKUP#TENANT"
}

/// MembershipByTenant in GSI2.
pub fn gsi2_membership_by_tenant(
    tenant_id: &str,
    user_id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi2_pk = typed::Key::new("LOOKUP#MEMBERSHIP#TENANT#<tenantId>", '#');
    gsi2_pk.literal("LOOKUP#MEMBERSHIP#TENANT#");
    gsi2_pk.part("tenantId", tenant_id, &[]);
    let mut gsi2_sk = typed::Key::new("USER#<userId>", '#');
    gsi2_sk.literal("USER#");
    gsi2_sk.part("userId", user_id, &[]);
    typed::index_key([("GSI2PK", gsi2_pk), ("GSI2SK", gsi2_sk)])
}

/// PK of MembershipByUser: `MEMBERSHIP#<membershipId>`.
pub fn pk_membership_by_user(membership_id: &str) -> Result<String, typed::TemplateError> {
    let mut key = typed::Key::new("MEMBERSHIP#<membershipId>", '#');
    key.literal("MEMBERSHIP#");
    key.part("membershipId", membership_id, &[]);
    key.text()
}

/// SK of MembershipByUser: `LOOKUP#USER`.
pub fn sk_membership_by_user() -> &'static str {
    "LOOKUP#USER"
}

/// MembershipByUser in GSI2.
pub fn gsi2_membership_by_user(
    user_id: &str,
    tenant_id: &str,
) -> Result<typed::Attributes, typed::TemplateError> {
    let mut gsi2_pk = typed::Key::new("LOOKUP#MEMBERSHIP#USER#<userId>", '#');
    gsi2_pk.literal("LOOKUP#MEMBERSHIP#USER#");
    gsi2_pk.part("userId", user_id, &[]);
    let mut gsi2_sk = typed::Key::new("TENANT#<tenantId>", '#');
    gsi2_sk.literal("TENANT#");
    gsi2_sk.part("tenantId", tenant_id, &[]);
    typed::index_key([("GSI2PK", gsi2_pk), ("GSI2SK", gsi2_sk)])
}
