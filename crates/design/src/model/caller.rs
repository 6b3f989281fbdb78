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
    /// The items that people are: a token's issuer and subject lead to them. `None` where the subject itself is the
    /// caller.
    pub users: Option<UserSource>,
    /// The items that make a person a member of a tenant; `None` if everyone whose token states a tenant is a member.
    pub members: Option<MemberSource>,
    /// The groups that are items of the table; `None` if only tokens name groups.
    pub groups: Option<GroupSource>,
    /// The permissions that are items of the table; `None` if roles lead to none there.
    pub permissions: Option<PermissionSource>,
    /// What callers need besides a valid token; all of it. Operators need none of it.
    pub requirements: Vec<CallerRequirement>,
    /// The items that make a person the first administrator, in the order in which they are written; empty if the
    /// design does not say. The last one is what makes them an administrator.
    pub first_administrator: Vec<NewItem>,
}

/// Operators have the role `operator`, and callers need nothing.
impl Default for Callers {
    fn default() -> Self {
        Self {
            operators: Grantee::Role("operator".to_owned()),
            users: None,
            members: None,
            groups: None,
            permissions: None,
            requirements: Vec::new(),
            first_administrator: Vec::new(),
        }
    }
}

/// An item to be written: `User: {subject: <subject>, role: admin}`.
#[derive(Debug, Clone)]
pub struct NewItem {
    /// Where the design file states it.
    pub span: Span,
    /// The entity of the item.
    pub entity: EntityId,
    /// The attributes, in the order of the design file.
    pub attributes: Vec<(String, NewValue)>,
}

/// The value of an attribute of a new item.
#[derive(Debug, Clone, PartialEq)]
pub enum NewValue {
    /// A parameter of this name.
    Given(String),
    /// The same in every item.
    Fixed(AttributeValue),
}

/// `are: {from: User by issuer and subject, role: role, created with: {name: name or email}}`.
#[derive(Debug, Clone)]
pub struct UserSource {
    /// Where the design file states it.
    pub span: Span,
    /// The entity of the people.
    pub entity: EntityId,
    /// Its attribute with the token's issuer; `None` where the subject alone identifies a person.
    pub issuer: Option<String>,
    /// Its attribute with the token's subject.
    pub subject: String,
    /// The name of the `unique` of these attributes; `None` where they are the identity of the entity.
    pub unique: Option<String>,
    /// Where users are that have no lookup item, because other programs wrote them; `None` where no key leads to them.
    pub without_lookup: Option<ReferenceRange>,
    /// The attribute that identifies a user: the subject of a caller from then on.
    pub id: String,
    /// Its attribute with a role of the user; `None` if users have none.
    pub role: Option<String>,
    /// How a user is created at the first sign-in; `None` where unknown people are refused.
    pub created_with: Option<Vec<ClaimedAttribute>>,
}

impl UserSource {
    /// What the attributes of a token are called in the design.
    pub fn attributes(&self) -> Vec<&str> {
        self.issuer.iter().chain([&self.subject]).map(String::as_str).collect()
    }
}

/// An attribute of a new user that comes from a claim: `name: name or email`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedAttribute {
    /// The attribute.
    pub attribute: String,
    /// The claims, of which the first one that the token has is taken.
    pub claims: Vec<String>,
}

/// `members: {from: Membership by userId, role: role}`.
#[derive(Debug, Clone)]
pub struct MemberSource {
    /// Where the design file states it.
    pub span: Span,
    /// The entity of the memberships.
    pub entity: EntityId,
    /// Its attribute with the caller's subject.
    pub subject: String,
    /// Where the membership of a subject in one tenant is.
    pub range: ReferenceRange,
    /// Where the memberships of a subject in all tenants are.
    pub of_all_tenants: ReferenceRange,
    /// Its attribute with the caller's role in the tenant; `None` if memberships have none.
    pub role: Option<String>,
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
        // An attribute hides the time only where the entity declares one of that name: what is merely stored in an item
        // must not pose as the time.
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
    /// The entity of the groups and its list of permissions; `None` if groups have no permissions.
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
