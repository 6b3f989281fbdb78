// Generated from design.yaml by `keyfold generate rust`. Do not edit: change the design and generate again.
use keyfold_typed as typed;
use serde::{Deserialize, Serialize};

use super::enumerations::*;

/// The identity of a Tenant.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TenantIdentity {
    pub tenant_id: String,
}

impl TenantIdentity {
    pub fn new(tenant_id: impl Into<String>) -> Self {
        Self {
            tenant_id: tenant_id.into(),
        }
    }
}

impl typed::Identity for TenantIdentity {
    type Entity = super::Tenant;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "tenantId", &self.tenant_id);
    }
}

impl super::Tenant {
    /// The identity of the item.
    pub fn identity(&self) -> TenantIdentity {
        TenantIdentity {
            tenant_id: self.tenant_id.clone(),
        }
    }
}

/// The attributes of a Tenant to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewTenant {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    pub name: String,
}

impl NewTenant {
    /// Takes the required attributes and leaves out all others.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            tenant_id: None,
        }
    }
}

impl typed::New for NewTenant {
    type Entity = super::Tenant;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "tenantId", &self.tenant_id);
        typed::set(item, "name", &self.name);
    }
}

/// A patch of a Tenant: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct TenantPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl typed::Patch for TenantPatch {
    type Entity = super::Tenant;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "name", &self.name);
    }
}

impl typed::Removable for super::Tenant {}

/// The identity of an Album.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AlbumIdentity {
    pub tenant_id: String,
    pub album_id: String,
}

impl AlbumIdentity {
    pub fn new(tenant_id: impl Into<String>, album_id: impl Into<String>) -> Self {
        Self {
            tenant_id: tenant_id.into(),
            album_id: album_id.into(),
        }
    }
}

impl typed::Identity for AlbumIdentity {
    type Entity = super::Album;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "tenantId", &self.tenant_id);
        typed::set(item, "albumId", &self.album_id);
    }
}

impl super::Album {
    /// The identity of the item.
    pub fn identity(&self) -> AlbumIdentity {
        AlbumIdentity {
            tenant_id: self.tenant_id.clone(),
            album_id: self.album_id.clone(),
        }
    }
}

/// The attributes of an Album to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewAlbum {
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub album_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<String>,
    pub title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

impl NewAlbum {
    /// Takes the required attributes and leaves out all others.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            tenant_id: None,
            album_id: None,
            parent_id: None,
            description: None,
        }
    }
}

impl typed::New for NewAlbum {
    type Entity = super::Album;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "tenantId", &self.tenant_id);
        typed::set_if(item, "albumId", &self.album_id);
        typed::set_if(item, "parentId", &self.parent_id);
        typed::set(item, "title", &self.title);
        typed::set_if(item, "description", &self.description);
    }
}

/// A patch of an Album: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct AlbumPatch {
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub parent_id: typed::AttributeChange<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub description: typed::AttributeChange<String>,
}

impl typed::Patch for AlbumPatch {
    type Entity = super::Album;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_change(item, "parentId", &self.parent_id);
        typed::set_if(item, "title", &self.title);
        typed::set_change(item, "description", &self.description);
    }
}

impl typed::Removable for super::Album {}

/// The identity of an Image.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImageIdentity {
    pub tenant_id: String,
    pub image_id: String,
}

impl ImageIdentity {
    pub fn new(tenant_id: impl Into<String>, image_id: impl Into<String>) -> Self {
        Self {
            tenant_id: tenant_id.into(),
            image_id: image_id.into(),
        }
    }
}

impl typed::Identity for ImageIdentity {
    type Entity = super::Image;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "tenantId", &self.tenant_id);
        typed::set(item, "imageId", &self.image_id);
    }
}

impl super::Image {
    /// The identity of the item.
    pub fn identity(&self) -> ImageIdentity {
        ImageIdentity {
            tenant_id: self.tenant_id.clone(),
            image_id: self.image_id.clone(),
        }
    }
}

/// The attributes of an Image to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewImage {
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub image_id: Option<String>,
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
}

impl NewImage {
    /// Takes the required attributes and leaves out all others.
    pub fn new(
        album_id: impl Into<String>,
        object_key: impl Into<String>,
        content_type: impl Into<String>,
    ) -> Self {
        Self {
            album_id: album_id.into(),
            object_key: object_key.into(),
            content_type: content_type.into(),
            tenant_id: None,
            image_id: None,
            width: None,
            height: None,
            caption: None,
        }
    }
}

impl typed::New for NewImage {
    type Entity = super::Image;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "tenantId", &self.tenant_id);
        typed::set_if(item, "imageId", &self.image_id);
        typed::set(item, "albumId", &self.album_id);
        typed::set(item, "objectKey", &self.object_key);
        typed::set(item, "contentType", &self.content_type);
        typed::set_if(item, "width", &self.width);
        typed::set_if(item, "height", &self.height);
        typed::set_if(item, "caption", &self.caption);
    }
}

/// A patch of an Image: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ImagePatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub album_id: Option<String>,
    /// where the bytes lie
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub width: typed::AttributeChange<i64>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub height: typed::AttributeChange<i64>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub caption: typed::AttributeChange<String>,
}

impl typed::Patch for ImagePatch {
    type Entity = super::Image;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "albumId", &self.album_id);
        typed::set_if(item, "objectKey", &self.object_key);
        typed::set_if(item, "contentType", &self.content_type);
        typed::set_change(item, "width", &self.width);
        typed::set_change(item, "height", &self.height);
        typed::set_change(item, "caption", &self.caption);
    }
}

/// Operators of a patch of an Image.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ImageOperators(pub typed::Operators);

impl ImageOperators {
    /// Adds to `width`.
    pub fn add_width(&mut self, value: i64) -> &mut Self {
        typed::add(&mut self.0, "width", &value);
        self
    }

    /// Subtracts from `width`.
    pub fn subtract_width(&mut self, value: i64) -> &mut Self {
        typed::subtract(&mut self.0, "width", &value);
        self
    }

    /// Adds to `height`.
    pub fn add_height(&mut self, value: i64) -> &mut Self {
        typed::add(&mut self.0, "height", &value);
        self
    }

    /// Subtracts from `height`.
    pub fn subtract_height(&mut self, value: i64) -> &mut Self {
        typed::subtract(&mut self.0, "height", &value);
        self
    }
}

impl typed::Removable for super::Image {}

/// The identity of a User.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UserIdentity {
    pub user_id: String,
}

impl UserIdentity {
    pub fn new(user_id: impl Into<String>) -> Self {
        Self {
            user_id: user_id.into(),
        }
    }
}

impl typed::Identity for UserIdentity {
    type Entity = super::User;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "userId", &self.user_id);
    }
}

impl super::User {
    /// The identity of the item.
    pub fn identity(&self) -> UserIdentity {
        UserIdentity {
            user_id: self.user_id.clone(),
        }
    }
}

/// The attributes of a User to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewUser {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    pub issuer: String,
    pub subject: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    pub name: String,
}

impl NewUser {
    /// Takes the required attributes and leaves out all others.
    pub fn new(
        issuer: impl Into<String>,
        subject: impl Into<String>,
        name: impl Into<String>,
    ) -> Self {
        Self {
            issuer: issuer.into(),
            subject: subject.into(),
            name: name.into(),
            user_id: None,
            email: None,
        }
    }
}

impl typed::New for NewUser {
    type Entity = super::User;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "userId", &self.user_id);
        typed::set(item, "issuer", &self.issuer);
        typed::set(item, "subject", &self.subject);
        typed::set_if(item, "email", &self.email);
        typed::set(item, "name", &self.name);
    }
}

/// A patch of a User: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct UserPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    #[serde(skip_serializing_if = "typed::AttributeChange::is_keep")]
    pub email: typed::AttributeChange<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl typed::Patch for UserPatch {
    type Entity = super::User;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "issuer", &self.issuer);
        typed::set_if(item, "subject", &self.subject);
        typed::set_change(item, "email", &self.email);
        typed::set_if(item, "name", &self.name);
    }
}

impl typed::Removable for super::User {}

/// The identity of a Membership.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MembershipIdentity {
    pub membership_id: String,
}

impl MembershipIdentity {
    pub fn new(membership_id: impl Into<String>) -> Self {
        Self {
            membership_id: membership_id.into(),
        }
    }
}

impl typed::Identity for MembershipIdentity {
    type Entity = super::Membership;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "membershipId", &self.membership_id);
    }
}

impl super::Membership {
    /// The identity of the item.
    pub fn identity(&self) -> MembershipIdentity {
        MembershipIdentity {
            membership_id: self.membership_id.clone(),
        }
    }
}

/// The attributes of a Membership to be written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewMembership {
    /// Generated if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub membership_id: Option<String>,
    /// Defaults to the caller's own tenant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenant_id: Option<String>,
    pub user_id: String,
    pub role: MembershipRole,
}

impl NewMembership {
    /// Takes the required attributes and leaves out all others.
    pub fn new(user_id: impl Into<String>, role: MembershipRole) -> Self {
        Self {
            user_id: user_id.into(),
            role,
            membership_id: None,
            tenant_id: None,
        }
    }
}

impl typed::New for NewMembership {
    type Entity = super::Membership;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "membershipId", &self.membership_id);
        typed::set_if(item, "tenantId", &self.tenant_id);
        typed::set(item, "userId", &self.user_id);
        typed::set(item, "role", &self.role);
    }
}

/// A patch of a Membership: attributes that are left out keep their values.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct MembershipPatch {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<MembershipRole>,
}

impl typed::Patch for MembershipPatch {
    type Entity = super::Membership;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set_if(item, "role", &self.role);
    }
}

impl typed::Removable for super::Membership {}

/// The identity of a MembershipByTenant.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MembershipByTenantIdentity {
    pub membership_id: String,
}

impl MembershipByTenantIdentity {
    pub fn new(membership_id: impl Into<String>) -> Self {
        Self {
            membership_id: membership_id.into(),
        }
    }
}

impl typed::Identity for MembershipByTenantIdentity {
    type Entity = super::MembershipByTenant;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "membershipId", &self.membership_id);
    }
}

impl super::MembershipByTenant {
    /// The identity of the item.
    pub fn identity(&self) -> MembershipByTenantIdentity {
        MembershipByTenantIdentity {
            membership_id: self.membership_id.clone(),
        }
    }
}

/// The identity of a MembershipByUser.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MembershipByUserIdentity {
    pub membership_id: String,
}

impl MembershipByUserIdentity {
    pub fn new(membership_id: impl Into<String>) -> Self {
        Self {
            membership_id: membership_id.into(),
        }
    }
}

impl typed::Identity for MembershipByUserIdentity {
    type Entity = super::MembershipByUser;

    fn write(&self, item: &mut typed::Attributes) {
        typed::set(item, "membershipId", &self.membership_id);
    }
}

impl super::MembershipByUser {
    /// The identity of the item.
    pub fn identity(&self) -> MembershipByUserIdentity {
        MembershipByUserIdentity {
            membership_id: self.membership_id.clone(),
        }
    }
}
