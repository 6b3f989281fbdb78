// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::entities::*;

/// A result of the access pattern "tenant with everything".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum TenantWithEverything {
    Tenant(Box<Tenant>),
    Album(Box<Album>),
    Image(Box<Image>),
}

impl typed::Returned for TenantWithEverything {
    type Design = super::AlbumsDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Tenant" => typed::boxed(item).map(Self::Tenant),
            "Album" => typed::boxed(item).map(Self::Album),
            "Image" => typed::boxed(item).map(Self::Image),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

/// A result of the access pattern "membership with its views".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum MembershipWithItsViews {
    Membership(Box<Membership>),
    MembershipByTenant(Box<MembershipByTenant>),
    MembershipByUser(Box<MembershipByUser>),
}

impl typed::Returned for MembershipWithItsViews {
    type Design = super::AlbumsDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Membership" => typed::boxed(item).map(Self::Membership),
            "MembershipByTenant" => typed::boxed(item).map(Self::MembershipByTenant),
            "MembershipByUser" => typed::boxed(item).map(Self::MembershipByUser),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

/// A result of the access pattern "content of an album".
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "entity", content = "item")]
pub enum ContentOfAnAlbum {
    Album(Box<Album>),
    Image(Box<Image>),
}

impl typed::Returned for ContentOfAnAlbum {
    type Design = super::AlbumsDesign;

    fn read(entity: &str, item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        match entity {
            "Album" => typed::boxed(item).map(Self::Album),
            "Image" => typed::boxed(item).map(Self::Image),
            other => Err(typed::TypeMismatch::unexpected_entity(other)),
        }
    }
}

impl super::Albums<'_> {
    /// tenant with everything: `PK = TENANT#<tenantId> -> Tenant, Album, Image`.
    pub async fn tenant_with_everything(
        &self,
        tenant_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<TenantWithEverything>, typed::Error> {
        let pattern = "tenant with everything";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "tenantId", tenant_id);
        self.page(pattern, arguments, options).await
    }

    /// albums of a tenant: `PK = TENANT#<tenantId> and begins_with(SK, ALBUM#)`.
    pub async fn albums_of_a_tenant(
        &self,
        tenant_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Album>, typed::Error> {
        let pattern = "albums of a tenant";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "tenantId", tenant_id);
        self.page(pattern, arguments, options).await
    }

    /// images of a tenant: `PK = TENANT#<tenantId> and begins_with(SK, IMAGE#)`.
    pub async fn images_of_a_tenant(
        &self,
        tenant_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Image>, typed::Error> {
        let pattern = "images of a tenant";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "tenantId", tenant_id);
        self.page(pattern, arguments, options).await
    }

    /// membership of a user in a tenant: `PK = LOOKUP#MEMBERSHIP#TENANT_USER#<tenantId>#<userId> -> Membership`.
    pub async fn membership_of_a_user_in_a_tenant(
        &self,
        tenant_id: &str,
        user_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Membership>, typed::Error> {
        let pattern = "membership of a user in a tenant";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "tenantId", tenant_id);
        typed::set(&mut arguments, "userId", user_id);
        self.page(pattern, arguments, options).await
    }

    /// membership with its views: `PK = MEMBERSHIP#<membershipId>, own tenant only -> Membership, MembershipByTenant, MembershipByUser`. Members get only the items of their own tenant.
    pub async fn membership_with_its_views(
        &self,
        membership_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<MembershipWithItsViews>, typed::Error> {
        let pattern = "membership with its views";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "membershipId", membership_id);
        self.page(pattern, arguments, options).await
    }

    /// root albums: `GSI1PK = TENANT#<tenantId> and begins_with(GSI1SK, ALBUM#)`.
    pub async fn root_albums(
        &self,
        tenant_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Album>, typed::Error> {
        let pattern = "root albums";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "tenantId", tenant_id);
        self.page(pattern, arguments, options).await
    }

    /// albums in an album: `GSI1PK = ALBUM#<parentId> and begins_with(GSI1SK, ALBUM#), own tenant only`. Members get only the items of their own tenant.
    pub async fn albums_in_an_album(
        &self,
        parent_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Album>, typed::Error> {
        let pattern = "albums in an album";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "parentId", parent_id);
        self.page(pattern, arguments, options).await
    }

    /// images in an album: `GSI1PK = ALBUM#<albumId> and begins_with(GSI1SK, IMAGE#), own tenant only`. Members get only the items of their own tenant.
    pub async fn images_in_an_album(
        &self,
        album_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<Image>, typed::Error> {
        let pattern = "images in an album";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "albumId", album_id);
        self.page(pattern, arguments, options).await
    }

    /// content of an album: `GSI1PK = ALBUM#<albumId>, own tenant only -> Album, Image`. Members get only the items of their own tenant.
    pub async fn content_of_an_album(
        &self,
        album_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<ContentOfAnAlbum>, typed::Error> {
        let pattern = "content of an album";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "albumId", album_id);
        self.page(pattern, arguments, options).await
    }

    /// user by oidc subject: `GSI2PK = LOOKUP#USER#OIDC_SUB#<issuer>#<subject> -> User`.
    pub async fn user_by_oidc_subject(
        &self,
        issuer: &str,
        subject: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<User>, typed::Error> {
        let pattern = "user by oidc subject";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "issuer", issuer);
        typed::set(&mut arguments, "subject", subject);
        self.page(pattern, arguments, options).await
    }

    /// user by email: `GSI2PK = LOOKUP#USER#EMAIL#<email> -> User`.
    pub async fn user_by_email(
        &self,
        email: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<User>, typed::Error> {
        let pattern = "user by email";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "email", email);
        self.page(pattern, arguments, options).await
    }

    /// members of a tenant: `GSI2PK = LOOKUP#MEMBERSHIP#TENANT#<tenantId>`.
    pub async fn members_of_a_tenant(
        &self,
        tenant_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<MembershipByTenant>, typed::Error> {
        let pattern = "members of a tenant";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "tenantId", tenant_id);
        self.page(pattern, arguments, options).await
    }

    /// tenants of a user: `GSI2PK = LOOKUP#MEMBERSHIP#USER#<userId>`.
    pub async fn tenants_of_a_user(
        &self,
        user_id: &str,
        options: &typed::QueryOptions,
    ) -> Result<typed::Page<MembershipByUser>, typed::Error> {
        let pattern = "tenants of a user";
        let mut arguments = typed::Attributes::new();
        typed::set(&mut arguments, "userId", user_id);
        self.page(pattern, arguments, options).await
    }
}
