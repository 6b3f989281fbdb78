//! Where the roles, groups and permissions of a caller come from, and the items that callers need.

use keyfold_dynamo::{AttributeValue, Attributes};

use super::{Entity, EntityId, Grantee, ReferenceRange};
use crate::constraint::{Expression, NOW, TODAY};
use crate::span::Span;

/// The length of `2026-11-15`.
const DATE_LENGTH: usize = 10;

/// `callers:` of a design.
#[derive(Debug, Clone)]
pub struct Callers {
    /// Who acts on the whole platform; the role `operator` where the design does not say.
    pub operators: Grantee,
    /// Groups that are items of the table.
    pub groups: Option<GroupSource>,
    /// Permissions that are items of the table.
    pub permissions: Option<PermissionSource>,
    /// What callers need besides a valid token; all of it. Operators need none of it.
    pub requirements: Vec<CallerRequirement>,
}

/// An entry of `requires`: `{User: status == "active", TechUser: exists}`.
#[derive(Debug, Clone)]
pub struct CallerRequirement {
    /// Where the design file states it.
    pub span: Span,
    /// The items of which callers need one; at least one.
    pub alternatives: Vec<CallerItem>,
}

/// `User: status == "active"`.
#[derive(Debug, Clone)]
pub struct CallerItem {
    /// The entity of the item.
    pub entity: EntityId,
    /// What leads from the caller to the item.
    pub found_by: CallerItemKey,
    /// Over the item's attributes, `today` and `now`; `None` if the item only has to exist.
    pub condition: Option<Expression>,
}

/// What leads from a caller to an item.
#[derive(Debug, Clone)]
pub enum CallerItemKey {
    /// The item is the caller's tenant.
    Tenant,
    /// An attribute holds the caller's subject.
    Subject {
        /// The attribute.
        attribute: String,
        /// Where the items of a subject are.
        range: Box<ReferenceRange>,
    },
}

impl CallerItem {
    /// Whether an item meets the condition at a time, such as `2026-11-15T08:00:00.000Z`. A condition that cannot be
    /// evaluated is not met.
    pub fn is_met_by(&self, entity: &Entity, item: &Attributes, now: &str) -> bool {
        let Some(condition) = &self.condition else { return true };
        let today = AttributeValue::S(now.chars().take(DATE_LENGTH).collect());
        let now = AttributeValue::S(now.to_owned());
        // An attribute hides the time only where the entity declares one of that name: what is merely stored in an item must
        // not pose as the time.
        let lookup = |name: &str| match name {
            TODAY if entity.attribute(name).is_none() => Some(&today),
            NOW if entity.attribute(name).is_none() => Some(&now),
            name => item.get(name),
        };
        condition.evaluate(lookup).unwrap_or(false)
    }
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
