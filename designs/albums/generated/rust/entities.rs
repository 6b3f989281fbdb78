// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::enumerations::*;

/// A Tenant.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tenant {
    pub tenant_id: String,
    pub name: String,
    pub member_count: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Tenant {
    type Design = super::AlbumsDesign;
    const NAME: &'static str = "Tenant";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            tenant_id: typed::required(item, "tenantId")?,
            name: typed::required(item, "name")?,
            member_count: typed::or_default(item, "memberCount", 0)?,
            created_at: typed::optional(item, "createdAt")?,
            created_by: typed::optional(item, "createdBy")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// An album of images and further albums; one without a parent is a root of its tenant.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Album {
    pub tenant_id: String,
    pub album_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub child_count: i64,
    pub image_count: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Album {
    type Design = super::AlbumsDesign;
    const NAME: &'static str = "Album";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            tenant_id: typed::required(item, "tenantId")?,
            album_id: typed::required(item, "albumId")?,
            parent_id: typed::optional(item, "parentId")?,
            title: typed::required(item, "title")?,
            description: typed::optional(item, "description")?,
            child_count: typed::or_default(item, "childCount", 0)?,
            image_count: typed::or_default(item, "imageCount", 0)?,
            created_at: typed::optional(item, "createdAt")?,
            created_by: typed::optional(item, "createdBy")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// An Image.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Image {
    pub tenant_id: String,
    pub image_id: String,
    pub album_id: String,
    /// where the bytes lie
    pub object_key: String,
    pub content_type: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Image {
    type Design = super::AlbumsDesign;
    const NAME: &'static str = "Image";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            tenant_id: typed::required(item, "tenantId")?,
            image_id: typed::required(item, "imageId")?,
            album_id: typed::required(item, "albumId")?,
            object_key: typed::required(item, "objectKey")?,
            content_type: typed::required(item, "contentType")?,
            width: typed::optional(item, "width")?,
            height: typed::optional(item, "height")?,
            caption: typed::optional(item, "caption")?,
            created_at: typed::optional(item, "createdAt")?,
            created_by: typed::optional(item, "createdBy")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A person, as their identity provider tells of them. Issuer and subject of a token lead to the user, whose `userId` is the caller.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    pub user_id: String,
    pub issuer: String,
    pub subject: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    pub name: String,
    pub membership_count: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for User {
    type Design = super::AlbumsDesign;
    const NAME: &'static str = "User";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            user_id: typed::required(item, "userId")?,
            issuer: typed::required(item, "issuer")?,
            subject: typed::required(item, "subject")?,
            email: typed::optional(item, "email")?,
            name: typed::required(item, "name")?,
            membership_count: typed::or_default(item, "membershipCount", 0)?,
            created_at: typed::optional(item, "createdAt")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A user is a member of a tenant, in a role.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Membership {
    pub membership_id: String,
    pub tenant_id: String,
    pub user_id: String,
    pub role: MembershipRole,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<typed::DateTime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

impl typed::Entity for Membership {
    type Design = super::AlbumsDesign;
    const NAME: &'static str = "Membership";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            membership_id: typed::required(item, "membershipId")?,
            tenant_id: typed::required(item, "tenantId")?,
            user_id: typed::required(item, "userId")?,
            role: typed::required(item, "role")?,
            created_at: typed::optional(item, "createdAt")?,
            created_by: typed::optional(item, "createdBy")?,
            updated_at: typed::optional(item, "updatedAt")?,
            version: typed::optional(item, "version")?,
        })
    }
}

/// A membership as its tenant sees it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MembershipByTenant {
    pub tenant_id: String,
    pub user_id: String,
    pub role: MembershipRole,
    pub membership_id: String,
}

impl typed::Entity for MembershipByTenant {
    type Design = super::AlbumsDesign;
    const NAME: &'static str = "MembershipByTenant";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            tenant_id: typed::required(item, "tenantId")?,
            user_id: typed::required(item, "userId")?,
            role: typed::required(item, "role")?,
            membership_id: typed::required(item, "membershipId")?,
        })
    }
}

/// A membership as its user sees it, whichever tenant they act in.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MembershipByUser {
    pub tenant_id: String,
    pub user_id: String,
    pub role: MembershipRole,
    pub membership_id: String,
}

impl typed::Entity for MembershipByUser {
    type Design = super::AlbumsDesign;
    const NAME: &'static str = "MembershipByUser";

    fn read(item: &typed::Attributes) -> Result<Self, typed::TypeMismatch> {
        Ok(Self {
            tenant_id: typed::required(item, "tenantId")?,
            user_id: typed::required(item, "userId")?,
            role: typed::required(item, "role")?,
            membership_id: typed::required(item, "membershipId")?,
        })
    }
}
