//! Where the roles, groups and permissions of a caller come from.

use super::{EntityId, Grantee, ReferenceRange};
use crate::span::Span;

/// `callers:` of a design.
#[derive(Debug, Clone)]
pub struct Callers {
    /// Who acts on the whole platform; the role `operator` where the design does not say.
    pub operators: Grantee,
    /// Groups that are items of the table.
    pub groups: Option<GroupSource>,
    /// Permissions that are items of the table.
    pub permissions: Option<PermissionSource>,
}

/// `groups: {from: Membership, of: userId, group: groupName, permissions: Group.permissions}`.
#[derive(Debug, Clone)]
pub struct GroupSource {
    /// Where the design file states it.
    pub span: Span,
    /// The entity with the memberships of groups.
    pub membership: EntityId,
    /// Its attribute with the caller's subject.
    pub subject: String,
    /// Where the memberships of a subject are.
    pub range: ReferenceRange,
    /// Its attribute with the group's name.
    pub group: String,
    /// The entity of the groups and its list of permissions.
    pub permissions: Option<(EntityId, String)>,
}

/// `permissions: {through: User.roleId, of: userId, from: Permission, key: menuKey, actions: actions}`.
#[derive(Debug, Clone)]
pub struct PermissionSource {
    /// Where the design file states it.
    pub span: Span,
    /// The entity of the callers themselves.
    pub caller: EntityId,
    /// Its attribute with the caller's subject.
    pub subject: String,
    /// Where the caller of a subject is.
    pub range: ReferenceRange,
    /// Its attribute with the role, which a permission names too.
    pub role: String,
    /// The entity of the permissions.
    pub permission: EntityId,
    /// The permission's attribute with the role.
    pub permission_role: String,
    /// Where the permissions of a role are.
    pub permission_range: ReferenceRange,
    /// `licenses` of `licenses.write`.
    pub key: String,
    /// The list that holds `write` of `licenses.write`.
    pub actions: String,
}
